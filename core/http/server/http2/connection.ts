/**
 * HTTP/2 (RFC 9113), which the platform speaks: the bytes of a connection are carried to its server on loopback, over a
 * connection of their own, and the requests come back as calls.
 *
 * @module
 */
import { WireError } from "../../../bytes/decoder.ts";
import { MemoryFullError } from "../../../errors.ts";
import type { Memory } from "../../../memory/budget.ts";
import type { MemoryLease } from "../../../memory/lease.ts";
import { settle } from "../../../net/within.ts";
import { closeQuietly, writeAll } from "../../../net/socket.ts";
import type { HttpCall } from "../../call.ts";
import type { FrontLimits } from "../wire/limits.ts";
import { Pump } from "../wire/pump.ts";
import type { Stage, Wire } from "../wire/wire.ts";
import { Http2Call } from "../wire/call.ts";
import { FramePace } from "./frame_pace.ts";
import type { Caller, InnerServer } from "./inner_server.ts";
import { SchemeFixer } from "./scheme.ts";
import { StreamLedger } from "./stream_ledger.ts";

/** Environment of a connection. */
export interface Http2Context {
  readonly limits: FrontLimits;
  /** Whether cleartext HTTP/2 is served. */
  readonly h2c: boolean;
  /** Budget of connections; by default they are not counted. */
  readonly memory: Memory | undefined;
  inner(): InnerServer;
}

const NOTHING = new Uint8Array();
/** Bytes of a connection without requests, on both sides of the inner server. */
const CONNECTION_BYTES = 131_072;
/**
 * The initial SETTINGS, and GOAWAY with ENHANCE_YOUR_CALM: no stream was served (RFC 9113 sections
 * 6.5, 6.8).
 */
const CALM = Uint8Array.fromHex("000000040000000000" + "000008070000000000" + "000000000000000b");

/** One client connection that speaks HTTP/2. */
export class Http2Connection implements Stage, Caller {
  readonly #wire: Wire;
  readonly #context: Http2Context;
  readonly #pace: FramePace;
  readonly #fixer: SchemeFixer | undefined;
  readonly #ledger = new StreamLedger();
  #pump: Pump | undefined;
  #lease: MemoryLease | undefined;
  #finishing = false;

  constructor(wire: Wire, context: Http2Context) {
    this.#wire = wire;
    this.#context = context;
    this.#pace = new FramePace(context.limits.headMs, (frame) => this.#ledger.took(frame));
    this.#fixer = wire.facts.tls ? new SchemeFixer() : undefined;
  }

  async serve(): Promise<"ended"> {
    const { input, facts } = this.#wire;
    if (!facts.tls && !this.#context.h2c) {
      const reason =
        "Cannot accept cleartext HTTP/2: it is switched off on this port; use HTTP/1.1";
      this.#wire.note({ reason, raw: input.held });
      return "ended";
    }
    using lease = this.#context.memory?.lease({ gone: facts.gone });
    this.#lease = lease;
    try {
      await lease?.cover(CONNECTION_BYTES);
    } catch (error) {
      await this.#refuse(error);
      return "ended";
    }
    try {
      await this.#carry();
    } finally {
      // Calls may outlast it.
      this.#lease = undefined;
    }
    return "ended";
  }

  async #carry(): Promise<void> {
    const { facts } = this.#wire;
    const server = this.#context.inner();
    const inner = await server.connect(this);
    try {
      if (facts.gone.aborted) return;
      this.#pump = new Pump(this.#wire, {
        limits: this.#context.limits,
        inner,
        inward: (bytes) => this.#inward(bytes),
        room: () => this.#room(),
        outward: (bytes) => this.#outward(bytes),
        spent: (bytes) => this.#context.memory?.spend(bytes),
        onPassed: (ms) => this.#pace.excuse(ms),
      });
      if (this.#finishing) this.#pump.finish();
      await this.#pump.run();
    } finally {
      server.disconnect(inner, this);
      closeQuietly(inner);
    }
  }

  finish(): boolean {
    this.#finishing = true;
    this.#pump?.finish();
    return this.#pump === undefined;
  }

  sweep(now: number): boolean {
    const pump = this.#pump;
    if (pump === undefined) return false;
    const verdict = pump.sweep(now);
    if (verdict === "unread") return this.#giveUp("read nothing of its response");
    if (verdict !== undefined) return verdict === "close";
    const { limits } = this.#context;
    const quietMs = pump.quietMs(now);
    const { calls } = this.#ledger;
    if (calls === 0 && quietMs > limits.http2IdleMs) return true;
    if (calls > 0 && quietMs > limits.http2StallMs) {
      return this.#giveUp("neither sent nor read a byte while it was answered");
    }
    const stops = !pump.passingOn && this.#pace.over;
    return stops && this.#giveUp("stopped inside an HTTP/2 frame");
  }

  /** RST_STREAM for each open stream before a reset, then GOAWAY; nothing inside another frame. */
  farewell(kind: "close" | "reset"): Uint8Array | undefined {
    if (this.#pump?.writing !== false) return undefined;
    return this.#ledger.farewell(kind);
  }

  call(request: Request): HttpCall {
    this.#ledger.begin();
    return new Http2Call(request, this.#wire.facts);
  }

  answered(): void {
    this.#ledger.end();
    this.#release();
    this.#pump?.touch();
  }

  #inward(bytes: Uint8Array): Uint8Array {
    this.#pace.took(bytes);
    if (this.#fixer === undefined) return bytes;
    try {
      return this.#fixer.push(bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#wire.note({ reason: error.message, raw: bytes });
      this.#wire.cut();
      return NOTHING;
    }
  }

  #room(): Promise<void> | undefined {
    return this.#lease?.cover(CONNECTION_BYTES + this.#ledger.bytes)?.catch((error) => {
      if (!this.#wire.facts.gone.aborted) this.#noteFull(error);
      this.#wire.cut();
    });
  }

  #outward(bytes: Uint8Array): void {
    this.#ledger.answered(bytes);
    this.#release();
  }

  #release(): void {
    const lease = this.#lease;
    const spare = lease === undefined ? 0 : lease.bytes - CONNECTION_BYTES - this.#ledger.bytes;
    if (spare > 0) lease?.give(spare);
  }

  async #refuse(error: unknown): Promise<void> {
    this.#noteFull(error);
    await writeAll(this.#wire.conn, CALM);
    await this.#wire.conn.closeWrite();
    await settle(this.#drop(), this.#context.limits.lingerMs);
  }

  /** Reads and drops what still arrives: closing the connection before would destroy GOAWAY. */
  async #drop(): Promise<void> {
    const { input } = this.#wire;
    do input.skip(input.length); while (await input.fill());
  }

  /** Throws every other error. */
  #noteFull(error: unknown): void {
    if (!(error instanceof MemoryFullError)) throw error;
    this.#wire.note({ reason: error.message, raw: NOTHING });
  }

  #giveUp(what: string): true {
    const reason = `Cannot continue a request: the client ${what}`;
    this.#wire.note({ reason, raw: NOTHING });
    return true;
  }
}
