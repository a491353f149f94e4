/** The program's own requests to a running instance. */
import { assertEquals, assertRejects } from "@std/assert";
import { requestHttp } from "../../core/net/http_client.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/** A server for the length of a test; calls back with its address. */
async function withServer(handler: Handler, run: (url: string) => Promise<void>): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  await run(`http://127.0.0.1:${server.addr.port}`);
}

for (const http2 of [false, true]) {
  Deno.test(`a request arrives whole, and so does its answer, over HTTP/${http2 ? 2 : 1}`, async () => {
    const sent = crypto.getRandomValues(new Uint8Array(60_000));
    await withServer(async (request) => {
      assertEquals(new Uint8Array(await request.arrayBuffer()), sent);
      const headers = [["x-two", "a"], ["x-two", "b"], ["x-path", new URL(request.url).search]];
      return new Response(`${request.method} ${request.headers.get("x-sent")}`, {
        status: 418,
        headers: headers as [string, string][],
      });
    }, async (url) => {
      const answer = await requestHttp(`${url}/a%20b?c=d`, {
        method: "PUT",
        headers: { "x-sent": "yes" },
        body: sent,
        http2,
        timeoutMs: 5000,
      });
      assertEquals(answer.status, 418);
      assertEquals(new TextDecoder().decode(answer.body), "PUT yes");
      assertEquals([answer.headers["x-two"], answer.headers["x-path"]], ["a, b", "?c=d"]);
    });
  });
}

for (const http2 of [false, true]) {
  Deno.test(`who never answers is given up in time, over HTTP/${http2 ? 2 : 1}`, async () => {
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepted = silent.accept();
    await assertRejects(
      () => requestHttp(`http://127.0.0.1:${silent.addr.port}/`, { http2, timeoutMs: 100 }),
      Error,
      "no answer within 0.1 s",
    );
    (await accepted).close();
  });
}

Deno.test("where nobody listens, the reason is told", async () => {
  const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  silent.close();
  await assertRejects(
    () => requestHttp(`http://127.0.0.1:${silent.addr.port}/`, { timeoutMs: 5000 }),
    Error,
    "ECONNREFUSED",
  );
});

Deno.test("an answer without an end is given up", async () => {
  const piece = new Uint8Array(1024 * 1024);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
  await withServer(() => new Response(endless), async (url) => {
    await assertRejects(
      () => requestHttp(url, { timeoutMs: 20_000 }),
      Error,
      "the answer has more than 67108864 bytes",
    );
  });
});
