const MAX_CREATORS = 4096;

/** Remembers which EXCLUSIVE CREATE made each of the latest files: a repeated one succeeds again (RFC 1813 section 3.3.8). */
export class Creators {
  readonly #verifiers = new Map<number, string>();

  /** Records the verifier of the call that made the file with this id. */
  add(id: number, verifier: string): void {
    this.#verifiers.delete(id);
    this.#verifiers.set(id, verifier);
    const [oldest] = this.#verifiers.keys();
    if (this.#verifiers.size > MAX_CREATORS && oldest !== undefined) this.#verifiers.delete(oldest);
  }

  /** Returns the verifier of the call that made it. */
  of(id: number): string | undefined {
    return this.#verifiers.get(id);
  }
}
