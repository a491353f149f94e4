import { ByteGatherer } from "../../../bytes/gatherer.ts";
import type { UnreadRequest } from "./h1.ts";
import { expectsContinue } from "./head.ts";
import { AHEAD_BYTES, AHEAD_MS } from "../wire/limits.ts";

/**
 * The beginning of a body that is too long to be read, for the record: what comes of it at once, unless the client waits
 * to be asked for it.
 */
export class BodyBeginning {
  readonly #gathered = new ByteGatherer(AHEAD_BYTES);
  readonly #wanted: number;
  readonly #done: (beginning: Uint8Array) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `done` is called once, unless this is stopped before. */
  constructor({ head, bodyBytes }: UnreadRequest, done: (beginning: Uint8Array) => void) {
    this.#wanted = expectsContinue(head) ? 0 : Math.min(bodyBytes, AHEAD_BYTES);
    this.#done = done;
  }

  /** Takes bytes as they come. */
  push(bytes: Uint8Array): void {
    this.#gathered.append(bytes.subarray(0, this.#wanted - this.#gathered.length));
    if (this.#gathered.length === this.#wanted) this.#end();
    else this.#timer ??= setTimeout(() => this.#end(), AHEAD_MS);
  }

  /** Nothing is waited for any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    this.stop();
    this.#done(this.#gathered.take());
  }
}
