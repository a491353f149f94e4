import { MemoryFullError } from "../../../core/errors.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { SMALL_WORK, WORK_FACTOR } from "../../../core/memory/work.ts";
import type { FrameDecoder } from "./codec/frame.ts";

/** What the message of a conversation takes while it comes and is answered. Must be disposed of. */
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

  /** Why the message is to be turned away, if it is. */
  get shortage(): MemoryFullError | undefined {
    return this.#shortage;
  }

  /** Makes room for a chunk, or drops the message. Nothing to wait for where there is; never rejects. */
  forChunk(bytes: number): Promise<void> | undefined {
    return this.#cover(this.#decoder.bytesWith(bytes), { drops: true });
  }

  /** Makes room to read a message of so many bytes. The same. */
  forWork(bytes: number): Promise<void> | undefined {
    return bytes <= SMALL_WORK ? undefined : this.#cover(WORK_FACTOR * bytes, { drops: false });
  }

  /** Begins with the next message, and gives back what the last one took. */
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
      // What has not begun is small: it is the chunk that is here already.
      if (drops && !this.#decoder.inside) return;
      this.#shortage = error;
      if (drops) this.#decoder.drop();
      this.#lease.give(this.#lease.bytes);
    });
  }
}
