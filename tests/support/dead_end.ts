/**
 * A dead-end proxy, for a browser that may reach only one address.
 *
 * @module
 */

/** The proxy. */
export interface DeadEnd extends Disposable {
  /** Address for the browser's settings. */
  readonly url: string;
  /**
   * Requests of pages that reached the proxy, in order, without the browser's own requests, and
   * without those blocked by a policy.
   */
  readonly foreign: readonly string[];
  /** Reports that a page wants this address; browsers report that before they apply a policy. */
  wanted(url: string): void;
}

const MAX_LINE_BYTES = 16_384;

/** Starts a proxy that reads the first line of each request and hangs up. */
export function openDeadEnd(): DeadEnd {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const [wanted, asked] = [new Set<string>(), new Set<string>()];
  const foreign: string[] = [];
  const compare = (): void => {
    for (const url of wanted) {
      if (!asked.has(targetOf(url))) continue;
      foreign.push(url);
      wanted.delete(url);
    }
  };
  (async () => {
    for await (const conn of listener) {
      const target = await readTarget(conn).catch(() => undefined);
      if (target !== undefined) asked.add(target);
      compare();
      conn.close();
    }
  })().catch(() => {
    // Closed while waiting.
  });
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    foreign,
    wanted(url) {
      if (foreign.includes(url)) return;
      wanted.add(url);
      compare();
    },
    [Symbol.dispose]: () => listener.close(),
  };
}

/** What a browser requests from a proxy: the full URL, or host and port for TLS (RFC 9112 section 3.2). */
function targetOf(url: string): string {
  const { protocol, hostname, port, href, hash } = new URL(url);
  if (protocol === "http:") return href.slice(0, href.length - hash.length);
  return `${hostname}:${port || (protocol === "ws:" ? 80 : 443)}`;
}

/** The target of the request line; `undefined` without one. */
async function readTarget(conn: Deno.Conn): Promise<string | undefined> {
  const buffer = new Uint8Array(MAX_LINE_BYTES);
  let length = 0;
  while (!buffer.subarray(0, length).includes(10) && length < buffer.length) {
    const count = await conn.read(buffer.subarray(length));
    if (count === null) break;
    length += count;
  }
  return new TextDecoder().decode(buffer.subarray(0, length)).split(" ")[1];
}
