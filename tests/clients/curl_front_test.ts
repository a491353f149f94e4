import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { decodeBody, readBody } from "../../core/http/server/body/body.ts";
import { clientTest, runProgram } from "../support/clients.ts";
import { openFront, type Told } from "../support/raw_http.ts";

async function curl(program: string, args: readonly string[], stdin?: string | Uint8Array) {
  const options = stdin === undefined ? {} : { stdin };
  const { code, stdout, stderr } = await runProgram(
    program,
    ["--silent", "--show-error", "--max-time", "20", ...args],
    options,
  );
  assertEquals(code, 0, stderr);
  return stdout;
}

async function told(program: string, args: readonly string[], stdin?: Uint8Array): Promise<Told> {
  return JSON.parse(await curl(program, args, stdin));
}

clientTest(
  "curl posts over HTTP/1.1, header order and case are kept",
  ["curl"],
  async ({ curl }) => {
    await using front = await openFront();
    const got = await told(curl, [
      "-d",
      "a=b",
      "-H",
      "X-MiXed: 1",
      "-H",
      "A-First: 2",
      `${front.url}/p?q`,
    ]);
    assertEquals([got.method, got.target, got.version, got.body], ["POST", "/p?q", "1.1", "a=b"]);
    assertEquals(got.rawHeaders.map(([name]) => name).slice(-4), [
      "X-MiXed",
      "A-First",
      "Content-Length",
      "Content-Type",
    ]);
  },
);

clientTest("curl posts over HTTP/1.0", ["curl"], async ({ curl }) => {
  await using front = await openFront();
  const got = await told(curl, ["--http1.0", "-d", "a=b", front.url]);
  assertEquals([got.version, got.body], ["1.0", "a=b"]);
});

clientTest("curl posts over HTTP/2 with prior knowledge", ["curl"], async ({ curl }) => {
  await using front = await openFront();
  const got = await told(curl, ["--http2-prior-knowledge", "-d", "a=b", `${front.url}/a/b?q=%2e`]);
  assertEquals([got.method, got.target, got.version, got.body], ["POST", "/a/b?q=%2e", "2", "a=b"]);
  assertMatch(got.peer, /^127\.0\.0\.1:\d+$/);
  assert(got.peer !== `127.0.0.1:${front.port}`);
});

clientTest(
  "curl is refused HTTP/2 with prior knowledge when it is off",
  ["curl"],
  async ({ curl }) => {
    await using front = await openFront({ h2c: false });
    const { code } = await runProgram(curl, [
      "-s",
      "--http2-prior-knowledge",
      "-d",
      "a=b",
      front.url,
    ]);
    assert(code !== 0);
    assertEquals(front.calls, []);
    assertStringIncludes(front.refused[0]!.reason, "HTTP/2");
  },
);

clientTest(
  "curl offers an upgrade to HTTP/2 on a POST and is answered over HTTP/1.1",
  ["curl"],
  async ({ curl }) => {
    await using front = await openFront();
    const got = await told(curl, ["--http2", "-d", "a=b", front.url]);
    assertEquals([got.version, got.body], ["1.1", "a=b"]);
    assert(got.rawHeaders.some(([name, value]) => name === "Upgrade" && value === "h2c"));
  },
);

clientTest(
  "curl uses the front as a proxy, with absolute-form targets",
  ["curl"],
  async ({ curl }) => {
    await using front = await openFront();
    const got = await told(curl, [
      "-x",
      front.url,
      "-d",
      "a=b",
      "http://api.example.org/v3/send?x",
    ]);
    assertEquals([got.target, got.body], ["/v3/send?x", "a=b"]);
    assert(got.rawHeaders.some(([name, value]) => name === "Host" && value === "api.example.org"));
  },
);

clientTest(
  "curl is refused a tunnel with a reason, and the refusal is recorded",
  ["curl"],
  async ({ curl }) => {
    await using front = await openFront();
    const { code, stderr } = await runProgram(curl, [
      "-sS",
      "-x",
      front.url,
      "https://api.example.org/",
    ]);
    assert(code !== 0);
    assertStringIncludes(stderr, "501");
    assertEquals(front.refused[0]!.method, "CONNECT");
  },
);

clientTest("curl waits for 100 Continue and sends 2 MB", ["curl"], async ({ curl }) => {
  await using front = await openFront();
  const body = new Uint8Array(2 * 1024 * 1024).fill(0x61);
  const got = await told(curl, [
    "--expect100-timeout",
    "15",
    "-H",
    "Expect: 100-continue",
    "--data-binary",
    "@-",
    front.url,
  ], body);
  assertEquals(got.body, `${body.length} bytes`);
});

clientTest(
  "curl sends chunks from a pipe, over HTTP/1.1 and HTTP/2",
  ["curl"],
  async ({ curl }) => {
    await using front = await openFront();
    const body = crypto.getRandomValues(new Uint8Array(60_000));
    for (const version of ["--http1.1", "--http2-prior-knowledge"]) {
      const got = await told(curl, [version, "-T", "-", `${front.url}/up`], body);
      assertEquals([got.method, got.body], ["PUT", "60000 bytes"]);
    }
  },
);

clientTest("curl sends a gzip body, which is decoded", ["curl"], async ({ curl: program }) => {
  await using front = await openFront({
    async handler(call) {
      const body = await readBody(call, { maxBytes: 1000 });
      const decoded = await decodeBody(body, call.headers.get("content-encoding"), {
        maxBytes: 10_000,
      });
      return new Response(decoded as Uint8Array<ArrayBuffer>);
    },
  });
  const text = "hello ".repeat(1000);
  const args = ["-H", "Content-Encoding: gzip", "--data-binary", "@-", front.url];
  assertEquals(await curl(program, args, gzipSync(text)), text);
});

clientTest(
  "curl sends a HEAD request, over HTTP/1.1 and HTTP/2",
  ["curl"],
  async ({ curl: program }) => {
    await using front = await openFront({ handler: () => new Response("body") });
    for (const version of ["--http1.1", "--http2-prior-knowledge"]) {
      const head = await curl(program, [version, "--head", front.url]);
      assertMatch(head, /^HTTP\/[\d.]+ 200/);
      assertMatch(head, /content-type: text\/plain/i);
    }
  },
);

clientTest("curl sends many requests over one connection", ["curl"], async ({ curl: program }) => {
  await using front = await openFront({ handler: (call) => new Response(`${call.peer}\n`) });
  const peers = await curl(program, [`${front.url}/[1-300]`]);
  const lines = peers.trim().split("\n");
  assertEquals(lines.length, 300);
  assertEquals(new Set(lines).size, 1);
});
