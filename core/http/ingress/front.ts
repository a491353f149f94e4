import type { ClientCertificate } from "../../events/event.ts";
import type { NewRejected } from "../../events/journal.ts";
import type { Logger } from "../../log.ts";
import { addressOf } from "../../net/address.ts";
import { BODY_PATIENCE, Pace } from "../../net/pace.ts";
import type { HttpCall } from "../call.ts";
import { FIRST_BUFFER_BYTES, nextBuffer } from "./buffer.ts";
import { type ConnectionFacts, Http1Call, Http2Call } from "./call.ts";
import { WireError } from "../../bytes/decoder.ts";
import { classify, type FirstBytes } from "./classify.ts";
import { FrameGauge } from "./frames.ts";
import { RequestTracker, type TrackerRefusal } from "./h1.ts";
import type { RequestHead } from "./head.ts";
import type { FrontLimits } from "./limits.ts";
import { plainAnswer, withoutTunnel } from "./refusal.ts";
import { SchemeMender } from "./scheme.ts";
import { closeQuietly, isGone, writeAll } from "../../net/socket.ts";
import type { Served } from "./served.ts";
import type { ByteConn } from "../../net/socket_conn.ts";

/** What a connection needs of its server. */
export interface FrontContext {
  readonly limits: FrontLimits;
  readonly h2c: boolean;
  readonly maxHeadBytes: number;
  readonly log: Logger;
  onRefused(record: NewRejected): void;
  /** Opens a connection to the inner server, whose calls then come to `front`. */
  readonly connect: (front: FrontConnection) => Promise<Deno.TcpConn>;
  /** Opens a way to the TLS server, behind which `front`'s bytes come back as a connection of their own. */
  readonly connectTls?: (front: FrontConnection) => Promise<Deno.TcpConn>;
  /** Whether a tunnel to this `host:port` is answered here; nothing is ever dialled. */
  isTunnel(target: string): boolean;
  /** The connection is about to close: its calls end. */
  disconnect(inner: Deno.TcpConn): void;
}

const NOTHING = new Uint8Array();
/** Pipelined requests that may wait for their turn before no more are read. */
const MAX_AHEAD = 256;
/** Bytes taken from a client that has been refused, so that it gets to read why. */
const DISCARD_BYTES = 64 * 1024 * 1024;
/** Bytes kept of what spoke no HTTP. */
const RAW_BYTES = 65_536;
/** A TLS record with the fatal alert "handshake failure" (RFC 8446 section 6.2). */
const TLS_ALERT = Uint8Array.of(0x15, 3, 1, 0, 2, 2, 40);
/** Makes the inner server answer in order, and then close, in place of a request that is not passed on. */
const STAND_IN = new TextEncoder().encode(
  "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
);

/** RFC 9110 section 9.3.6. */
const ESTABLISHED = new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n");

/** What the inner server is to call for next: a request, or one that was refused and needs its answer in turn. */
type Expected = { readonly head: RequestHead } | { readonly refusal: TrackerRefusal };

/** Where a connection comes from. */
export interface FrontOrigin {
  /** Carries it inside TLS. */
  readonly outer?: TlsOuter;
  /** Has been read of it already: the beginning of a request. */
  readonly given?: Uint8Array;
}

/** The connection that carries another inside TLS. */
export interface TlsOuter {
  readonly front: FrontConnection;
  readonly certificate: ClientCertificate | undefined;
}

/** One client connection: its bytes go to the inner server, and its requests come back as calls. */
export class FrontConnection implements Served {
  readonly #context: FrontContext;
  readonly #client: ByteConn;
  readonly #facts: ConnectionFacts;
  readonly #given: Uint8Array;
  #tracker: RequestTracker;
  #protocol: FirstBytes = "undecided";
  #mender: SchemeMender | undefined;
  #frames: FrameGauge | undefined;
  #inner: Deno.TcpConn | undefined;
  #outward: Promise<void> | undefined;
  /** Heads passed on that the inner server has not called for yet, in order. */
  readonly #expected: Expected[] = [];
  #turns: PromiseWithResolvers<void> | undefined;
  /** Requests passed on and not completely answered. */
  #outstanding = 0;
  /** A body that broke off in an error; answered here if the inner server does not call for it. */
  #brokenBody: TrackerRefusal | undefined;
  #discarding = false;
  #discarded = 0;
  #finishing = false;
  #closed = false;
  readonly #gone = new AbortController();
  /** There is TLS, and both sides agree on it. */
  #agreed = false;

  // Moments as `performance.now()` has them; `undefined` while it is not so.
  #headSince: number | undefined = performance.now();
  #lastIn = performance.now();
  #lastOut = performance.now();
  #passingOn = false;
  /** Of a body that has not come whole with its head; over HTTP/2 of a frame that has not come whole. */
  #pace: Pace | undefined;
  #writingSince: number | undefined;
  #halfClosed = false;
  #lingerSince: number | undefined;

  constructor(client: ByteConn, context: FrontContext, { outer, given }: FrontOrigin = {}) {
    this.#client = client;
    this.#context = context;
    this.#given = given ?? NOTHING;
    this.#tracker = new RequestTracker(context);
    this.#facts = {
      peer: outer?.front.peer ?? addressOf(client.remoteAddr),
      local: outer?.front.local ?? addressOf(client.localAddr),
      tls: outer !== undefined,
      clientCertificate: outer?.certificate,
      gone: this.#gone.signal,
    };
  }

  get peer(): string {
    return this.#facts.peer;
  }

  get local(): string {
    return this.#facts.local;
  }

  /** Serves the connection to its end. Never rejects. */
  async run(): Promise<void> {
    try {
      await this.#inward();
      await this.#outward;
    } catch (error) {
      this.#fail(error);
    }
    this.abort();
    await this.#outward;
  }

  /** Closes both sides now. */
  abort(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#gone.abort();
    this.#turns?.resolve();
    if (this.#inner !== undefined) {
      this.#context.disconnect(this.#inner);
      closeQuietly(this.#inner);
    }
    closeQuietly(this.#client);
  }

  /** Both sides agree on TLS. */
  agree(): void {
    this.#agreed = true;
    this.#halfClosed = false;
  }

  /** Inside TLS nothing more is to come: what is on its way still goes out. */
  drain(): void {
    this.#halfClosed = true;
  }

  /**
   * The inner server stops: it closes each of its connections after the answer it owes, and this one ends with that.
   * One without a request closes now.
   */
  finish(): void {
    this.#finishing = true;
    if (this.#inner === undefined && !this.#passingOn) this.abort();
  }

  /** What the inner server's next request on this connection is; `undefined` when none was passed on. */
  take(request: Request): HttpCall | TrackerRefusal | undefined {
    if (this.#protocol === "http2") {
      this.#outstanding++;
      return new Http2Call(request, this.#facts);
    }
    const expected = this.#expected.shift();
    if (this.#expected.length <= MAX_AHEAD) this.#turns?.resolve();
    if (expected === undefined) return undefined;
    if ("refusal" in expected) return expected.refusal;
    // Both read the same bytes; should they ever disagree about where a request begins, nothing may be mixed up.
    if (expected.head.method !== request.method) return undefined;
    return new Http1Call(request, expected.head, this.#facts);
  }

  /** The answer to a call has been sent, or could not be. */
  answered(): void {
    this.#outstanding--;
    this.#lastOut = performance.now();
  }

  /** Enforces the limits; called every now and then. */
  sweep(now: number): void {
    const { limits } = this.#context;
    const over = (since: number | undefined, ms: number) => since !== undefined && now - since > ms;
    if (over(this.#lingerSince, limits.lingerMs)) return this.abort();
    if (over(this.#writingSince, limits.writeMs)) return this.#giveUp("took no byte of its answer");
    if (this.#discarding) return;
    if (this.#halfClosed) {
      const quiet = Math.max(this.#lastIn, this.#lastOut);
      if (this.#writingSince === undefined && over(quiet, limits.halfClosedMs)) this.abort();
      return;
    }
    if (this.#protocol === "http2" || this.#protocol === "tls") this.#sweepOther(over);
    else this.#sweepHttp1(over);
  }

  #sweepOther(over: (since: number | undefined, ms: number) => boolean): void {
    const { limits } = this.#context;
    const quiet = Math.max(this.#lastIn, this.#lastOut);
    if (this.#outstanding === 0 && over(quiet, limits.http2IdleMs)) this.abort();
    else if (this.#outstanding > 0 && over(quiet, limits.http2StallMs)) {
      this.#giveUp("neither sent nor took a byte while it was answered");
    } else if (!this.#passingOn && this.#pace?.over) this.#giveUp("stopped inside an HTTP/2 frame");
  }

  #sweepHttp1(over: (since: number | undefined, ms: number) => boolean): void {
    const { limits } = this.#context;
    if (this.#tracker.phase === "body") {
      if (this.#passingOn) return;
      if (over(this.#lastIn, limits.bodyMs)) this.#giveUp("sent no more of its request body");
      else if (this.#pace?.over) this.#giveUp("sent its request body too slowly");
    } else if (this.#headSince !== undefined) {
      if (over(this.#headSince, limits.headMs)) this.#headTooLate();
    } else if (this.#outstanding === 0) {
      // Empty lines in front of a request, which may come one by one, are no sign of life.
      if (over(this.#lastOut, limits.keepAliveMs)) this.abort();
    }
  }

  /** A connection opened in reserve, as browsers do, has nothing to tell and is closed without a word. */
  #headTooLate(): void {
    const raw = this.#tracker.held;
    if (raw.length === 0) return this.abort();
    const reason = `Cannot wait longer for the rest of a request head: ` +
      `${this.#context.limits.headMs} ms allowed`;
    this.#refuse({ status: 408, reason, part: "head", raw }).catch((error) => this.#fail(error));
  }

  #giveUp(what: string): void {
    this.#note(`Cannot go on with a request: the client ${what}`, { raw: this.#tracker.held });
    this.abort();
  }

  /** Client to inner server. */
  async #inward(): Promise<void> {
    let buffer: Uint8Array = new Uint8Array(FIRST_BUFFER_BYTES);
    let used = 0;
    buffer.set(this.#given);
    for (let given = this.#given.length;; given = 0) {
      const count = given > 0 ? given : await this.#client.read(buffer.subarray(used));
      if (count === null) return await this.#clientEnded(buffer.subarray(0, used));
      this.#lastIn = performance.now();
      used += count;
      if (this.#protocol === "undecided") {
        this.#protocol = classify(buffer.subarray(0, used));
        if (this.#protocol === "undecided") continue;
      }
      await this.#takeBytes(buffer.subarray(0, used));
      buffer = nextBuffer(buffer, used);
      used = 0;
    }
  }

  #takeBytes(bytes: Uint8Array): Promise<void> | void {
    if (this.#discarding) {
      this.#discarded += bytes.length;
      if (this.#discarded > DISCARD_BYTES) this.abort();
      return;
    }
    switch (this.#protocol) {
      case "tls":
        return this.#takeTls(bytes);
      case "http2":
        return this.#takeHttp2(bytes);
      default:
        return this.#takeHttp1(bytes);
    }
  }

  async #takeHttp1(bytes: Uint8Array): Promise<void> {
    const { forward, heads, refusal } = this.#tracker.push(bytes);
    for (const head of heads) this.#expect({ head });
    if (this.#tracker.phase !== "head") this.#headSince = undefined;
    else if (heads.length > 0 || this.#headSince === undefined) this.#headSince = this.#lastIn;
    this.#paceBody({ begins: heads.length > 0, bytes: bytes.length });
    if (forward.length > 0) await this.#passOn(forward);
    if (refusal !== undefined) await this.#refuse(refusal);
    else if (this.#expected.length > MAX_AHEAD) await this.#turn();
  }

  #paceBody({ begins, bytes }: { begins: boolean; bytes: number }): void {
    if (this.#tracker.phase !== "body") this.#pace = undefined;
    else if (this.#pace === undefined || begins) {
      const { bodyMs: idleMs } = this.#context.limits;
      this.#pace = new Pace({ idleMs, graceMs: BODY_PATIENCE * idleMs, what: "a body" });
      this.#pace.begin();
    } else this.#pace.took(bytes);
  }

  #paceFrames(bytes: Uint8Array): void {
    this.#frames ??= new FrameGauge();
    const ended = this.#frames.push(bytes);
    if (!this.#frames.inside) this.#pace = undefined;
    else if (this.#pace === undefined || ended) {
      this.#pace = new Pace({ idleMs: this.#context.limits.headMs, what: "a frame" });
      this.#pace.begin();
    } else this.#pace.took(bytes.length);
  }

  /** Waits until few pipelined requests are left, so that a client cannot pile them up. */
  async #turn(): Promise<void> {
    this.#passingOn = true;
    this.#turns = Promise.withResolvers();
    if (!this.#closed) await this.#turns.promise;
    this.#turns = undefined;
    this.#passingOn = false;
  }

  async #takeHttp2(bytes: Uint8Array): Promise<void> {
    this.#headSince = undefined;
    this.#paceFrames(bytes);
    if (this.#facts.tls) return await this.#takeSecureHttp2(bytes);
    if (this.#context.h2c) return await this.#passOn(bytes);
    this.#note("Cannot take cleartext HTTP/2: it is switched off on this port; use HTTP/1.1", {
      raw: bytes,
    });
    this.abort();
  }

  async #takeSecureHttp2(bytes: Uint8Array): Promise<void> {
    this.#mender ??= new SchemeMender();
    try {
      const mended = this.#mender.push(bytes);
      if (mended.length > 0) await this.#passOn(mended);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#note(error.message, { raw: bytes });
      this.abort();
    }
  }

  async #takeTls(bytes: Uint8Array): Promise<void> {
    this.#headSince = undefined;
    // TLS inside TLS is nobody's intent; the platform would take it for garbage.
    if (this.#context.connectTls !== undefined && !this.#facts.tls) {
      return await this.#passOn(bytes);
    }
    this.#note("Cannot take TLS: it is not on for this port; use an http:// address", {
      raw: bytes,
    });
    await this.#goodbye(TLS_ALERT);
  }

  /** A tunnel is answered here: its bytes are told apart like those of a new connection. False if it is not. */
  async #openTunnel({ head }: TrackerRefusal): Promise<boolean> {
    if (head?.method !== "CONNECT" || this.#inner !== undefined || this.#outstanding > 0) {
      return false;
    }
    if (!this.#context.isTunnel(head.target)) return false;
    await writeAll(this.#client, ESTABLISHED);
    this.#tracker = new RequestTracker(this.#context);
    this.#protocol = "undecided";
    this.#headSince = performance.now();
    return true;
  }

  /** Answers a request that is not passed on, after the answers to those before it. */
  async #refuse(given: TrackerRefusal): Promise<void> {
    if (this.#discarding || await this.#openTunnel(given)) return;
    const refusal = this.#context.connectTls === undefined ? given : withoutTunnel(given);
    this.#note(refusal.reason, refusal);
    if (refusal.part === "head") {
      this.#expect({ refusal });
      await this.#passOn(STAND_IN);
    } else {
      this.#brokenBody = refusal;
      await this.#endInner();
    }
    this.#discarding = true;
  }

  #expect(expected: Expected): void {
    this.#expected.push(expected);
    this.#outstanding++;
  }

  async #passOn(bytes: Uint8Array): Promise<void> {
    this.#passingOn = true;
    const sinceMs = this.#pace === undefined ? 0 : performance.now();
    try {
      if (this.#inner === undefined) await this.#connect();
      await writeAll(this.#inner!, bytes);
    } catch (error) {
      if (this.#outward === undefined || !isGone(error)) throw error;
      // The inner server has answered early and closed; its answer is still on the way out.
      this.#discarding = true;
    } finally {
      this.#passingOn = false;
      // Whoever reads it may be slow, too.
      this.#pace?.excuse(performance.now() - sinceMs);
    }
  }

  async #connect(): Promise<void> {
    const { connect, connectTls } = this.#context;
    const inner = await (this.#protocol === "tls" ? connectTls! : connect)(this);
    if (this.#closed) {
      this.#context.disconnect(inner);
      closeQuietly(inner);
      throw new Deno.errors.Interrupted("The connection was closed");
    }
    this.#inner = inner;
    this.#outward = this.#pumpOutward(inner);
  }

  /** Inner server to client. Never rejects. */
  async #pumpOutward(inner: Deno.TcpConn): Promise<void> {
    let buffer: Uint8Array = new Uint8Array(FIRST_BUFFER_BYTES);
    const progress = () => {
      this.#lastOut = this.#writingSince = performance.now();
    };
    try {
      for (;;) {
        const count = await inner.read(buffer);
        if (count === null) break;
        progress();
        await writeAll(this.#client, buffer.subarray(0, count), progress);
        this.#writingSince = undefined;
        buffer = nextBuffer(buffer, count);
      }
      const broken = this.#expected.length > 0 ? this.#brokenBody : undefined;
      await this.#goodbye(broken === undefined ? undefined : plainAnswer(broken));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Our last bytes, then our end; what still comes is thrown away until the client closes too. */
  async #goodbye(bytes?: Uint8Array): Promise<void> {
    const listened = !this.#discarding && this.#tracker.phase === "between";
    this.#discarding = true;
    this.#lingerSince = performance.now();
    if (bytes !== undefined) await writeAll(this.#client, bytes);
    await this.#client.closeWrite();
    if (this.#finishing && listened) this.abort();
  }

  async #clientEnded(undecided: Uint8Array): Promise<void> {
    if (this.#discarding) return;
    const { phase } = this.#tracker;
    if (phase === "body") {
      this.#note("Cannot read a request: the client ended it inside its body", {
        raw: new Uint8Array(),
      });
    } else if (phase === "head" || undecided.length > 0) {
      const raw = undecided.length > 0 ? undecided : this.#tracker.held;
      this.#note("Cannot read a request: the client ended it inside its head", { raw });
    }
    // What only closed its sending half still waits for the answer to a request it has sent whole.
    if (this.#outstanding > 0 && phase !== "body" && this.#protocol === "http1") {
      this.#halfClosed = true;
    } else await this.#endInner();
    // A handshake cannot come to its end any more, and the TLS server does not always notice.
    if (this.#protocol === "tls" && !this.#agreed) this.drain();
  }

  async #endInner(): Promise<void> {
    try {
      await this.#inner?.closeWrite();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  #note(reason: string, about: { raw: Uint8Array; head?: RequestHead; status?: number }): void {
    const head = about.head ?? (this.#tracker.phase === "body" ? this.#tracker.last : undefined);
    this.#context.onRefused({
      peer: this.#facts.peer,
      reason,
      raw: about.raw.slice(0, RAW_BYTES),
      ...(about.status === undefined ? {} : { status: about.status }),
      ...(head && { method: head.method, path: head.target, headers: head.headers }),
    });
  }

  #fail(error: unknown): void {
    if (!this.#closed && !isGone(error)) {
      this.#context.log.error("Cannot go on with a connection", { peer: this.peer, error });
    }
    this.abort();
  }
}
