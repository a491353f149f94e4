/**
 * Replies to calls that must not be carried out twice: a client that has lost its connection repeats its unanswered
 * calls (RFC 1813 section 4.5, RFC 5531 section 9). The xid alone does not identify a call, because some clients use
 * one for many calls.
 *
 * @module
 */
import type { Reply } from "./codec/rpc.ts";

const MAX_ANSWERS = 256;
const KEEP_MS = 120_000;
/** Longer arguments than those of any sensible call are not kept. */
const MAX_ARGUMENT_BYTES = 2048;

interface Answer {
  readonly atMs: number;
  readonly reply: Promise<Reply>;
}

/** Identifies a call. */
export interface Sent {
  readonly host: string;
  readonly credential: Uint8Array;
  readonly xid: number;
  readonly program: number;
  readonly procedure: number;
  readonly args: Uint8Array;
}

/** Keeps the latest replies, over all connections. */
export class Duplicates {
  readonly #answers = new Map<string, Answer>();
  readonly #now: () => number;
  readonly #epoch: () => number;

  /** `now` in milliseconds; replies of another `epoch` are void. */
  constructor(options: { now?: () => number; epoch?: () => number } = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#epoch = options.epoch ?? (() => 0);
  }

  /** Returns the earlier reply, or the one that `carryOut` produces now. */
  answer(sent: Sent, carryOut: () => Promise<Reply>): Promise<Reply> {
    if (sent.args.length > MAX_ARGUMENT_BYTES) return carryOut();
    const { host, xid, program, procedure, credential, args } = sent;
    const caller = `${this.#epoch()} ${host} ${credential.toHex()}`;
    const key = `${caller} ${xid} ${program} ${procedure} ${args.toHex()}`;
    const nowMs = this.#now();
    const known = this.#answers.get(key);
    if (known !== undefined && nowMs - known.atMs < KEEP_MS) return known.reply;
    const reply = carryOut();
    this.#answers.delete(key);
    this.#answers.set(key, { atMs: nowMs, reply });
    // An internal error may not occur again, so the call may be retried.
    reply.catch(() => this.#answers.delete(key));
    if (this.#answers.size > MAX_ANSWERS) {
      const [oldest] = this.#answers.keys();
      this.#answers.delete(oldest!);
    }
    return reply;
  }
}
