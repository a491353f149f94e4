/**
 * HTTP/1.1 and 1.0 (RFC 9112): the requests of a connection are read and answered one after the other, on the
 * connection itself.
 *
 * @module
 */
import type { RefusedHead } from "../../../plugin.ts";
import { isGone, writeAll } from "../../../net/socket.ts";
import { AHEAD_BYTES } from "../wire/limits.ts";
import type { Stage } from "../wire/served.ts";
import type { Wire } from "../wire/wire.ts";
import { AnswerBrokenError, dropAnswer, writeAnswer } from "./answer.ts";
import { readBeginning } from "./beginning.ts";
import { NO_BODY, type RequestBody } from "./body.ts";
import { Http1Call } from "./call.ts";
import type { Http1Context } from "./context.ts";
import {
  expectsContinue,
  type HeadRefusal,
  keepsAlive,
  type ReadHead,
  type RequestHead,
} from "./head.ts";
import { HeadReader } from "./head_reader.ts";
import { openBody } from "./open_body.ts";
import { linger } from "./linger.ts";
import { Patience } from "./patience.ts";

/** RFC 9110 section 9.3.6. */
const ESTABLISHED = new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n");
const NOTHING = new Uint8Array();
const NO_ROOM: HeadRefusal = {
  status: 503,
  reason: "Cannot take a long request head for now: others that have not ended fill the memory " +
    "for them, an eighth of [storage] memory_limit; try again later",
};
/** Bytes kept of a head for which there is no memory. */
const NO_ROOM_RAW_BYTES = 1024;

/** One client connection that speaks HTTP/1. */
export class Http1Connection implements Stage {
  readonly #wire: Wire;
  readonly #context: Http1Context;
  readonly #heads: HeadReader;
  readonly #patience: Patience;
  /** The request being answered. */
  #head: RequestHead | undefined;
  /** Whether its body breaks off. */
  #isCut = false;
  /** Whether a request has been answered. */
  #isUsed = false;
  #finishing = false;

  /** `sinceMs`: when its first request has begun, as `performance.now()` has it. */
  constructor(wire: Wire, context: Http1Context, sinceMs: number) {
    this.#wire = wire;
    this.#context = context;
    this.#heads = new HeadReader(context.maxHeadBytes);
    this.#patience = new Patience(context.limits, sinceMs);
  }

  async serve(): Promise<"ended" | "tunnel"> {
    for (;;) {
      const read = await this.#nextHead();
      if (read === undefined) return "ended";
      if ("body" in read) {
        if (!await this.#answer(read)) return "ended";
      } else {
        if (await this.#openTunnel(read)) return "tunnel";
        await this.#refuse(read);
        return "ended";
      }
    }
  }

  finish(): boolean {
    this.#finishing = true;
    const { phase } = this.#patience;
    return phase === "first" || phase === "between" || phase === "head";
  }

  sweep(now: number): boolean {
    const verdict = this.#patience.judge(now);
    if (verdict === "wait") return false;
    if (verdict === "late_head") {
      this.#refuseLate().catch((error) => this.#wire.fail(error));
      return false;
    }
    if (verdict !== "close") {
      this.#note(`Cannot go on with a request: the client ${verdict.giveUp}`);
    }
    return true;
  }

  /** The next request, or why there is none: nothing at the end. What is raw of it is there until more is read. */
  async #nextHead(): Promise<ReadHead | (HeadRefusal & { readonly raw: Uint8Array }) | undefined> {
    const { input } = this.#wire;
    for (;;) {
      input.skip(this.#heads.blank(input.held));
      if (input.length > 0) {
        const { held } = input;
        const found = this.#heads.find(held);
        if (found !== undefined) {
          const { read, bytes } = found;
          const raw = "body" in read ? NOTHING : held.subarray(0, bytes);
          input.skip(bytes);
          return "body" in read ? read : { ...read, raw };
        }
        this.#patience.beginHead();
        if (!input.reserve()) return { ...NO_ROOM, raw: held.subarray(0, NO_ROOM_RAW_BYTES) };
      }
      const more = await input.fill();
      if (this.#patience.phase === "closing") {
        await linger(input, this.#patience);
        return undefined;
      }
      if (!more) return this.#endInHead();
    }
  }

  #endInHead(): undefined {
    const { held } = this.#wire.input;
    if (held.length === 0) return;
    this.#note("Cannot read a request: the client ended it inside its head", { raw: held });
  }

  /** False when the connection is of no more use. */
  async #answer({ head, body: framing }: ReadHead): Promise<boolean> {
    this.#head = head;
    this.#isCut = false;
    this.#patience.beginRequest();
    const { facts } = this.#wire;
    let unread: Uint8Array | undefined;
    // A short body is read in any case, even if the handler does not need it.
    const mayBeLong = typeof framing === "number" && framing > AHEAD_BYTES;
    if (mayBeLong && framing > this.#context.maxBodyBytes(head)) {
      const about = { head, bodyBytes: framing };
      unread = await readBeginning(this.#wire.input, about);
      if (unread === undefined) {
        this.#cutBody();
        return false;
      }
    }
    const body = unread === undefined ? this.#openBody(head, framing) : NO_BODY;
    if (body.waiting !== undefined) this.#listen();
    const call = new Http1Call(body, head, facts, unread === undefined ? {} : { unread });
    const response = await this.#context.answer(call);
    if (facts.gone.aborted) {
      dropAnswer(response);
      return false;
    }
    return await this.#send(response, { head, body, isUnread: unread !== undefined });
  }

  async #send(
    response: Response,
    { head, body, isUnread }: { head: RequestHead; body: RequestBody; isUnread: boolean },
  ): Promise<boolean> {
    const isWhole = !isUnread && (body.done || body.waiting !== undefined);
    const close = !isWhole || this.#finishing || !keepsAlive(head) ||
      response.headers.get("connection")?.toLowerCase() === "close";
    let ends: boolean;
    try {
      ends = await writeAnswer(response, {
        method: head.method,
        version: head.version,
        close,
        signal: this.#wire.facts.gone,
        write: this.#write,
      });
    } catch (error) {
      if (!(error instanceof AnswerBrokenError)) throw error;
      // What is written is given up with the connection.
      if (!this.#wire.facts.gone.aborted) this.#context.onBroken(head.target, error);
      return false;
    }
    this.#head = undefined;
    this.#isUsed = true;
    if (!ends && !this.#finishing) {
      // Of a body that nobody wants, but that has come.
      this.#wire.input.skip(body.waiting ?? 0);
      this.#patience.enter("between");
      return true;
    }
    const isOwed = !isUnread && !body.done && !expectsContinue(head);
    await this.#goodbye({ listened: body.done && !isUnread, ...(isOwed ? { body, head } : {}) });
    return false;
  }

  #openBody(head: RequestHead, framing: ReadHead["body"]): RequestBody {
    return openBody(framing, {
      wire: this.#wire,
      patience: this.#patience,
      waits: expectsContinue(head),
      end: () => this.#listen(),
      cut: (what) => this.#cutBody(what),
    });
  }

  /** Reads on behind a request that has come whole, also to learn that its client has gone. */
  #listen(): void {
    const { input } = this.#wire;
    if (!input.hasRoom || this.#patience.hasEnded) return;
    input.fill().then((more) => {
      if (more) return;
      this.#patience.hasEnded = true;
    }, (error) => {
      if (isGone(error)) this.#wire.cut();
      else this.#wire.fail(error);
    });
  }

  readonly #write = async (bytes: Uint8Array): Promise<void> => {
    this.#patience.enter("writing");
    await writeAll(this.#wire.conn, bytes, () => this.#patience.enter("writing"));
    this.#patience.enter("handler");
  };

  /** Opens the tunnel, whose bytes are then classified like those of a new connection; false if it may not be opened. */
  async #openTunnel({ head }: HeadRefusal): Promise<boolean> {
    if (head?.method !== "CONNECT" || this.#isUsed) return false;
    if (!this.#context.isTunnel(head.target)) return false;
    await writeAll(this.#wire.conn, ESTABLISHED);
    return true;
  }

  async #refuse(given: HeadRefusal & { readonly raw: Uint8Array }): Promise<void> {
    const { raw, head } = given;
    const isTunnel = given.status === 501 && head?.method === "CONNECT";
    const { status, reason } = (isTunnel && this.#context.refuseTunnel(head.target)) || given;
    this.#note(reason, { raw, status, head });
    this.#patience.enter("handler");
    await this.#writeRefusal({ status, reason }, head, this.#write);
    await this.#goodbye({ listened: false });
  }

  #writeRefusal(
    refusal: RefusedHead,
    head: RequestHead | undefined,
    write: (bytes: Uint8Array) => Promise<void>,
  ): Promise<boolean> {
    const { method = "GET", version = "1.1" } = head ?? {};
    const signal = this.#wire.facts.gone;
    return writeAnswer(this.#context.refuse(refusal), {
      method,
      version,
      close: true,
      signal,
      write,
    });
  }

  /** Whoever waits for the rest of a head goes on to wait for the client's end. */
  async #refuseLate(): Promise<void> {
    const { limits } = this.#context;
    const reason = `Cannot wait longer for the rest of a request head: ${limits.headMs} ms allowed`;
    this.#note(reason, { raw: this.#wire.input.held, status: 408 });
    this.#patience.beginClosing();
    const write = (bytes: Uint8Array): Promise<void> => writeAll(this.#wire.conn, bytes);
    await this.#writeRefusal({ status: 408, reason }, undefined, write);
    await this.#wire.conn.closeWrite();
  }

  /** Our end; what still comes is thrown away until the client closes too. `body` is what it has left to send. */
  async #goodbye(
    { listened, body, head }: { listened: boolean; body?: RequestBody; head?: RequestHead },
  ): Promise<void> {
    this.#patience.beginClosing();
    await this.#wire.conn.closeWrite();
    if (this.#finishing && listened) return;
    this.#head = head;
    const end = await linger(this.#wire.input, this.#patience, body);
    if (end !== undefined) this.#cutBody(end.what);
  }

  #cutBody(what?: string): void {
    const { facts, input } = this.#wire;
    if (facts.gone.aborted || this.#isCut) return;
    this.#isCut = true;
    if (what === undefined) {
      return this.#note("Cannot read a request: the client ended it inside its body");
    }
    this.#note(what, { status: 400, raw: input.held });
  }

  #note(
    reason: string,
    about: { raw?: Uint8Array; status?: number; head?: RequestHead | undefined } = {},
  ): void {
    const { raw = NOTHING, status, head = this.#head } = about;
    this.#wire.note({
      reason,
      raw,
      ...(status === undefined ? {} : { status }),
      ...(head && { method: head.method, path: head.target, headers: head.headers }),
    });
  }
}
