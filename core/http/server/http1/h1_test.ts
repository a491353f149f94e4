import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { MAX_HEAD_BYTES, RequestTracker, type TrackerRefusal } from "./h1.ts";
import type { RequestHead } from "./head.ts";

/** What a tracker made of a stream, however it was cut. */
interface Outcome {
  readonly forwarded: string;
  readonly heads: readonly RequestHead[];
  readonly refusal?: Pick<TrackerRefusal, "status" | "reason" | "part">;
  readonly phase: string;
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function track(text: string, cuts: readonly number[] = []): Outcome {
  const tracker = new RequestTracker();
  const all = bytes(text);
  const heads: RequestHead[] = [];
  let forwarded = "";
  let refusal: TrackerRefusal | undefined;
  const edges = [0, ...cuts.filter((cut) => cut <= all.length).sort((a, b) => a - b), all.length];
  for (const [i, from] of edges.slice(0, -1).entries()) {
    // A buffer of its own that is spoilt afterwards: the front reuses its buffer, too.
    const chunk = all.slice(from, edges[i + 1]);
    const step = tracker.push(chunk);
    for (const byte of step.forward) forwarded += String.fromCharCode(byte);
    heads.push(...step.heads);
    refusal ??= step.refusal;
    chunk.fill(0x5a);
  }
  const { phase } = tracker;
  if (refusal === undefined) return { forwarded, heads, phase };
  const { status, reason, part } = refusal;
  return { forwarded, heads, phase, refusal: { status, reason, part } };
}

function everyByte(text: string): Outcome {
  return track(text, Array.from({ length: text.length }, (_, i) => i));
}

const PLAIN = "POST /a?b=c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
const CHUNKED =
  'POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x="y"\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n';
const UPGRADE =
  "POST /u HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings, x\r\nHost: h\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 2\r\n\r\nhi";

const passed: readonly (readonly [name: string, input: string, output: string])[] = [
  ["a request with a length", PLAIN, PLAIN],
  ["a chunked request with extension and trailer", CHUNKED, CHUNKED],
  ["HTTP/1.0 without any header", "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"],
  ["pipelined requests", PLAIN + CHUNKED + PLAIN, PLAIN + CHUNKED + PLAIN],
  ["empty lines between requests, without them", `\r\n\r\n${PLAIN}\r\n\n${PLAIN}`, PLAIN + PLAIN],
  [
    "an upgrade offer, without it",
    UPGRADE,
    "POST /u HTTP/1.1\r\nConnection: x\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi",
  ],
  [
    "an upgrade offer on a later request, without it",
    PLAIN + UPGRADE,
    `${PLAIN}POST /u HTTP/1.1\r\nConnection: x\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi`,
  ],
  [
    "an absolute-form target as origin-form",
    "GET http://api.example.org:80/v3/../send?x=http://y HTTP/1.1\r\nHost: api.example.org\r\n\r\n",
    "GET /v3/../send?x=http://y HTTP/1.1\r\nHost: api.example.org\r\n\r\n",
  ],
  [
    "an absolute-form target without path",
    "GET https://h?q HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /?q HTTP/1.1\r\nHost: h\r\n\r\n",
  ],
  [
    "bare line feeds as CR LF",
    "GET / HTTP/1.1\nHost: h\r\nX:  1 \n\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: h\r\nX: 1\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
  ],
  [
    "characters that no target may hold, encoded",
    'GET /\xe4{"}|?<^> HTTP/1.1\r\nHost: h\r\n\r\n',
    "GET /%E4%7B%22%7D%7C?%3C%5E%3E HTTP/1.1\r\nHost: h\r\n\r\n",
  ],
  ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"],
];
for (const [name, input, output] of passed) {
  Deno.test(`RequestTracker passes on ${name}`, () => {
    for (const outcome of [track(input), everyByte(input)]) {
      assertEquals(outcome.refusal, undefined);
      assertEquals(outcome.forwarded, output);
      assertEquals(outcome.phase, "between");
    }
  });
}

Deno.test("RequestTracker keeps heads as sent, whatever it passes on", () => {
  const { heads } = track(UPGRADE);
  assertEquals(heads, [{
    method: "POST",
    target: "/u",
    version: "1.1",
    headers: [
      ["Connection", "Upgrade, HTTP2-Settings, x"],
      ["Host", "h"],
      ["Upgrade", "h2c"],
      ["HTTP2-Settings", "AAMAAABk"],
      ["Content-Length", "2"],
    ],
  }]);
});

const host = "Host: h\r\n";
const refused: readonly (readonly [name: string, input: string, status: number, part: string])[] = [
  ["HTTP/0.9", "GET /\r\n\r\n", 400, "head"],
  ["no HTTP at all", "EHLO client.example.org\r\n\r\n", 400, "head"],
  ["HTTP/2 in a request line", "GET / HTTP/2.0\r\n\r\n", 505, "head"],
  ["two blanks in a request line", "GET  / HTTP/1.1\r\n\r\n", 400, "head"],
  ["a target that is no path", "GET x HTTP/1.1\r\nHost: h\r\n\r\n", 400, "head"],
  ["CONNECT", "CONNECT api.example.org:443 HTTP/1.1\r\nHost: h\r\n\r\n", 501, "head"],
  ["a header line without colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400, "head"],
  ["a blank before the colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400, "head"],
  ["a folded header line", `GET / HTTP/1.1\r\n${host}X: 1\r\n 2\r\n\r\n`, 400, "head"],
  ["a bare CR in a value", `GET / HTTP/1.1\r\n${host}X: 1\rY: 2\r\n\r\n`, 400, "head"],
  ["a bare CR in a request line", "GET /\r HTTP/1.1\r\nHost: h\r\n\r\n", 400, "head"],
  ["a NUL in a value", `GET / HTTP/1.1\r\n${host}X: \0\r\n\r\n`, 400, "head"],
  ["a NUL in a target", "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", 400, "head"],
  ["two Host headers", `GET / HTTP/1.1\r\n${host}${host}\r\n`, 400, "head"],
  ["a Host that is none", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "head"],
  [
    "a length and a transfer coding",
    `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    "head",
  ],
  [
    "two lengths",
    `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\ncontent-length: 3\r\n\r\nabc`,
    400,
    "head",
  ],
  ["a list of lengths", `POST / HTTP/1.1\r\n${host}Content-Length: 3, 3\r\n\r\nabc`, 400, "head"],
  ["a signed length", `POST / HTTP/1.1\r\n${host}Content-Length: +3\r\n\r\nabc`, 400, "head"],
  [
    "a length too long",
    `POST / HTTP/1.1\r\n${host}Content-Length: ${"9".repeat(16)}\r\n\r\n`,
    400,
    "head",
  ],
  ["chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "head"],
  [
    "chunked twice",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, chunked\r\n\r\n`,
    400,
    "head",
  ],
  [
    "a coding around chunked",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    501,
    "head",
  ],
  [
    "a coding that hides chunked",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n`,
    400,
    "head",
  ],
  [
    "chunked that is not last",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n`,
    400,
    "head",
  ],
  [
    "two transfer codings",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n`,
    400,
    "head",
  ],
  ["101 headers", `GET / HTTP/1.1\r\nHost: h\r\n${"X: 1\r\n".repeat(101)}\r\n`, 431, "head"],
  [
    "a head that is too long",
    `GET / HTTP/1.1\r\nHost: h\r\nX: ${"y".repeat(MAX_HEAD_BYTES)}\r\n\r\n`,
    431,
    "head",
  ],
  [
    "a head that does not end",
    `GET / HTTP/1.1\r\nHost: h\r\nX: ${"y".repeat(MAX_HEAD_BYTES)}`,
    431,
    "head",
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
  Deno.test(`RequestTracker refuses a chunked body with ${name}`, () => {
    for (const outcome of [track(input), everyByte(input)]) {
      assertEquals(outcome.refusal?.status, 400);
      assertEquals(outcome.refusal?.part, "body");
    }
  });
}
for (const [name, input, status, part] of refused) {
  Deno.test(`RequestTracker refuses ${name}`, () => {
    const before = PLAIN + input + PLAIN;
    for (const outcome of [track(before), everyByte(before)]) {
      assertEquals(outcome.refusal?.status, status);
      assertEquals(outcome.refusal?.part, part);
      assertMatch(outcome.refusal!.reason, /^Cannot .*[^.]$/);
      assertEquals(outcome.forwarded, PLAIN);
      assertEquals(outcome.phase, "refused");
    }
  });
}

Deno.test("RequestTracker takes the longest head there may be", () => {
  const start = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
  const head = `${start}${"y".repeat(MAX_HEAD_BYTES - start.length - 4)}\r\n\r\n`;
  assertEquals(track(head).forwarded, head);
  assertEquals(track(head.replace("y", "yy")).refusal?.status, 431);
});

Deno.test("RequestTracker does not find a request inside a body", () => {
  const inner = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n";
  const outer = `POST / HTTP/1.1\r\n${host}Content-Length: ${inner.length}\r\n\r\n${inner}`;
  assertEquals(track(outer).heads.map(({ target }) => target), ["/"]);
});

Deno.test("RequestTracker says where a connection broke off", () => {
  assertEquals(track("").phase, "between");
  assertEquals(track("\r\n").phase, "between");
  assertEquals(track("GET / HT").phase, "head");
  assertEquals(track(PLAIN.slice(0, -1)).phase, "body");
  assertEquals(track(CHUNKED.slice(0, -1)).phase, "body");
});

Deno.test("RequestTracker passes an unchanged chunk on without a copy", () => {
  const chunk = bytes(PLAIN + CHUNKED);
  const { forward } = new RequestTracker().push(chunk);
  assert(forward.buffer === chunk.buffer);
});

Deno.test("a refusal quotes what is wrong, without its control characters", () => {
  const { refusal } = track("G\x1b[31mT / x\r\n\r\n");
  assertStringIncludes(refusal!.reason, '"G?[31mT / x"');
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

Deno.test("RequestTracker finds the same requests wherever the stream is cut", () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 4 }),
      fc.array(fc.nat(1500), { maxLength: 12 }),
      (messages, cuts) => {
        const stream = messages.map(write).join("");
        const whole = track(stream);
        assertEquals(whole.refusal, undefined);
        assertEquals(
          whole.heads.map(({ method, target }) => ({ method, target })),
          messages.map(({ method, target }) => ({ method, target })),
        );
        assertEquals(track(stream, cuts), whole);
      },
    ),
    fuzzed(300),
  );
});

Deno.test("RequestTracker comes to the same end with any bytes, wherever they are cut", () => {
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
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join("")),
      fc.array(fc.nat(600), { maxLength: 12 }),
      (stream, cuts) => assertEquals(track(stream, cuts), track(stream)),
    ),
    fuzzed(1000),
  );
});
