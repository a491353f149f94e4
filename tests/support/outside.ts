/**
 * Machines that a page may try to reach: names that lead to this one, each to a port of its own that counts who comes,
 * and the browser's own log of every name that it looked up.
 *
 * @module
 */

/** One name to be reached. */
export interface Outside extends Disposable {
  /** Under `.localhost`, which a browser resolves without DNS. */
  readonly host: string;
  /** `http://<host>:<port>/` */
  readonly url: string;
  /** Connections so far. */
  readonly count: number;
}

/** Opens a port for a name; whoever connects is counted and sent away. */
export function openOutside(name: string): Outside {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const host = `${name}.localhost`;
  let count = 0;
  (async () => {
    for await (const conn of listener) {
      count++;
      conn.close();
    }
  })().catch(() => {
    // Closed while it waited.
  });
  return {
    host,
    url: `http://${host}:${listener.addr.port}/`,
    get count() {
      return count;
    },
    [Symbol.dispose]: () => listener.close(),
  };
}
