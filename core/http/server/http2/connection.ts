/**
 * HTTP/2 (RFC 9113), which the platform speaks: the bytes of a connection are carried to its server on loopback, over a
 * connection of their own, and the requests come back as calls.
 *
 * @module
 */
import { WireError } from "../../../bytes/decoder.ts";
import { closeQuietly } from "../../../net/socket.ts";
import type { HttpCall } from "../../call.ts";
import type { FrontLimits } from "../wire/limits.ts";
import { Pump } from "../wire/pump.ts";
import type { Stage } from "../wire/served.ts";
import type { Wire } from "../wire/wire.ts";
import { Http2Call } from "./call.ts";
import { FramePace } from "./frame_pace.ts";
import type { Caller, InnerServer } from "./inner_server.ts";
import { SchemeFixer } from "./scheme.ts";

/** What a connection needs of its server. */
export interface Http2Context {
  readonly limits: FrontLimits;
  /** Whether it is served in the clear. */
  readonly h2c: boolean;
  inner(): InnerServer;
}

const NOTHING = new Uint8Array();

/** One client connection that speaks HTTP/2. */
export class Http2Connection implements Stage, Caller {
  readonly #wire: Wire;
  readonly #context: Http2Context;
  readonly #pace: FramePace;
  readonly #fixer: SchemeFixer | undefined;
  #pump: Pump | undefined;
  /** Calls that have no complete answer. */
  #outstanding = 0;
  #finishing = false;

  constructor(wire: Wire, context: Http2Context) {
    this.#wire = wire;
    this.#context = context;
    this.#pace = new FramePace(context.limits.headMs);
    this.#fixer = wire.facts.tls ? new SchemeFixer() : undefined;
  }

  async serve(): Promise<"ended"> {
    const { input, facts } = this.#wire;
    if (!facts.tls && !this.#context.h2c) {
      const reason = "Cannot take cleartext HTTP/2: it is switched off on this port; use HTTP/1.1";
      this.#wire.note({ reason, raw: input.held });
      return "ended";
    }
    const server = this.#context.inner();
    const inner = await server.connect(this);
    try {
      if (facts.gone.aborted) return "ended";
      this.#pump = new Pump(this.#wire, {
        limits: this.#context.limits,
        inner,
        inward: (bytes) => this.#inward(bytes),
        onPassed: (ms) => this.#pace.excuse(ms),
      });
      if (this.#finishing) this.#pump.finish();
      await this.#pump.run();
    } finally {
      server.disconnect(inner, this);
      closeQuietly(inner);
    }
    return "ended";
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
    if (verdict === "unread") return this.#giveUp("took no byte of its answer");
    if (verdict !== undefined) return verdict === "close";
    const { limits } = this.#context;
    const quietMs = pump.quietMs(now);
    if (this.#outstanding === 0 && quietMs > limits.http2IdleMs) return true;
    if (this.#outstanding > 0 && quietMs > limits.http2StallMs) {
      return this.#giveUp("neither sent nor took a byte while it was answered");
    }
    const stops = !pump.passingOn && this.#pace.over;
    return stops && this.#giveUp("stopped inside an HTTP/2 frame");
  }

  call(request: Request): HttpCall {
    this.#outstanding++;
    return new Http2Call(request, this.#wire.facts);
  }

  answered(): void {
    this.#outstanding--;
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

  #giveUp(what: string): true {
    const reason = `Cannot go on with a request: the client ${what}`;
    this.#wire.note({ reason, raw: NOTHING });
    return true;
  }
}
