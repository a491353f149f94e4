import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { fromLatin1, toLatin1 } from "../../../bytes/latin1.ts";
import type { NewRejected } from "../../../events/journal.ts";
import type { ByteConn } from "../../../net/socket_conn.ts";
import type { HttpCall } from "../../call.ts";
import { BodyIncompleteError, readBody } from "../body/body.ts";
import { Input } from "../wire/input.ts";
import { FRONT_LIMITS } from "../wire/limits.ts";
import { Http1Connection } from "./connection.ts";
import { MAX_HEAD_BYTES } from "./head.ts";

/** One call, as its handler read it. */
interface Seen extends Pick<HttpCall, "method" | "target" | "version" | "rawHeaders"> {
  readonly body: string;
}

/** Result of a stream, however it was split. */
interface Outcome {
  readonly calls: readonly Seen[];
  readonly refused: readonly Omit<NewRejected, "peer" | "raw">[];
  readonly answers: string;
  readonly ended: "ended" | "tunnel";
}

const ADDRESS: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 };

/** A connection whose client sends these chunks, and then ends its half. */
function connOf(pieces: Uint8Array[], written: string[]): ByteConn {
  let at = 0;
  return {
    localAddr: ADDRESS,
    remoteAddr: ADDRESS,
    read(into) {
      const piece = pieces[at];
      if (piece === undefined) return Promise.resolve(null);
      into.set(piece.subarray(0, into.length));
      if (piece.length > into.length) pieces[at] = piece.subarray(into.length);
      else at++;
      return Promise.resolve(Math.min(piece.length, into.length));
    },
    write(bytes) {
      written.push(toLatin1(bytes));
      return Promise.resolve(bytes.length);
    },
    closeWrite: () => Promise.resolve(),
    close() {},
  };
}

async function serve(text: string, cuts: readonly number[] = []): Promise<Outcome> {
  const all = fromLatin1(text);
  const edges = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
  const pieces = edges.slice(0, -1).map((from, i) => all.slice(from, edges[i + 1]))
    .filter(({ length }) => length > 0);
  const written: string[] = [];
  const calls: Seen[] = [];
  const refused: Omit<NewRejected, "peer" | "raw">[] = [];
  const conn = connOf(pieces, written);
  const facts = {
    peer: "",
    local: "127.0.0.1:1",
    tls: false,
    clientCertificate: undefined,
    gone: new AbortController().signal,
    disturb: () => {},
  };
  const wire = {
    conn,
    input: new Input(conn),
    facts,
    cut: () => {},
    fail(error: unknown) {
      throw error;
    },
    note: ({ raw: _, ...record }: Omit<NewRejected, "peer">) => void refused.push(record),
  };
  const headers = { date: "today" };
  const connection = new Http1Connection(wire, {
    limits: FRONT_LIMITS,
    maxHeadBytes: MAX_HEAD_BYTES,
    memory: undefined,
    isTunnel: (target) => target === "api.example.org:443",
    refuseTunnel: () => undefined,
    instead: (pending, error) => pending.instead(error),
    async answer(call) {
      const { method, target, version, rawHeaders } = call;
      try {
        const body = toLatin1(await readBody(call, { maxBytes: 100_000 }));
        calls.push({ method, target, version, rawHeaders, body });
        return new Response(`${calls.length}`, { headers });
      } catch (error) {
        if (!(error instanceof BodyIncompleteError)) throw error;
        return new Response("broken", { status: 400, headers });
      }
    },
    admit: () => undefined,
    refuse: ({ status }) => new Response("refused", { status, headers }),
    onBroken(_, error) {
      throw error;
    },
  }, 0);
  const ended = await connection.serve();
  return { calls, refused, answers: written.join(""), ended };
}

function everyByte(text: string): Promise<Outcome> {
  return serve(text, Array.from({ length: text.length }, (_, i) => i));
}

/** Statuses of responses, one after the other. */
function statuses({ answers }: Outcome): readonly number[] {
  return [...answers.matchAll(/HTTP\/1\.[01] (\d+) /g)].map(([, status]) => Number(status));
}

const PLAIN = "POST /a?b=c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
const CHUNKED =
  'POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x="y"\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n';
const UPGRADE =
  "POST /u HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings, x\r\nHost: h\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 2\r\n\r\nhi";

/** What a handler receives from a stream: method, target and body of each request. */
const passed: Readonly<Record<string, readonly [input: string, ...calls: readonly string[]]>> = {
  "a request with a length": [PLAIN, "POST /a?b=c abc"],
  "a chunked request with extension and trailer": [CHUNKED, "POST /c abc0123456789"],
  "HTTP/1.0 without any header": ["GET / HTTP/1.0\r\n\r\n", "GET / "],
  "pipelined requests": [
    PLAIN + CHUNKED + PLAIN,
    "POST /a?b=c abc",
    "POST /c abc0123456789",
    "POST /a?b=c abc",
  ],
  "requests behind empty lines": [
    `\r\n\r\n${PLAIN}\r\n\n${PLAIN}`,
    "POST /a?b=c abc",
    "POST /a?b=c abc",
  ],
  "an upgrade offer": [UPGRADE, "POST /u hi"],
  "an upgrade offer on a later request": [PLAIN + UPGRADE, "POST /a?b=c abc", "POST /u hi"],
  "an absolute-form target as origin-form": [
    "GET http://api.example.org:80/v3/../send?x=http://y HTTP/1.1\r\nHost: api.example.org\r\n\r\n",
    "GET /v3/../send?x=http://y ",
  ],
  "an absolute-form target without path": [
    "GET https://h?q HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /?q ",
  ],
  "lines that end in LF alone": [
    "GET / HTTP/1.1\nHost: h\r\nX:  1 \n\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET / ",
    "GET /2 ",
  ],
  "characters that no target may hold": [
    'GET /\xe4{"}|?<^> HTTP/1.1\r\nHost: h\r\n\r\n',
    'GET /\xe4{"}|?<^> ',
  ],
  "OPTIONS *": ["OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * "],
  "a GET with a body": [
    `${PLAIN.replace("POST", "GET")}${PLAIN}`,
    "GET /a?b=c abc",
    "POST /a?b=c abc",
  ],
  "a request in a body": [
    `POST /o HTTP/1.1\r\nHost: h\r\nContent-Length: ${PLAIN.length}\r\n\r\n${PLAIN}`,
    `POST /o ${PLAIN}`,
  ],
};
for (const [name, [input, ...expected]] of Object.entries(passed)) {
  Deno.test(`an HTTP/1 connection accepts ${name}`, async () => {
    for (const outcome of [await serve(input), await everyByte(input)]) {
      assertEquals(outcome.refused, []);
      const seen = outcome.calls.map(({ method, target, body }) => `${method} ${target} ${body}`);
      assertEquals(seen, expected);
      assertEquals(statuses(outcome), expected.map(() => 200));
    }
  });
}

Deno.test("an HTTP/1 connection shows heads as they were sent", async () => {
  const { calls } = await serve(UPGRADE);
  assertEquals(calls[0]?.version, "1.1");
  assertEquals(calls[0]?.rawHeaders, [
    ["Connection", "Upgrade, HTTP2-Settings, x"],
    ["Host", "h"],
    ["Upgrade", "h2c"],
    ["HTTP2-Settings", "AAMAAABk"],
    ["Content-Length", "2"],
  ]);
});

const host = "Host: h\r\n";
Deno.test("an HTTP/1 connection accepts a repeated head, and others that begin like it", async () => {
  const begin = `POST /a HTTP/1.1\r\n${host}X-A: 1\r\nContent-Length: 1\r\n`;
  const same = `${begin}\r\nx`;
  const stream = `${same}${same}${begin}X-B: 2\r\n\r\ny${same}GET /a HTTP/1.1\r\n${host}\r\n`;
  const expected = [["x", 3], ["x", 3], ["y", 4], ["x", 3], ["", 1]];
  for (const { calls, refused } of [await serve(stream), await everyByte(stream)]) {
    assertEquals(refused, []);
    assertEquals(calls.map(({ body, rawHeaders }) => [body, rawHeaders.length]), expected);
  }
});

const refused: readonly (readonly [name: string, input: string, status: number])[] = [
  ["HTTP/0.9", "GET /\r\n\r\n", 400],
  ["no HTTP at all", "EHLO client.example.org\r\n\r\n", 400],
  ["HTTP/2 in a request line", "GET / HTTP/2.0\r\n\r\n", 505],
  ["two blanks in a request line", "GET  / HTTP/1.1\r\n\r\n", 400],
  ["a target that is no path", "GET x HTTP/1.1\r\nHost: h\r\n\r\n", 400],
  ["CONNECT", "CONNECT api.example.org:443 HTTP/1.1\r\nHost: h\r\n\r\n", 501],
  ["a header line without colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400],
  ["a blank before the colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400],
  ["a folded header line", `GET / HTTP/1.1\r\n${host}X: 1\r\n 2\r\n\r\n`, 400],
  ["a bare CR in a value", `GET / HTTP/1.1\r\n${host}X: 1\rY: 2\r\n\r\n`, 400],
  ["a bare CR in a request line", "GET /\r HTTP/1.1\r\nHost: h\r\n\r\n", 400],
  ["a NUL in a value", `GET / HTTP/1.1\r\n${host}X: \0\r\n\r\n`, 400],
  ["a NUL in a target", "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", 400],
  ["two Host headers", `GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ["a Host that is none", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400],
  [
    "a length and a transfer coding",
    `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
  ],
  [
    "two lengths",
    `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\ncontent-length: 3\r\n\r\nabc`,
    400,
  ],
  ["a list of lengths", `POST / HTTP/1.1\r\n${host}Content-Length: 3, 3\r\n\r\nabc`, 400],
  ["a signed length", `POST / HTTP/1.1\r\n${host}Content-Length: +3\r\n\r\nabc`, 400],
  [
    "a length too long",
    `POST / HTTP/1.1\r\n${host}Content-Length: ${"9".repeat(16)}\r\n\r\n`,
    400,
  ],
  ["chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
  [
    "chunked twice",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, chunked\r\n\r\n`,
    400,
  ],
  [
    "a coding around chunked",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    501,
  ],
  [
    "a coding that hides chunked",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n`,
    400,
  ],
  [
    "chunked that is not last",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n`,
    400,
  ],
  [
    "two transfer codings",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n`,
    400,
  ],
  ["101 headers", `GET / HTTP/1.1\r\nHost: h\r\n${"X: 1\r\n".repeat(101)}\r\n`, 431],
  [
    "a head that is too long",
    `GET / HTTP/1.1\r\nHost: h\r\nX: ${"y".repeat(MAX_HEAD_BYTES)}\r\n\r\n`,
    431,
  ],
  [
    "a head that does not end",
    `GET / HTTP/1.1\r\nHost: h\r\nX: ${"y".repeat(MAX_HEAD_BYTES)}`,
    431,
  ],
];
const chunkFaults: readonly (readonly [name: string, body: string])[] = [
  ["no size", "\r\n"],
  ["a size that is no number", "x\r\n"],
  ["a negative size", "-1\r\n"],
  ["a size too large", `${"f".repeat(14)}\r\n`],
  ["a size ended by LF", "3\nabc\r\n"],
  ["an extension with a bare LF", "3;x\nabc\r\n"],
  ["an extension that does not end", `3;${"x".repeat(5000)}`],
  ["data longer than its size", "3\r\nabcd\r\n"],
  ["data ended by LF", "3\r\nabc\n0\r\n"],
  ["a trailer with a bare LF", "0\r\nX: 1\n\r\n"],
  ["a trailer with a bare CR", "0\r\nX: 1\rY: 2\r\n\r\n"],
  ["trailers that do not end", `0\r\n${"X: 1\r\n".repeat(5000)}`],
];
for (const [name, body] of chunkFaults) {
  const input = `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n${body}`;
  Deno.test(`an HTTP/1 connection refuses a chunked body with ${name}`, async () => {
    for (const outcome of [await serve(input), await everyByte(input)]) {
      assertEquals([outcome.calls, statuses(outcome)], [[], [400]]);
      assertEquals(outcome.refused[0]?.status, 400);
      assertEquals(outcome.refused.length, 1);
    }
  });
}
for (const [name, input, status] of refused) {
  Deno.test(`an HTTP/1 connection refuses ${name}`, async () => {
    const before = PLAIN + input + PLAIN;
    for (const outcome of [await serve(before), await everyByte(before)]) {
      assertEquals(statuses(outcome), [200, status]);
      assertEquals(outcome.refused.map((record) => record.status), [status]);
      assertMatch(outcome.refused[0]!.reason, /^Cannot .*[^.]$/);
      assertEquals(outcome.calls.length, 1);
      assertMatch(outcome.answers, /\r\nConnection: close\r\n\r\nrefused$/);
    }
  });
}

Deno.test("an HTTP/1 connection accepts the longest allowed head", async () => {
  const start = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
  const head = `${start}${"y".repeat(MAX_HEAD_BYTES - start.length - 4)}\r\n\r\n`;
  assertEquals(statuses(await serve(head)), [200]);
  assertEquals(statuses(await serve(head.replace("y", "yy"))), [431]);
  assertEquals((await serve(PLAIN + head + PLAIN)).calls.length, 3);
});

Deno.test("an HTTP/1 connection reports where its client broke off", async () => {
  const reasons = async (text: string): Promise<readonly string[]> =>
    (await everyByte(text)).refused.map(({ reason }) => reason);
  const inside = (what: string): string[] => [
    `Cannot read a request: the client ended it inside its ${what}`,
  ];
  assertEquals(await reasons(""), []);
  assertEquals(await reasons("\r\n"), []);
  assertEquals(await reasons("GET / HT"), inside("head"));
  assertEquals(await reasons(PLAIN.slice(0, -1)), inside("body"));
  assertEquals(await reasons(CHUNKED.slice(0, -1)), inside("body"));
});

Deno.test("an HTTP/1.0 connection is kept alive only on request", async () => {
  const get = "GET / HTTP/1.0\r\n\r\n";
  const keep = "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
  const kept = await serve(keep + get + get);
  assertEquals(kept.calls.length, 2);
  assertMatch(kept.answers, /^HTTP\/1\.0 200 OK\r\n[^]*\r\nConnection: keep-alive\r\n/);
  assertMatch(kept.answers, /\r\nConnection: close\r\n\r\n2$/);
});

Deno.test("an HTTP/1 connection opens a tunnel for its first request only", async () => {
  const connect = "CONNECT api.example.org:443 HTTP/1.1\r\nHost: api.example.org\r\n\r\n";
  const { ended, answers } = await serve(`${connect}\x16\x03`);
  assertEquals([ended, answers], ["tunnel", "HTTP/1.1 200 Connection established\r\n\r\n"]);
  assertEquals(statuses(await serve(PLAIN + connect)), [200, 501]);
});

Deno.test("a refusal quotes the offending text without control characters", async () => {
  const { refused } = await serve("G\x1b[31mT / x\r\n\r\n");
  assertStringIncludes(refused[0]!.reason, '"G?[31mT / x"');
});

const token = fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/);
const value = fc.stringMatching(/^[\x21-\x7e\xa0-\xff]{0,20}$/);
const message = fc.record({
  method: fc.constantFrom("GET", "POST", "put", "M-SEARCH"),
  target: fc.stringMatching(/^\/[a-z0-9./?=&%_~-]{0,30}$/),
  headers: fc.array(fc.tuple(token.map((name) => `X-${name}`), value), { maxLength: 8 }),
  body: fc.option(fc.string({ unit: "binary-ascii", maxLength: 200 })),
  chunks: fc.boolean(),
  upgrades: fc.boolean(),
});

function write(one: typeof message extends fc.Arbitrary<infer T> ? T : never): string {
  const lines = [`${one.method} ${one.target} HTTP/1.1`, "Host: h"];
  for (const [name, text] of one.headers) lines.push(`${name}: ${text}`);
  if (one.upgrades) lines.push("Connection: upgrade", "Upgrade: websocket");
  if (one.body === null) return `${lines.join("\r\n")}\r\n\r\n`;
  if (!one.chunks) {
    return `${lines.join("\r\n")}\r\nContent-Length: ${one.body.length}\r\n\r\n${one.body}`;
  }
  const parts = one.body.match(/[^]{1,7}/g) ?? [];
  const framed = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("");
  return `${lines.join("\r\n")}\r\nTransfer-Encoding: chunked\r\n\r\n${framed}0\r\n\r\n`;
}

Deno.test("an HTTP/1 connection reads the same requests wherever the stream is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 4 }),
      fc.array(fc.nat(1500), { maxLength: 12 }),
      async (messages, cuts) => {
        const stream = messages.map(write).join("");
        const whole = await serve(stream);
        assertEquals(whole.refused, []);
        assertEquals(
          whole.calls.map(({ method, target, body }) => ({ method, target, body })),
          messages.map(({ method, target, body }) => ({ method, target, body: body ?? "" })),
        );
        assertEquals(await serve(stream, cuts), whole);
      },
    ),
    fuzzed(300),
  );
});

Deno.test("an HTTP/1 connection handles any bytes the same, wherever they are split", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary-ascii", maxLength: 30 }),
    fc.constantFrom(
      "\r\n",
      "\r",
      "\n",
      "\r\n\r\n",
      "GET / HTTP/1.1",
      "0",
      "3\r\n",
      "a",
      PLAIN,
      CHUNKED,
      "Transfer-Encoding: chunked\r\n",
      "POST / HTTP/1.1\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\n",
      UPGRADE,
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join("")),
      fc.array(fc.nat(600), { maxLength: 12 }),
      async (stream, cuts) => assertEquals(await serve(stream, cuts), await serve(stream)),
    ),
    fuzzed(1000),
  );
});
