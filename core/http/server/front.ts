import { addressOf } from "../../net/address.ts";
import type { HttpCall } from "../call.ts";
import { FIRST_BUFFER_BYTES, nextBuffer } from "./wire/buffer.ts";
import type { FrontContext, FrontOrigin } from "./front_context.ts";
import { type ConnectionFacts, Http1Call, Http2Call } from "./wire/call.ts";
import { WireError } from "../../bytes/decoder.ts";
import { BodyBeginning } from "./http1/beginning.ts";
import { classify, type FirstBytes } from "./classify.ts";
import { type Expected, ExpectedCalls } from "./http1/expected.ts";
import { RequestTracker, type TrackerRefusal, type UnreadRequest } from "./http1/h1.ts";
import { bodilessHead, type RequestHead } from "./http1/head.ts";
import { LINGER_PATIENCE } from "./wire/limits.ts";
import { plainAnswer, withoutTunnel } from "./http1/refusal.ts";
import { SchemeMender } from "./http2/scheme.ts";
import { SendingPace } from "./http2/sending_pace.ts";
import { closeQuietly, isGone, writeAll } from "../../net/socket.ts";
import type { Served } from "./wire/served.ts";
import type { ByteConn } from "../../net/socket_conn.ts";

const NOTHING = new Uint8Array();
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

/** One client connection: its bytes go to the inner server, and its requests come back as calls. */
export class FrontConnection implements Served {
  readonly #context: FrontContext;
  readonly #client: ByteConn;
  readonly #facts: ConnectionFacts;
  readonly #given: Uint8Array;
  #tracker: RequestTracker;
  #protocol: FirstBytes = "undecided";
  #mender: SchemeMender | undefined;
  #inner: Deno.TcpConn | undefined;
  #outward: Promise<void> | undefined;
  readonly #expected = new ExpectedCalls();
  /** Requests passed on and not completely answered. */
  #outstanding = 0;
  /** A body that broke off in an error; answered here if the inner server does not call for it. */
  #brokenBody: TrackerRefusal | undefined;
  #beginning: BodyBeginning | undefined;
  #discarding = false;
  /** The last answer was given before the end of its request. */
  #isLeft = false;
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
  readonly #pace: SendingPace;
  #writingSince: number | undefined;
  #halfClosed = false;
  #lingerSince: number | undefined;

  constructor(client: ByteConn, context: FrontContext, { outer, given }: FrontOrigin = {}) {
    this.#client = client;
    this.#context = context;
    this.#given = given ?? NOTHING;
    this.#tracker = new RequestTracker(context);
    this.#pace = new SendingPace(context.limits);
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
    this.#expected.end();
    this.#beginning?.stop();
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
    if (expected === undefined) return undefined;
    if ("refusal" in expected) return expected.refusal;
    // Both read the same bytes; should they ever disagree about where a request begins, nothing may be mixed up.
    if (expected.head.method !== request.method) return undefined;
    return new Http1Call(request, expected.head, this.#facts, expected);
  }

  /**
   * Whether the body of a call that has its answer now is still on its way over HTTP/1: nobody wants the rest, and the
   * connection ends behind the answer.
   */
  leave(call: HttpCall): boolean {
    const isLeft = this.#protocol !== "http2" && this.#tracker.phase === "body" &&
      this.#tracker.last?.headers === call.rawHeaders;
    this.#isLeft ||= isLeft;
    return isLeft;
  }

  /** The answer to a call has been sent, or could not be. */
  answered(): void {
    this.#outstanding--;
    this.#lastOut = performance.now();
    if (!this.#isLeft || this.#discarding) return;
    // The inner server would go on to read, however much comes.
    this.#discarding = true;
    this.#endInner().catch((error) => this.#fail(error));
  }

  /** Enforces the limits; called every now and then. */
  sweep(now: number): void {
    const { limits } = this.#context;
    const over = (since: number | undefined, ms: number) => since !== undefined && now - since > ms;
    if (this.#lingerSince !== undefined) {
      const isSilent = over(Math.max(this.#lingerSince, this.#lastIn), limits.lingerMs);
      if (isSilent || over(this.#lingerSince, LINGER_PATIENCE * limits.lingerMs)) {
        return this.abort();
      }
    }
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
    } else if (!this.#passingOn && this.#pace.over) this.#giveUp("stopped inside an HTTP/2 frame");
  }

  #sweepHttp1(over: (since: number | undefined, ms: number) => boolean): void {
    const { limits } = this.#context;
    if (this.#tracker.phase === "body") {
      if (this.#passingOn) return;
      if (over(this.#lastIn, limits.bodyMs)) this.#giveUp("sent no more of its request body");
      else if (this.#pace.over) this.#giveUp("sent its request body too slowly");
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
    if (this.#discarding) return;
    if (this.#beginning !== undefined) return this.#beginning.push(bytes);
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
    const { forward, heads, unread, refusal } = this.#tracker.push(bytes);
    for (const head of heads) this.#expect({ head });
    if (this.#tracker.phase !== "head") this.#headSince = undefined;
    else if (heads.length > 0 || this.#headSince === undefined) this.#headSince = this.#lastIn;
    this.#pace.tookBody({
      inside: this.#tracker.phase === "body",
      begins: heads.length > 0,
      bytes: bytes.length,
    });
    if (forward.length > 0) await this.#passOn(forward);
    if (unread !== undefined) this.#gatherBeginning(unread);
    else if (refusal !== undefined) await this.#refuse(refusal);
    else if (this.#expected.full) await this.#turn();
  }

  /** Waits until few pipelined requests are left, so that a client cannot pile them up. */
  async #turn(): Promise<void> {
    this.#passingOn = true;
    await this.#expected.turn();
    this.#passingOn = false;
  }

  async #takeHttp2(bytes: Uint8Array): Promise<void> {
    this.#headSince = undefined;
    this.#pace.tookFrames(bytes);
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

  /** A request whose body is too long to be read is answered without it, and is the last of its connection. */
  #gatherBeginning(unread: UnreadRequest): void {
    const { head } = unread;
    this.#beginning = new BodyBeginning(unread, (beginning) => {
      this.#beginning = undefined;
      this.#discarding = true;
      this.#expect({ head, unread: beginning });
      this.#passOn(bodilessHead(head)).catch((error) => this.#fail(error));
    });
    this.#beginning.push(unread.ahead);
  }

  #expect(expected: Expected): void {
    this.#expected.push(expected);
    this.#outstanding++;
  }

  async #passOn(bytes: Uint8Array): Promise<void> {
    this.#passingOn = true;
    const sinceMs = performance.now();
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
      this.#pace.excuse(performance.now() - sinceMs);
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
    const { phase, last: head } = this.#tracker;
    if (phase === "body" || this.#beginning !== undefined) {
      this.#note("Cannot read a request: the client ended it inside its body", {
        raw: new Uint8Array(),
        ...(head && { head }),
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
    if (!this.#closed) {
      const level = isGone(error) ? "debug" : "error";
      this.#context.log[level]("Cannot go on with a connection", { peer: this.peer, error });
    }
    this.abort();
  }
}
