/**
 * The two sides of a transfer as machines without clock or socket: they take packets and ticks, and return what to
 * send. Block numbers are unlimited here and wrap only on the wire, from 65 535 to 0.
 *
 * @module
 */
import { type Packet, TFTP_ERROR } from "./codec/packet.ts";
import { errorPacket } from "./errors.ts";
import type { Terms } from "./options.ts";

/** State of a transfer. */
export type Outcome =
  | "running"
  /** Every byte has arrived and been acknowledged. */
  | "complete"
  /** The peer sent ERROR, or stopped answering. */
  | "failed";

/** A machine: call it with packets and clock ticks, send the result, and tick again at `wakeAtMs`. */
export interface Machine {
  on(input: Packet | "start" | "tick", nowMs: number): readonly Packet[];
  /** Ends a transfer that is still running. */
  stop(reason: string): readonly Packet[];
  readonly wakeAtMs: number;
  readonly terms: Terms;
  readonly outcome: Outcome;
  /** Why it failed. */
  readonly reason: string;
}

/** Limits of both machines. */
export interface MachineOptions {
  readonly terms: Terms;
  /** Retransmissions before the transfer fails. */
  readonly retries: number;
  /**
   * Longest time until a retransmission while the client has not answered yet, in milliseconds. A client that requests
   * minutes and leaves would otherwise hold its transfer for that long, times the number of retransmissions.
   */
  readonly openingMs: number;
}

abstract class Base implements Machine {
  wakeAtMs = 0;
  outcome: Outcome = "running";
  reason = "";
  readonly terms: Terms;
  readonly #retries: number;
  #tries = 0;
  #timeoutMs: number;

  constructor({ terms, retries, openingMs }: MachineOptions) {
    this.terms = terms;
    this.#retries = retries;
    this.#timeoutMs = Math.min(terms.timeoutMs, openingMs);
  }

  on(input: Packet | "start" | "tick", nowMs: number): readonly Packet[] {
    if (this.outcome === "failed") return [];
    if (input === "start") return this.progress(this.begin(), nowMs);
    if (input === "tick") return nowMs < this.wakeAtMs ? [] : this.#late(nowMs);
    this.#timeoutMs = this.terms.timeoutMs;
    if (input.type === "ERROR") {
      if (this.outcome === "running") {
        this.fail(`The client sent error ${input.code}: ${input.message}`);
      }
      return [];
    }
    return this.take(input, nowMs);
  }

  stop(reason: string): readonly Packet[] {
    if (this.outcome !== "running") return [];
    this.fail(reason);
    return [errorPacket(TFTP_ERROR.undefined, reason)];
  }

  abstract begin(): readonly Packet[];
  abstract take(packet: Packet, nowMs: number): readonly Packet[];
  abstract again(): readonly Packet[];

  /** Progress: the peer is alive, and its timeout starts over. */
  progress(send: readonly Packet[], nowMs: number): readonly Packet[] {
    this.#tries = 0;
    this.wakeAtMs = nowMs + this.#timeoutMs;
    return send;
  }

  fail(reason: string): void {
    this.outcome = "failed";
    this.reason = reason;
  }

  #late(nowMs: number): readonly Packet[] {
    if (this.outcome === "complete") return [];
    if (this.#tries >= this.#retries) {
      this.fail(
        `The client stopped answering: ${this.#retries} packets were resent without success`,
      );
      return [];
    }
    this.#tries++;
    this.wakeAtMs = nowMs + this.#timeoutMs;
    return this.again();
  }
}

/** Sends a file. `read` returns the bytes of one block, counted from 1. */
export class Sender extends Base {
  readonly #read: (block: number) => Uint8Array;
  readonly #blocks: number;
  /** Last acknowledged block. */
  #acknowledged = 0;
  /** Last sent block of the window. */
  #sent = 0;
  /** OACK awaits ACK 0. */
  #opening: boolean;

  constructor(
    options: MachineOptions & { size: number; read: (block: number) => Uint8Array },
  ) {
    super(options);
    this.#read = options.read;
    this.#blocks = Math.floor(options.size / this.terms.blockBytes) + 1;
    this.#opening = this.terms.granted.size > 0;
  }

  begin(): readonly Packet[] {
    return this.again();
  }

  take(packet: Packet, nowMs: number): readonly Packet[] {
    if (packet.type !== "ACK" || this.outcome === "complete") return [];
    if (this.#opening) {
      if (packet.block !== 0) return [];
      this.#opening = false;
      return this.progress(this.#window(), nowMs);
    }
    const step = (packet.block - this.#acknowledged) & 0xffff;
    // A repeated ACK sends nothing: only a timeout does (RFC 1123 section 4.2.3.1).
    if (step === 0 || step > this.#sent - this.#acknowledged) return [];
    this.#acknowledged += step;
    if (this.#acknowledged === this.#blocks) {
      this.outcome = "complete";
      return [];
    }
    return this.progress(this.#window(), nowMs);
  }

  again(): readonly Packet[] {
    return this.#opening ? [{ type: "OACK", options: this.terms.granted }] : this.#window();
  }

  #window(): readonly Packet[] {
    const packets: Packet[] = [];
    const last = Math.min(this.#blocks, this.#acknowledged + this.terms.windowBlocks);
    for (let block = this.#acknowledged + 1; block <= last; block++) {
      packets.push({ type: "DATA", block: block & 0xffff, bytes: this.#read(block) });
    }
    this.#sent = last;
    return packets;
  }
}

/** Receives a file. `write` gets the bytes of each block once, in order; its errors end the transfer. */
export class Receiver extends Base {
  readonly #write: (bytes: Uint8Array) => void;
  /** Blocks received so far. */
  #taken = 0;
  /** Block of the last ACK. */
  #acknowledged = 0;
  #opening: boolean;
  /** A gap is reported once, until the next block in order. */
  #gapTold = false;

  constructor(options: MachineOptions & { write: (bytes: Uint8Array) => void }) {
    super(options);
    this.#write = options.write;
    this.#opening = this.terms.granted.size > 0;
  }

  begin(): readonly Packet[] {
    return this.again();
  }

  take(packet: Packet, nowMs: number): readonly Packet[] {
    if (packet.type !== "DATA") return [];
    const step = (packet.block - this.#taken) & 0xffff;
    if (step !== 1) return this.#outOfOrder(step);
    if (this.outcome === "complete" || packet.bytes.length > this.terms.blockBytes) return [];
    this.#write(packet.bytes);
    this.#taken++;
    this.#opening = false;
    this.#gapTold = false;
    const last = packet.bytes.length < this.terms.blockBytes;
    if (last) this.outcome = "complete";
    const full = this.#taken - this.#acknowledged >= this.terms.windowBlocks;
    return this.progress(last || full ? [this.#acknowledge()] : [], nowMs);
  }

  again(): readonly Packet[] {
    return this.#opening ? [{ type: "OACK", options: this.terms.granted }] : [this.#acknowledge()];
  }

  /** Acknowledges a repeated block again, and reports the gap before an early one (RFC 7440 section 4). */
  #outOfOrder(step: number): readonly Packet[] {
    if (this.#opening) return [];
    const repeated = step === 0 || step > 0x8000;
    if (repeated) return [this.#acknowledge()];
    if (this.#gapTold || this.terms.windowBlocks === 1) return [];
    this.#gapTold = true;
    return [this.#acknowledge()];
  }

  #acknowledge(): Packet {
    this.#acknowledged = this.#taken;
    return { type: "ACK", block: this.#taken & 0xffff };
  }
}
