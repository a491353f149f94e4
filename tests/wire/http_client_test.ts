/** The program's own requests to a running instance. */
import { assertEquals, assertRejects } from "@std/assert";
import { requestHttp } from "../../core/net/http_client.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/** Runs a server for one test, and passes its address to the callback. */
async function withServer(handler: Handler, run: (url: string) => Promise<void>): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  await run(`http://127.0.0.1:${server.addr.port}`);
}

for (const http2 of [false, true]) {
  Deno.test(`a request and its answer arrive whole over HTTP/${http2 ? 2 : 1}`, async () => {
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
  Deno.test(`a request that is never answered times out over HTTP/${http2 ? 2 : 1}`, async () => {
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepted = silent.accept();
    await assertRejects(
      () => requestHttp(`http://127.0.0.1:${silent.addr.port}/`, { http2, timeoutMs: 100 }),
      Error,
      "no response within 0.1 s",
    );
    (await accepted).close();
  });
}

Deno.test("a refused connection is reported with the reason", async () => {
  const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  silent.close();
  await assertRejects(
    () => requestHttp(`http://127.0.0.1:${silent.addr.port}/`, { timeoutMs: 5000 }),
    Error,
    "ECONNREFUSED",
  );
});

Deno.test("an endless answer is given up", async () => {
  const piece = new Uint8Array(1024 * 1024);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
  await withServer(() => new Response(endless), async (url) => {
    await assertRejects(
      () => requestHttp(url, { timeoutMs: 20_000 }),
      Error,
      "the response has more than 67108864 bytes",
    );
  });
});

Deno.test("a body is streamed out, and its answer is streamed back, whatever their length", async () => {
  const total = 80 * 1024 * 1024;
  const piece = new Uint8Array(1024 * 1024).fill(7);
  await withServer((request) => new Response(request.body), async (url) => {
    let left = total;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left === 0) return controller.close();
        controller.enqueue(piece);
        left -= piece.length;
      },
    });
    let got = 0;
    const answer = await requestHttp(url, {
      method: "POST",
      body,
      timeoutMs: 20_000,
      onChunk: (bytes) => {
        got += bytes.length;
        return Promise.resolve();
      },
    });
    assertEquals([got, answer.body.length], [total, 0]);
  });
});

Deno.test("only an answer with status 200 is streamed", async () => {
  await withServer(() => new Response("no", { status: 404 }), async (url) => {
    const onChunk = () => Promise.reject(new Error("taken"));
    const { body } = await requestHttp(url, { timeoutMs: 5000, onChunk });
    assertEquals(new TextDecoder().decode(body), "no");
  });
});

Deno.test("a truncated answer, or a consumer that throws, is an error", async () => {
  const broken = (): ReadableStream<Uint8Array> => {
    let pieces = 3;
    return new ReadableStream({
      pull(controller) {
        if (pieces-- === 0) controller.error(new Error("the end"));
        else controller.enqueue(new Uint8Array(100_000));
      },
    });
  };
  const refuse = () => Promise.reject(new Error("disk full"));
  await withServer(() => new Response(broken()), async (url) => {
    await assertRejects(() =>
      requestHttp(url, { timeoutMs: 5000, onChunk: () => Promise.resolve() })
    );
    await assertRejects(
      () => requestHttp(url, { timeoutMs: 5000, onChunk: refuse }),
      Error,
      "disk full",
    );
  });
});

Deno.test("a request stream that fails is an error", async () => {
  await withServer(async (request) => {
    await request.arrayBuffer().catch(() => {});
    return new Response("never");
  }, async (url) => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("cannot be read")),
    });
    await assertRejects(
      () => requestHttp(url, { method: "POST", body, timeoutMs: 5000 }),
      Error,
      "cannot be read",
    );
  });
});
