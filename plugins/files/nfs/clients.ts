/** Clients of NFS by their number of connections, because no call says that one has finished. */
export class Clients {
  /** For one without connections, the time when the last ended, on the clock of `performance`. */
  readonly #known = new Map<string, { connections: number; goneMs: number }>();

  /** Counts a connection that serves a client. */
  connected(client: string): void {
    const known = this.#known.get(client) ?? { connections: 0, goneMs: Infinity };
    this.#known.set(client, known);
    known.connections++;
    known.goneMs = Infinity;
  }

  /** Counts the end of one. Returns whether it was the last one. */
  disconnected(client: string): boolean {
    const known = this.#known.get(client);
    if (known === undefined || --known.connections > 0) return false;
    known.goneMs = performance.now();
    return true;
  }

  /** Adds a client of a previous process, which may connect again. */
  expect(client: string): void {
    this.#known.set(client, { connections: 0, goneMs: performance.now() });
  }

  /** Returns when the last connection of a client ended; `Infinity` if it has one, or was never seen. */
  goneMs(client: string): number {
    return this.#known.get(client)?.goneMs ?? Infinity;
  }

  /** Forgets the clients without connections, unless they are still needed. */
  forget(isNeeded: (client: string) => boolean): void {
    for (const [client, { connections }] of this.#known) {
      if (connections === 0 && !isNeeded(client)) this.#known.delete(client);
    }
  }
}
