/**
 * Replies to calls that must not be carried out twice: a client that has lost its connection repeats its unanswered
 * calls (RFC 1813 section 4.5, RFC 5531 section 9). The xid alone does not identify a call, because some clients use
 * one for many calls.
 *
 * @module
 */
import type { MaybePromise } from "../../../core/result.ts";
import type { Reply } from "./codec/rpc.ts";

const MAX_ANSWERS = 256;
const KEEP_MS = 120_000;
/** Longer arguments than those of any sensible call are not kept. */
const MAX_ARGUMENT_BYTES = 2048;

interface Answer {
  readonly sent: Sent;
  readonly epoch: number;
  readonly reply: MaybePromise<Reply>;
  /** When it was carried out; `-Infinity` when it is void. */
  atMs: number;
}

/** Identifies a call. */
export interface Sent {
  readonly host: string;
  /** Must not change afterwards. */
  readonly credential: Uint8Array;
  readonly xid: number;
  readonly program: number;
  readonly procedure: number;
  readonly args: Uint8Array;
}

/** Keeps the latest replies, over all connections. */
export class Duplicates {
  /** A ring buffer. */
  readonly #answers: Answer[] = [];
  /** The xids of the answers: a search here is faster than reading each answer, or building a key of a whole call. */
  readonly #xids = new Uint32Array(MAX_ANSWERS);
  /** Place of the next one. */
  #next = 0;
  readonly #now: () => number;
  readonly #epoch: () => number;

  /** `now` in milliseconds; replies of another `epoch` are void. */
  constructor(options: { now?: () => number; epoch?: () => number } = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#epoch = options.epoch ?? (() => 0);
  }

  /** Returns the earlier reply, or the one that `carryOut` produces now. */
  answer(sent: Sent, carryOut: () => MaybePromise<Reply>): MaybePromise<Reply> {
    if (sent.args.length > MAX_ARGUMENT_BYTES) return carryOut();
    const [atMs, epoch] = [this.#now(), this.#epoch()];
    for (let at = -1; (at = this.#xids.indexOf(sent.xid, at + 1)) >= 0;) {
      const known = this.#answers[at];
      if (known === undefined || known.epoch !== epoch) continue;
      if (atMs - known.atMs < KEEP_MS && isSame(known.sent, sent)) return known.reply;
    }
    const copy = { ...sent, args: sent.args.slice() };
    const answer: Answer = { sent: copy, epoch, atMs, reply: carryOut() };
    this.#answers[this.#next] = answer;
    this.#xids[this.#next] = sent.xid;
    this.#next = (this.#next + 1) % MAX_ANSWERS;
    // An internal error may not occur again, so the call may be retried.
    if (answer.reply instanceof Promise) answer.reply.catch(() => answer.atMs = -Infinity);
    return answer.reply;
  }
}

function isSame(one: Sent, other: Sent): boolean {
  return one.procedure === other.procedure && one.program === other.program &&
    one.host === other.host && areEqual(one.args, other.args) &&
    areEqual(one.credential, other.credential);
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
