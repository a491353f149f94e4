/**
 * Bytes of real clients on the connections of each listener: the samples of `standin demo`, sent
 * through a recording relay.
 *
 * @module
 */
import { runToEnd } from "../cli/console.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import type { TcpListener } from "./hostile.ts";
import type { TestService } from "./service.ts";

/** Longest kept conversation: larger ones are mostly attachments. */
const MAX_BYTES = 16_384;

/** Conversations by listener name; each has all bytes of the client. */
export async function tapDemo(
  service: TestService,
  listeners: readonly TcpListener[],
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  await using stack = new AsyncDisposableStack();
  const taps = listeners.map(({ name, port }) => ({ name, port, tap: stack.use(new Tap(port)) }));
  // The announced ports are those of the relays.
  const api = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const answer = await fetch(`${service.api.url}${pathname}${search}`);
    let text = await answer.text();
    for (const { port, tap } of taps) text = text.replaceAll(`:${port}`, `:${tap.port}`);
    return new Response(text, { status: answer.status, headers: answer.headers });
  });
  stack.defer(() => api.shutdown());
  const url = `http://127.0.0.1:${api.addr.port}`;
  const { code, stderr } = await runToEnd(["demo", "--url", url], { plugins: STANDARD_PLUGINS });
  if (code !== 0) throw new Error(`Cannot send the samples: ${stderr}`);
  return new Map(taps.map(({ name, tap }) => [name, tap.said()]));
}

/** A relay to one port of this machine. */
class Tap implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #heard: Uint8Array[][] = [];
  readonly #conns: Deno.TcpConn[] = [];
  readonly #running: Promise<unknown>[] = [];
  readonly #to: number;

  constructor(to: number) {
    this.#to = to;
    this.#running.push(this.#accept());
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  /** Bytes of each client so far. */
  said(): readonly Uint8Array[] {
    return this.#heard.map((chunks) => Uint8Array.from(chunks.flatMap((chunk) => [...chunk])))
      .filter(({ length }) => length > 0 && length <= MAX_BYTES);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const conn of this.#conns) {
      try {
        conn.close();
      } catch {
        // Closed by its relay.
      }
    }
    await Promise.allSettled(this.#running);
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      const server = await Deno.connect({ hostname: "127.0.0.1", port: this.#to });
      const heard: Uint8Array[] = [];
      this.#heard.push(heard);
      this.#conns.push(client, server);
      this.#running.push(
        relay(client, server, (chunk) => heard.push(chunk)),
        relay(server, client, () => {}),
      );
    }
  }
}

async function relay(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  hear: (chunk: Uint8Array) => void,
): Promise<void> {
  const buffer = new Uint8Array(65_536);
  for (let count; (count = await from.read(buffer)) !== null;) {
    const chunk = buffer.slice(0, count);
    hear(chunk);
    for (let left = chunk; left.length > 0;) left = left.subarray(await to.write(left));
  }
  await to.closeWrite();
}
