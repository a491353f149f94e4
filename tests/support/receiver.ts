/**
 * An application that is called back: it records every request, and answers as instructed by a
 * test.
 */

/** A received request. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A running application. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Starts one on a free loopback port; by default it answers 200 without a body. */
export function startReceiver(
  answer: (request: Received, count: number) => Response | Promise<Response> = () => new Response(),
  { port = 0, tls }: {
    port?: number;
    /** Serves HTTPS, as `localhost`. */
    tls?: { readonly cert: string; readonly key: string };
  } = {},
): Receiver {
  const received: Received[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {}, ...tls },
    async (request) => {
      const { method, url, headers } = request;
      const item = { method, url, headers, body: await request.text() };
      received.push(item);
      return await answer(item, received.length);
    },
  );
  return {
    url: tls === undefined
      ? `http://127.0.0.1:${server.addr.port}`
      : `https://localhost:${server.addr.port}`,
    received,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
