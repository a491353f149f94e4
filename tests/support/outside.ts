/**
 * Machines that a page may try to reach: names that resolve to this one, each with a separate port
 * that counts connections, and the browser's log of every DNS lookup.
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

/** Opens a port for a name; connections are counted and closed. */
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
    // Closed while waiting.
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
