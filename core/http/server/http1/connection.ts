/**
 * HTTP/1.1 and 1.0 (RFC 9112): the requests of a connection are read and answered one after the other, on the
 * connection itself.
 *
 * @module
 */
import type { RefusedHead } from "../../../plugin.ts";
import type { Memory } from "../../../memory/budget.ts";
import { isGone, writeAll } from "../../../net/socket.ts";
import { TimeSlice } from "../../../time_slice.ts";
import { type Answer, dropAnswer, type PendingAnswer, ShortAnswer } from "../../answer.ts";
import type { HttpCall } from "../../call.ts";
import type { Admitted, Answered } from "../wire/answer_room.ts";
import type { FrontLimits } from "../wire/limits.ts";
import type { Stage, Wire } from "../wire/wire.ts";
import { AnswerBrokenError, freeHead, writeAnswer, writeHead } from "./answer.ts";
import { type BodyWire, linger, openBody, type RequestBody } from "./body.ts";
import { Http1Call } from "../wire/call.ts";
import {
  expectsContinue,
  HeadReader,
  type HeadRefusal,
  type ReadHead,
  type RequestHead,
} from "./head.ts";
import { Patience } from "./patience.ts";

/** Environment of a connection. */
export interface Http1Context {
  readonly limits: FrontLimits;
  readonly maxHeadBytes: number;
  /** Counts the sent bytes, if given. */
  readonly memory: Memory | undefined;
  /** Returns whether a tunnel to this `host:port` is answered here; nothing is ever dialled. */
  isTunnel(target: string): boolean;
  /** Why another tunnel is refused; nothing where none is ever answered. */
  refuseTunnel(target: string): RefusedHead | undefined;
  /** Never throws or rejects. */
  answer(call: HttpCall): Answer | Promise<Answer>;
  /** Returns the response to send in place of one whose wait has failed. Never rejects. */
  instead(pending: PendingAnswer, error: unknown): Promise<Answer>;
  /** Waits for the memory of a response, if it needs some. */
  admit(answer: Answer, request: Answered): Promise<Admitted> | undefined;
  refuse(refusal: RefusedHead): Response;
  /** A response could not be sent completely. */
  onBroken(target: string, error: AnswerBrokenError): void;
}

/** RFC 9110 section 9.3.6. */
const ESTABLISHED = new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n");
/** Copies of a refused head: the buffers it grew through, and its record. */
const COPIES = 4;
const CONTINUE = new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n");
const NOTHING = new Uint8Array();
const NO_BODY = { size: 0 };
const NO_ROOM: HeadRefusal = {
  status: 503,
  reason:
    "Cannot accept a long request head for now: unfinished ones fill the memory set aside for " +
    "them, a sixteenth of [storage] memory_limit; try again later",
};
/** Bytes kept of a head for which there is no memory. */
const NO_ROOM_RAW_BYTES = 1024;

/** A request while it is answered. */
interface Exchange {
  readonly head: RequestHead;
  readonly body: RequestBody;
  /** Whether its client keeps the connection. */
  readonly keepsAlive: boolean;
}

type TakenHead = ReadHead | (HeadRefusal & { readonly raw: Uint8Array });

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
  /** Whether its response may come later, or as a stream. */
  #takesTime = false;
  #isListening = false;
  /** Whether a request has been answered. */
  #isUsed = false;
  #finishing = false;
  /** Requests since the last read, and the slice of time of a client that sends several at once. */
  #inRow = 0;
  #slice: TimeSlice | undefined;
  /** Source of the bodies of all requests. */
  readonly #bodies: BodyWire;

  /** `sinceMs`: when its first request has begun, as `performance.now()` has it. */
  constructor(wire: Wire, context: Http1Context, sinceMs: number) {
    this.#wire = wire;
    this.#context = context;
    this.#heads = new HeadReader(context.maxHeadBytes);
    this.#patience = new Patience(context.limits, sinceMs);
    this.#bodies = {
      input: wire.input,
      waits: false,
      read: (into) => this.#readBody(into),
      end: () => this.#listen(),
      cut: (what) => this.#cutBody(what),
    };
  }

  async serve(): Promise<"ended" | "tunnel"> {
    const { input, facts } = this.#wire;
    for (;;) {
      const turn = this.#turn();
      if (turn !== undefined) await turn;
      const read = this.#takeHead();
      if (read === undefined) {
        const more = await input.fill();
        if (this.#patience.phase === "closing") {
          await linger(input, this.#patience);
          return "ended";
        }
        if (more) continue;
        this.#endInHead();
        return "ended";
      }
      if (!("body" in read)) {
        if (await this.#openTunnel(read)) return "tunnel";
        await this.#refuse(read);
        return "ended";
      }
      const exchange = this.#begin(read);
      let answer = this.#context.answer(new Http1Call(exchange.body, read.head, facts));
      if (answer instanceof Promise) {
        this.#takeTime(exchange);
        answer = await answer;
      }
      const pending = answer instanceof ShortAnswer ? answer.pending : undefined;
      try {
        // At least one step later, requests of other connections that were read together with this one have been
        // handled, and all their responses are written in a row: 12 % less processor time for a capture.
        await pending?.kept;
      } catch (error) {
        answer = await this.#context.instead(pending!, error);
      }
      if (!(answer instanceof ShortAnswer)) {
        if (!await this.#answer(answer, exchange)) return "ended";
        continue;
      }
      // Inline, because the promise of a function would cost each capture 1 KB and three steps of the event loop.
      if (facts.gone.aborted) return "ended";
      const { method, version } = read.head;
      const close = this.#closesBehind(answer, exchange);
      const bytes = writeHead(answer, { method, version, close }, NO_BODY);
      const count = await this.#writeSome(bytes);
      if (count < bytes.length) await this.#write(bytes.subarray(count));
      freeHead(bytes);
      if (!this.#goesOn(close, exchange)) {
        await this.#end(exchange);
        return "ended";
      }
    }
  }

  /**
   * Lets other clients have their turn when one sends requests without waiting for the responses: its next bytes are
   * always there, so the event loop would serve nobody else.
   */
  #turn(): Promise<void> | undefined {
    if (this.#wire.input.length === 0) {
      if (this.#inRow <= 1) this.#slice = undefined;
      this.#inRow = 0;
      return undefined;
    }
    if (++this.#inRow === 1) return undefined;
    this.#slice ??= new TimeSlice();
    if (!this.#slice.over) return undefined;
    // A new one, because part of its time was spent waiting: only long work pauses longer.
    this.#slice = new TimeSlice();
    return this.#slice.yieldToEventLoop();
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
      this.#note(`Cannot continue a request: the client ${verdict.giveUp}`);
    }
    return true;
  }

  /**
   * The next head, if it is complete, or why it is refused. Its raw bytes are valid until more is
   * read.
   */
  #takeHead(): TakenHead | undefined {
    const { input } = this.#wire;
    if (input.length === 0) return undefined;
    let { held } = input;
    const blank = this.#heads.blank(held);
    if (blank > 0) {
      input.skip(blank);
      if (input.length === 0) return undefined;
      held = input.held;
    }
    const found = this.#heads.find(held);
    if (found === undefined) {
      this.#patience.beginHead();
      return input.reserve() ? undefined : { ...NO_ROOM, raw: held.subarray(0, NO_ROOM_RAW_BYTES) };
    }
    const { read, bytes } = found;
    const taken = "body" in read ? read : { ...read, raw: held.subarray(0, bytes) };
    input.skip(bytes);
    return taken;
  }

  #endInHead(): void {
    const { held } = this.#wire.input;
    if (held.length === 0) return;
    this.#note("Cannot read a request: the client ended it inside its head", { raw: held });
  }

  #begin({ head, body: framing, keepsAlive }: ReadHead): Exchange {
    this.#head = head;
    this.#isCut = false;
    this.#takesTime = false;
    this.#patience.beginRequest();
    this.#bodies.waits = framing !== 0 && this.#wire.input.length === 0 && expectsContinue(head);
    const exchange: Exchange = { head, keepsAlive, body: openBody(framing, this.#bodies) };
    // A copy, because the response may wait for the log: docs/decisions/0019.
    return { ...exchange };
  }

  /** The response comes later, or as a stream: meanwhile, notices that the client disconnects. */
  #takeTime({ body }: Exchange): void {
    if (this.#takesTime) return;
    this.#takesTime = true;
    if (body.waiting !== undefined) this.#listen();
  }

  /** Sends any other than a short response. Resolves with false if the connection is unusable. */
  async #answer(made: Answer, exchange: Exchange): Promise<boolean> {
    this.#takeTime(exchange);
    const { facts } = this.#wire;
    const { gone } = facts;
    const admitted = this.#context.admit(made, { ...exchange.head, facts });
    const { answer, room } = admitted === undefined ? { answer: made } : await admitted;
    using _held = room;
    if (gone.aborted) {
      dropAnswer(answer);
      return false;
    }
    const { head: { method, version, target } } = exchange;
    const close = this.#closesBehind(answer, exchange);
    let ends: boolean;
    try {
      const about = { method, version, close, signal: gone, write: this.#write };
      ends = await writeAnswer(answer, about);
    } catch (error) {
      if (!(error instanceof AnswerBrokenError)) throw error;
      // The rest is dropped with the connection.
      if (!gone.aborted) this.#context.onBroken(target, error);
      return false;
    }
    if (this.#goesOn(ends, exchange)) return true;
    await this.#end(exchange);
    return false;
  }

  #closesBehind(answer: Answer, { body, keepsAlive }: Exchange): boolean {
    const isWhole = body.done || body.waiting !== undefined;
    return !isWhole || this.#finishing || !keepsAlive ||
      answer.headers.get("connection")?.toLowerCase() === "close";
  }

  /** Returns whether another request may follow the response. */
  #goesOn(ends: boolean, { body }: Exchange): boolean {
    this.#head = undefined;
    this.#isUsed = true;
    if (ends || this.#finishing) return false;
    // A body that has arrived, but that the handler did not read.
    if (!body.done) this.#wire.input.skip(body.waiting ?? 0);
    this.#patience.enter("between");
    return true;
  }

  #end({ head, body }: Exchange): Promise<void> {
    const isOwed = !body.abandoned && !body.done && !expectsContinue(head);
    return this.#goodbye({ listened: body.done, ...(isOwed ? { body, head } : {}) });
  }

  /** Asks a client that waits for 100 Continue for its body. */
  async #readBody(into?: Uint8Array): Promise<number | null> {
    const { input, conn } = this.#wire;
    if (into !== undefined && input.length > 0) return await input.read(into);
    if (this.#bodies.waits) await writeAll(conn, CONTINUE);
    this.#bodies.waits = false;
    this.#patience.beginRead();
    const had = input.length;
    const count = into === undefined
      ? await input.fill() ? input.length - had : null
      : await input.read(into);
    this.#patience.endRead(count ?? 0);
    return count;
  }

  /** Continues to read after a complete request, also to notice that its client disconnects. */
  #listen(): void {
    const { input } = this.#wire;
    if (!this.#takesTime || this.#isListening || !input.hasRoom || this.#patience.hasEnded) return;
    this.#isListening = true;
    input.fill().then((more) => {
      this.#isListening = false;
      this.#patience.hasEnded ||= !more;
    }, (error) => {
      if (isGone(error)) this.#wire.cut();
      else this.#wire.fail(error);
    });
  }

  #writeSome(bytes: Uint8Array): Promise<number> {
    this.#patience.enter("writing");
    return this.#wire.conn.write(bytes);
  }

  readonly #write = async (bytes: Uint8Array): Promise<void> => {
    for (let left = bytes; left.length > 0;) left = left.subarray(await this.#writeSome(left));
    this.#patience.enter("handler");
    await this.#context.memory?.spend(bytes.length);
  };

  /**
   * Opens the tunnel, whose bytes are then classified like those of a new connection; false if it may not be opened.
   */
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
    // Refused clients may return at once: this limits them to the speed of garbage collection.
    await this.#context.memory?.waste(COPIES * Math.max(raw.length, this.#wire.input.capacity));
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

  /** A wait for the rest of a head becomes a wait for the client's end. */
  async #refuseLate(): Promise<void> {
    const { limits } = this.#context;
    const reason = `Cannot wait longer for the rest of a request head: ${limits.headMs} ms allowed`;
    this.#note(reason, { raw: this.#wire.input.held, status: 408 });
    this.#patience.beginClosing();
    const write = (bytes: Uint8Array): Promise<void> => writeAll(this.#wire.conn, bytes);
    await this.#writeRefusal({ status: 408, reason }, undefined, write);
    await this.#wire.conn.closeWrite();
  }

  /**
   * Ends our side; input is discarded until the client closes too. `body` is the rest that the
   * client still has to send.
   */
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
