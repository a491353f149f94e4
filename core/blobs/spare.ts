import { BLOCK_BYTES, type Blocks } from "../bytes/blocks.ts";
import type { Holding, Memory } from "../memory/budget.ts";

/** Size of a buffer, in bytes. */
export const SPARE_BYTES = 16 * BLOCK_BYTES;
const MAX_SPARE_BYTES = 64 * 1024 * 1024;
/** The part of the memory limit that they may take. */
const MAX_SHARE = 1 / 8;

/**
 * Buffers of removed blobs, for new ones. After about 64 MiB of new buffers V8 marks the whole heap, which takes longer
 * than to receive as many bytes. What does not fit here is freed at once, without a garbage collection.
 */
export class SpareBuffers {
  readonly #buffers: ArrayBuffer[] = [];
  readonly #holding: Holding;
  readonly #maxBytes: number;

  /** They are freed when others need room, and when the program is idle. */
  constructor(memory: Memory) {
    this.#maxBytes = Math.min(MAX_SPARE_BYTES, memory.limitBytes * MAX_SHARE);
    this.#holding = memory.holding((bytes) => this.#free(bytes), {
      isBuffers: true,
      isSpare: true,
    });
  }

  /** Returns one, with arbitrary content. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    const buffer = this.#buffers.pop();
    if (buffer === undefined) return undefined;
    this.#count();
    return new Uint8Array(buffer);
  }

  /** Takes the buffers that consist of these blocks only; nobody else may have views of them. */
  give(blocks: Blocks): void {
    const perBuffer = SPARE_BYTES / BLOCK_BYTES;
    for (let i = 0; i < blocks.length; i++) {
      const { buffer } = blocks[i]!;
      if (buffer.byteLength !== SPARE_BYTES) continue;
      const whole = blocks.slice(i, i + perBuffer);
      if (whole.length < perBuffer || !whole.every(isPart)) continue;
      this.#add(buffer);
      i += perBuffer - 1;
    }
    this.#count();
  }

  #add(buffer: ArrayBuffer): void {
    if ((this.#buffers.length + 1) * SPARE_BYTES <= this.#maxBytes) this.#buffers.push(buffer);
    else buffer.transfer(0);
  }

  #free(bytes: number): void {
    for (let left = bytes; left > 0 && this.#buffers.length > 0; left -= SPARE_BYTES) {
      // Frees it at once, without a garbage collection.
      this.#buffers.pop()!.transfer(0);
    }
    this.#count();
  }

  #count(): void {
    this.#holding.set(this.#buffers.length * SPARE_BYTES);
  }
}

/** Returns whether a block is at its place in the buffer of the first one. */
function isPart(
  { buffer, byteOffset, length }: Uint8Array,
  index: number,
  [first]: readonly Uint8Array[],
): boolean {
  return buffer === first!.buffer && length === BLOCK_BYTES && byteOffset === index * BLOCK_BYTES;
}
