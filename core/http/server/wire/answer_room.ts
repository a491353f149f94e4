import { MemoryFullError } from "../../../errors.ts";
import type { HeaderPairs } from "../../../events/event.ts";
import type { NewRejected } from "../../../events/journal.ts";
import { type Memory, ROOM_WAIT_MS } from "../../../memory/budget.ts";
import type { RefusedHead } from "../../../plugin.ts";
import { type Answer, dropAnswer, heldBytes } from "../../answer.ts";
import { apiError, RETRY_AFTER_SECONDS } from "../../reply.ts";
import type { ConnectionFacts } from "./wire.ts";

/** The part of memory that responses in flight may fill. */
const ANSWER_SHARE = 1 / 4;
/** Maximum number of waiting responses: each has begun already, and holds its first bytes. */
const MAX_WAITING = 64;
/** Maximum bytes generated for a response before it waits. */
const BEGUN_BYTES = 131_072;
/** Smaller responses count with their connection or their stream. */
const SMALL_BYTES = 8192;
/** Bytes of a response over HTTP/2 that the inner server buffers in addition: measured. */
const HTTP2_BYTES = 524_288;
/** Bytes that a response over TLS takes on its way from the inner connection to the client: measured. */
const TLS_BYTES = 1_310_720;

interface Waiter {
  readonly bytes: number;
  readonly resolve: () => void;
}

/** Memory that responses share. Those beyond it wait, first come first served. */
class SharedRoom {
  readonly #memory: Memory;
  readonly #limitBytes: number;
  readonly #waitMs: number;
  readonly #waiters = new Set<Waiter>();
  /** Responses that wait for a garbage collection. */
  #collecting = 0;
  #bytes = 0;

  constructor(memory: Memory, waitMs: number) {
    this.#memory = memory;
    this.#limitBytes = memory.limitBytes * ANSWER_SHARE;
    this.#waitMs = waitMs;
  }

  /**
   * Reserves memory for a response of this many bytes, until it is disposed of. Rejects with
   * `MemoryFullError` if there is none in time, if too many wait, or if the client has gone.
   */
  async take(bytes: number, gone: AbortSignal): Promise<Disposable> {
    await this.#spend(bytes);
    if (this.#waiters.size > 0 || !this.#fits(bytes)) await this.#wait(bytes, gone);
    else this.#bytes += bytes;
    const lease = this.#memory.lease({ gone });
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      lease[Symbol.dispose]();
      this.#bytes -= bytes;
      this.#wake();
    };
    try {
      await lease.cover(bytes);
    } catch (error) {
      end();
      throw error;
    }
    return { [Symbol.dispose]: end };
  }

  /** Counts its first bytes, which were created at once. Rejects if too many wait already: each holds as much. */
  async #spend(bytes: number): Promise<void> {
    const collected = this.#memory.spend(Math.min(bytes, BEGUN_BYTES));
    if (collected === undefined) return;
    if (this.#collecting >= MAX_WAITING) throw this.#memory.full(bytes);
    this.#collecting++;
    try {
      await collected;
    } finally {
      this.#collecting--;
    }
  }

  /** One response always fits, however small the share is. */
  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#limitBytes;
  }

  /** Resolves once the bytes are reserved. */
  #wait(bytes: number, gone: AbortSignal): Promise<void> {
    const full = this.#memory.full(bytes);
    if (gone.aborted || this.#waiters.size >= MAX_WAITING) return Promise.reject(full);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        gone.removeEventListener("abort", giveUp);
        this.#waiters.delete(waiter);
      };
      const giveUp = (): void => {
        leave();
        reject(full);
        this.#wake();
      };
      const waiter = {
        bytes,
        resolve() {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(giveUp, this.#waitMs);
      gone.addEventListener("abort", giveUp);
      this.#waiters.add(waiter);
    });
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      if (!this.#fits(waiter.bytes)) return;
      this.#bytes += waiter.bytes;
      waiter.resolve();
    }
  }
}

/** The request that is answered. */
export interface Answered {
  readonly method: string;
  readonly target: string;
  readonly version: "1.0" | "1.1" | "2";
  readonly headers: HeaderPairs;
  readonly facts: Pick<ConnectionFacts, "peer" | "tls" | "gone">;
}

/** A response that may be sent. */
export interface Admitted {
  readonly answer: Answer;
  /** To be disposed of when it has been sent, or is given up. */
  readonly room?: Disposable;
}

/**
 * Memory of responses until their clients have taken them. A client that requests much on many connections, and reads
 * none of it, must not fill memory. Streams of events, which may last for days, are counted separately.
 */
export class AnswerRoom {
  readonly #answers: SharedRoom;
  readonly #streams: SharedRoom;

  constructor(memory: Memory, { waitMs = ROOM_WAIT_MS }: { waitMs?: number } = {}) {
    this.#answers = new SharedRoom(memory, waitMs);
    this.#streams = new SharedRoom(memory, waitMs);
  }

  /**
   * Reserves memory for a response; synchronous if it is small. Without memory, a refusal with
   * status 503 replaces it, and is recorded.
   */
  admit(
    answer: Answer,
    request: Answered,
    refusing: { refuse(refusal: RefusedHead): Response; note(record: NewRejected): void },
  ): Promise<Admitted> | undefined {
    const held = heldBytes(answer);
    if (held <= SMALL_BYTES) return undefined;
    const bytes = held + (request.version === "2" ? HTTP2_BYTES : 0) +
      (request.facts.tls ? TLS_BYTES : 0);
    const isStream = answer.headers.get("content-type") === "text/event-stream";
    const room = isStream ? this.#streams : this.#answers;
    return room.take(bytes, request.facts.gone).then((room) => ({ answer, room }), (error) => {
      if (!(error instanceof MemoryFullError)) throw error;
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      dropAnswer(answer);
      const refusal: RefusedHead = { status: 503, reason: error.message };
      const { method, target, headers, facts: { peer } } = request;
      refusing.note({ ...refusal, peer, method, path: target, headers, raw: new Uint8Array() });
      const response = isJson ? apiError(503, error.message) : refusing.refuse(refusal);
      response.headers.set("retry-after", String(RETRY_AFTER_SECONDS));
      return { answer: response };
    });
  }
}
