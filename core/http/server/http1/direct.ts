/**
 * Requests that are answered on the client's own connection, without the inner server: every byte of a body then
 * passes the process once. Only the plain ones, which is nearly all of them: a head of HTTP/1.1 that comes in one
 * piece, and a body of known length. With the first other one, the connection is passed on for good.
 *
 * @module
 */
import type { NewRejected } from "../../../events/journal.ts";
import type { Logger } from "../../../log.ts";
import { addressOf } from "../../../net/address.ts";
import { BODY_PATIENCE, Pace } from "../../../net/pace.ts";
import { closeQuietly, isGone, writeAll } from "../../../net/socket.ts";
import type { HttpCall } from "../../call.ts";
import { AnswerBrokenError, dropAnswer, writeAnswer } from "./answer.ts";
import { FIRST_BUFFER_BYTES } from "../wire/buffer.ts";
import { type ConnectionFacts, Http1Call } from "../wire/call.ts";
import { DirectBody } from "./direct_body.ts";
import { readPlainHead } from "./direct_head.ts";
import { expectsContinue, type RequestHead } from "./head.ts";
import { type FrontLimits, LINGER_PATIENCE } from "../wire/limits.ts";
import type { Served } from "../wire/served.ts";

/** What a connection needs of its server. */
export interface DirectContext {
  readonly limits: FrontLimits;
  readonly maxHeadBytes: number;
  readonly log: Logger;
  onRefused(record: NewRejected): void;
  /** Never rejects. */
  answer(call: HttpCall): Promise<Response>;
  /** Serves the connection in another way from here on; `given` has been read of it. */
  passOn(conn: Deno.TcpConn, given: Uint8Array): Served;
}

const CONTINUE = new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n");

/** What is waited for; the handler may take as long as it likes. */
type Phase = "first" | "between" | "body" | "handler" | "writing" | "closing";

/** One client connection whose requests are answered here. */
export class DirectConnection implements Served {
  readonly #conn: Deno.TcpConn;
  readonly #context: DirectContext;
  readonly #facts: ConnectionFacts;
  readonly #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  readonly #cut = new AbortController();
  /** Serves the connection once it has been passed on. */
  #next: Served | undefined;
  #phase: Phase = "first";
  /** Since when, as `performance.now()` has it. */
  #since = performance.now();
  /** The request being answered. */
  #head: RequestHead | undefined;
  /** Of a body that has not come whole with its head. */
  #pace: Pace | undefined;
  #finishing = false;
  #lingerEndMs = Infinity;
  /** What the next request is read with. */
  #coming: Promise<number | null> | undefined;
  /** The client sends no more: it may have gone, or only closed its half. */
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(conn: Deno.TcpConn, context: DirectContext) {
    this.#conn = conn;
    this.#context = context;
    this.#facts = {
      peer: addressOf(conn.remoteAddr),
      local: addressOf(conn.localAddr),
      tls: false,
      clientCertificate: undefined,
      gone: this.#cut.signal,
    };
  }

  async run(): Promise<void> {
    try {
      const given = await this.#serve();
      if (given !== undefined && !this.#cut.signal.aborted) return await this.#passOn(given);
    } catch (error) {
      if (!this.#cut.signal.aborted) {
        const level = isGone(error) ? "debug" : "error";
        this.#context.log[level]("Cannot go on with a connection", {
          peer: this.#facts.peer,
          error,
        });
      }
    }
    this.abort();
  }

  abort(): void {
    if (this.#next !== undefined) return this.#next.abort();
    if (this.#cut.signal.aborted) return;
    this.#cut.abort();
    this.#wake?.();
    closeQuietly(this.#conn);
  }

  finish(): void {
    if (this.#next !== undefined) return this.#next.finish();
    this.#finishing = true;
    if (this.#phase === "first" || this.#phase === "between") this.abort();
  }

  sweep(now: number): void {
    if (this.#next !== undefined) return this.#next.sweep(now);
    const { limits } = this.#context;
    const over = (ms: number): boolean => now - this.#since > ms;
    switch (this.#phase) {
      case "first":
        return over(limits.headMs) ? this.abort() : undefined;
      case "between":
        return over(limits.keepAliveMs) ? this.abort() : undefined;
      case "body":
        if (over(limits.bodyMs)) this.#giveUp("sent no more of its request body");
        else if (this.#pace?.over) this.#giveUp("sent its request body too slowly");
        return;
      case "writing":
        return over(limits.writeMs) ? this.#giveUp("took no byte of its answer") : undefined;
      case "closing":
        return over(limits.lingerMs) || now > this.#lingerEndMs ? this.abort() : undefined;
      case "handler":
        return this.#ended && over(limits.halfClosedMs) ? this.abort() : undefined;
    }
  }

  async #passOn(given: Uint8Array): Promise<void> {
    this.#next = this.#context.passOn(this.#conn, given);
    if (this.#finishing) this.#next.finish();
    await this.#next.run();
  }

  /** Answers requests. Returns what has been read of one that is not for here; nothing at the end. */
  async #serve(): Promise<Uint8Array | undefined> {
    let held: Uint8Array = this.#buffer.subarray(0, 0);
    for (;;) {
      if (held.length === 0) {
        const count = await this.#receive();
        if (count === null) return undefined;
        held = this.#buffer.subarray(0, count);
      }
      const read = readPlainHead(held, this.#context.maxHeadBytes);
      if (read === undefined) return held;
      const behind = held.subarray(read.bytes);
      const body = this.#openBody(read.head, read.body, behind);
      held = behind.subarray(Math.min(behind.length, read.body));
      if (!await this.#answer(read.head, { body, isLast: held.length === 0 })) return undefined;
    }
  }

  async #receive(): Promise<number | null> {
    try {
      return await this.#listen();
    } finally {
      this.#coming = undefined;
    }
  }

  /** Reads the next request, also to learn that the client has gone; nothing is held of another one by then. */
  #listen(): Promise<number | null> {
    if (this.#coming === undefined) {
      this.#coming = this.#conn.read(this.#buffer);
      this.#coming.then((count) => this.#ended = count === null, () => {});
    }
    return this.#coming;
  }

  #openBody(head: RequestHead, size: number, ahead: Uint8Array): DirectBody {
    return new DirectBody({
      read: (into) => this.#readBody(into),
      begin: () => expectsContinue(head) ? writeAll(this.#conn, CONTINUE) : undefined,
      cut: () => {
        if (this.#cut.signal.aborted) return;
        this.#note("Cannot read a request: the client ended it inside its body");
      },
    }, { size, ahead: ahead.subarray(0, size) });
  }

  async #readBody(into: Uint8Array): Promise<number | null> {
    const now = performance.now();
    if (this.#pace === undefined) {
      const { bodyMs: idleMs } = this.#context.limits;
      this.#pace = new Pace({ idleMs, graceMs: BODY_PATIENCE * idleMs, what: "a body" });
      this.#pace.begin();
    } else {
      // Whoever reads it may be slow, too.
      this.#pace.excuse(now - this.#since);
    }
    this.#phase = "body";
    this.#since = now;
    const count = await this.#conn.read(into);
    this.#pace?.took(count ?? 0);
    this.#enter("handler");
    return count;
  }

  /** False when the connection is of no more use. */
  async #answer(
    head: RequestHead,
    { body, isLast }: { body: DirectBody; isLast: boolean },
  ): Promise<boolean> {
    this.#head = head;
    this.#pace = undefined;
    this.#enter("handler");
    if (isLast && body.left === 0) this.#listen();
    const call = new Http1Call(body, head, this.#facts);
    const answered = this.#context.answer(call);
    const response = await this.#unlessCut(answered);
    if (response === undefined) {
      answered.then(dropAnswer);
      return false;
    }
    const close = this.#finishing || body.left > 0 || asksToClose(head) ||
      response.headers.get("connection")?.toLowerCase() === "close";
    const { signal } = this.#cut;
    if (isLast && body.left === 0) this.#listen();
    try {
      const write = (bytes: Uint8Array): Promise<void> => this.#write(bytes);
      await writeAnswer(response, { method: head.method, close, signal, write });
    } catch (error) {
      if (!(error instanceof AnswerBrokenError)) throw error;
      // What is written is given up with the connection.
      if (signal.aborted) return false;
      this.#context.log.error("Cannot send an answer to its end", { target: head.target, error });
      return false;
    }
    this.#head = undefined;
    if (!close && !this.#finishing) {
      this.#enter("between");
      return true;
    }
    await this.#goodbye({ listened: body.left === 0 });
    return false;
  }

  /** What a handler that may never answer gives; nothing once the connection is cut. */
  async #unlessCut<T>(work: Promise<T>): Promise<T | undefined> {
    const cut = new Promise<undefined>((resolve) => this.#wake = () => resolve(undefined));
    const given = await Promise.race([work, cut]);
    this.#wake = undefined;
    return this.#cut.signal.aborted ? undefined : given;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#enter("writing");
    await writeAll(this.#conn, bytes, () => this.#enter("writing"));
    this.#enter("handler");
  }

  /** Our end; what still comes is thrown away until the client closes too. */
  async #goodbye({ listened }: { listened: boolean }): Promise<void> {
    this.#enter("closing");
    this.#lingerEndMs = this.#since + LINGER_PATIENCE * this.#context.limits.lingerMs;
    await this.#conn.closeWrite();
    if (this.#finishing && listened) return;
    while (await this.#receive() !== null) this.#enter("closing");
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = performance.now();
  }

  #giveUp(what: string): void {
    this.#note(`Cannot go on with a request: the client ${what}`);
    this.abort();
  }

  #note(reason: string): void {
    const head = this.#head;
    this.#context.onRefused({
      peer: this.#facts.peer,
      reason,
      raw: new Uint8Array(),
      ...(head && { method: head.method, path: head.target, headers: head.headers }),
    });
  }
}

/** RFC 9112 section 9.6. */
function asksToClose({ headers }: RequestHead): boolean {
  return headers.some(([name, value]) =>
    name.length === 10 && name.toLowerCase() === "connection" && /\bclose\b/i.test(value)
  );
}
