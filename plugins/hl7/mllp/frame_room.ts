import { MemoryFullError } from "../../../core/errors.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { SMALL_WORK, WORK_FACTOR } from "../../../core/memory/size.ts";
import type { FrameDecoder } from "./codec/frame.ts";

/** Memory for the message of a conversation while it arrives and is answered. Must be disposed of. */
export class FrameRoom implements Disposable {
  readonly #decoder: FrameDecoder;
  readonly #memory: Pick<Memory, "lease">;
  #lease: MemoryLease;
  #shortage: MemoryFullError | undefined;

  constructor(decoder: FrameDecoder, memory: Pick<Memory, "lease">) {
    this.#decoder = decoder;
    this.#memory = memory;
    this.#lease = memory.lease();
  }

  /** Why the message must be turned away, if it must. */
  get shortage(): MemoryFullError | undefined {
    return this.#shortage;
  }

  /** Reserves memory for a chunk, or drops the message. Returns `undefined` if there is no wait; never rejects. */
  forChunk(bytes: number): Promise<void> | undefined {
    // The chunk itself is garbage once it has been copied.
    return this.#cover(this.#decoder.bytesWith(bytes), { drops: true }) ?? this.#lease.waste(bytes);
  }

  /** Reserves memory to parse a message of this many bytes, in the same way. */
  forWork(bytes: number): Promise<void> | undefined {
    return bytes <= SMALL_WORK ? undefined : this.#cover(WORK_FACTOR * bytes, { drops: false });
  }

  /** Releases the memory of the last message, and starts with the next. */
  renew(): void {
    this.#lease[Symbol.dispose]();
    this.#lease = this.#memory.lease();
    this.#shortage = undefined;
  }

  [Symbol.dispose](): void {
    this.#lease[Symbol.dispose]();
  }

  #cover(bytes: number, { drops }: { drops: boolean }): Promise<void> | undefined {
    return this.#lease.cover(bytes)?.catch((error) => {
      if (!(error instanceof MemoryFullError)) throw error;
      // A message that has not begun is small: its chunk is here already.
      if (drops && !this.#decoder.inside) return;
      this.#shortage = error;
      if (drops) this.#decoder.drop();
      this.#lease.give(this.#lease.bytes);
    });
  }
}
