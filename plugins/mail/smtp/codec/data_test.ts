import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { DataDecoder } from "./data.ts";

interface Decoded {
  /** Octets of the message, one character each. */
  readonly message: string;
  /** Whether the data has ended. */
  readonly ended: boolean;
  /** Bytes after the end. */
  readonly rest: string;
  readonly bareLineEnds: number;
  readonly longestLine: number;
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function toText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function decode(chunks: readonly Uint8Array[]): Decoded {
  const decoder = new DataDecoder();
  let message = "";
  let rest = "";
  let ended = false;
  for (const chunk of chunks) {
    if (ended) {
      rest += toText(chunk);
      continue;
    }
    const used = decoder.push(chunk, { add: (piece) => message += toText(piece) });
    if (used === undefined) continue;
    ended = true;
    rest = toText(chunk.subarray(used));
  }
  const { bareLineEnds, longestLine } = decoder;
  return { message, ended, rest, bareLineEnds, longestLine };
}

function decodeText(text: string): Decoded {
  return decode([toBytes(text)]);
}

/** The encoding of a client: RFC 5321 section 4.5.2. */
function encode(message: string): string {
  const lined = message === "" || message.endsWith("\r\n") ? message : `${message}\r\n`;
  return lined.replace(/(^|\r\n)\./g, "$1..") + ".\r\n";
}

Deno.test.each([
  ["a message", "Subject: a\r\n\r\nb\r\n.\r\n", "Subject: a\r\n\r\nb\r\n", ""],
  ["an empty message", ".\r\n", "", ""],
  ["what follows the end", "a\r\n.\r\nQUIT\r\n", "a\r\n", "QUIT\r\n"],
  ["a line of one dot", "a\r\n..\r\nb\r\n.\r\n", "a\r\n.\r\nb\r\n", ""],
  ["a first line with a dot", "..a\r\n.\r\n", ".a\r\n", ""],
  ["a dot that was not doubled", "a\r\n.b\r\n.\r\n", "a\r\nb\r\n", ""],
  ["many dots", "a\r\n.....\r\n.\r\n", "a\r\n....\r\n", ""],
  ["dots within a line", "a.b.\r\n.\r\n", "a.b.\r\n", ""],
  ["octets beyond ASCII and NUL", "\x00\xff\r\n.\r\n", "\x00\xff\r\n", ""],
])("data gives %s", (_name, wire, message, rest) => {
  const decoded = decodeText(wire);
  assertEquals([decoded.message, decoded.ended, decoded.rest], [message, true, rest]);
});

// Smuggling: each of these ends the data for some server, and none does in RFC 5321.
Deno.test.each([
  ["LF . LF", "a\n.\nb", "a\n.\nb"],
  ["LF . CR LF", "a\n.\r\nb", "a\n.\r\nb"],
  ["CR LF . LF", "a\r\n.\nb", "a\r\n\nb"],
  ["CR . CR", "a\r.\rb", "a\r.\rb"],
  ["CR LF . CR", "a\r\n.\rb", "a\r\n\rb"],
  ["CR . CR LF", "a\r.\r\nb", "a\r.\r\nb"],
  ["CR LF NUL . CR LF", "a\r\n\0.\r\nb", "a\r\n\0.\r\nb"],
  ["CR CR LF . LF", "a\r\r\n.\nb", "a\r\r\n\nb"],
])("data does not end at %s", (_name, wire, message) => {
  const open = decodeText(wire);
  assertEquals(open.ended, false);
  const closed = decodeText(`${wire}\r\n.\r\nQUIT\r\n`);
  assertEquals([closed.message, closed.rest], [`${message}\r\n`, "QUIT\r\n"]);
});

Deno.test("data counts lone CR and LF", () => {
  assertEquals(decodeText("a\r\nb\r\n.\r\n").bareLineEnds, 0);
  assertEquals(decodeText("a\nb\rc\r\n.\r\n").bareLineEnds, 2);
  assertEquals(decodeText("a\r\n.\rb\r\n.\r\n").bareLineEnds, 1);
  assertEquals(decodeText("a\r\rb\r\n.\r\n").bareLineEnds, 2);
});

Deno.test("data measures its longest line over chunks", () => {
  assertEquals(decodeText("abc\r\nabcdef\r\na\r\n.\r\n").longestLine, 6);
  assertEquals(decode([toBytes("ab"), toBytes("cd"), toBytes("e\r\nf\r\n.\r\n")]).longestLine, 5);
});

/** Few different octets, so that every state is met often. */
const wireText = fc.array(fc.constantFrom("\r\n", ".", "\r", "\n", "a", "\r\n.", "\xff", "\0"), {
  maxLength: 40,
}).map((parts) => parts.join(""));

function cut(bytes: Uint8Array, points: readonly number[]): Uint8Array[] {
  const at = [...new Set(points.map((point) => point % (bytes.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...at, bytes.length];
  return edges.slice(1).map((end, index) => bytes.slice(edges[index], end));
}

Deno.test("data is the same however the stream is split", () => {
  fc.assert(
    fc.property(wireText, fc.array(fc.nat(200), { maxLength: 12 }), (text, points) => {
      const wire = toBytes(`${text}\r\n.\r\nQUIT`);
      const whole = decode([wire]);
      assert(whole.ended);
      assertEquals(decode(cut(wire, points)), whole);
    }),
    fuzzed(500),
  );
});

Deno.test("data decodes any message encoded as RFC 5321 says", () => {
  fc.assert(
    fc.property(wireText, (text) => {
      const message = text === "" || text.endsWith("\r\n") ? text : `${text}\r\n`;
      const decoded = decodeText(encode(text) + "NOOP");
      assertEquals([decoded.message, decoded.rest], [message, "NOOP"]);
    }),
    fuzzed(500),
  );
});

Deno.test("data ends exactly at CR LF . CR LF", () => {
  fc.assert(
    fc.property(fc.oneof(wireText, fc.uint8Array({ maxLength: 300 }).map(toText)), (text) => {
      assertEquals(decodeText(text).ended, `\r\n${text}`.includes("\r\n.\r\n"));
    }),
    fuzzed(300),
  );
});
