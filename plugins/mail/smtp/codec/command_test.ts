import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { decodeCommand, decodeLine, parseBdat, parseMail, parseRcpt } from "./command.ts";
import { PathError } from "./path.ts";

const encoder = new TextEncoder();

Deno.test.each([
  ["QUIT\r\n", "QUIT", ""],
  ["quit\n", "QUIT", ""],
  ["NOOP  \r\n", "NOOP", ""],
  ["ehlo   client.example  \r\n", "EHLO", "client.example"],
  ["MAIL\tFROM:<a@b>\r\n", "MAIL", "FROM:<a@b>"],
  ["\r\n", "", ""],
  ["RCPT TO:<grüße@example.com>\r\n", "RCPT", "TO:<grüße@example.com>"],
])("command %j is read", (line, verb, argument) => {
  assertEquals(decodeCommand(encoder.encode(line)), { verb, argument });
});

Deno.test("a command with control characters is refused", () => {
  for (const text of ["NO\0OP\r\n", "NOOP\rQUIT\r\n", "NOOP \x1b[2J\r\n", "NOOP \x7f\r\n"]) {
    assertThrows(() => decodeCommand(encoder.encode(text)), WireError, "control characters");
  }
});

Deno.test("a command that is not UTF-8 is refused", () => {
  assertThrows(() => decodeCommand(Uint8Array.of(0x4e, 0xfc, 0x0d, 0x0a)), WireError, "UTF-8");
});

Deno.test("a line keeps everything before its line end", () => {
  assertEquals(decodeLine(encoder.encode("dGVzdA==\r\n")), "dGVzdA==");
});

Deno.test.each([
  ["FROM:<a@example.com>", "a@example.com", {}],
  ["from:<a@example.com>", "a@example.com", {}],
  ["FROM: <a@example.com>", "a@example.com", {}],
  ["FROM:a@example.com", "a@example.com", {}],
  ["FROM:<>", "", {}],
  ["FROM:< > SIZE=1", "", { SIZE: "1" }],
  ["FROM:<a@example.com> SIZE=1000 BODY=8BITMIME", "a@example.com", {
    SIZE: "1000",
    BODY: "8BITMIME",
  }],
  ["FROM:<a@example.com>  smtputf8", "a@example.com", { SMTPUTF8: "" }],
  ["FROM:<a@example.com> SMTPUTF8 smtputf8", "a@example.com", { SMTPUTF8: "" }],
  ["FROM:<@relay.example,@b.example:a@example.com>", "a@example.com", {}],
  ['FROM:<"a b\\" c>"@example.com> AUTH=<>', '"a b\\" c>"@example.com', { AUTH: "<>" }],
  ["FROM:<a@[127.0.0.1]>", "a@[127.0.0.1]", {}],
  ["FROM:<a@[IPv6:::1]>", "a@[IPv6:::1]", {}],
  ["FROM:<a..b.@example.com>", "a..b.@example.com", {}],
  ["FROM:<a@host_1.local>", "a@host_1.local", {}],
  ["FROM:<δοκιμή@παράδειγμα.ελ> SMTPUTF8", "δοκιμή@παράδειγμα.ελ", { SMTPUTF8: "" }],
  ["FROM:<!#$%&'*+-/=?^_`{|}~@example.com>", "!#$%&'*+-/=?^_`{|}~@example.com", {}],
])("MAIL %j is read", (args, address, parameters) => {
  const read = parseMail(args);
  assertEquals(read.path.address, address);
  assertEquals(Object.fromEntries(read.parameters), parameters);
});

Deno.test.each([
  ["<a@example.com>", "expected FROM:"],
  ["TO:<a@example.com>", "expected FROM:"],
  ["FROM:<a@example.com", "expected <local-part@domain>"],
  ["FROM:<a@example.com>x", "expected <local-part@domain>"],
  ["FROM:", "expected <local-part@domain>"],
  ["FROM:<a>", "expected <local-part@domain>"],
  ["FROM:<@example.com>", "expected <local-part@domain>"],
  ["FROM:<a@>", "expected <local-part@domain>"],
  ["FROM:<a@b@c>", "expected <local-part@domain>"],
  ["FROM:<a b@example.com>", "expected <local-part@domain>"],
  ["FROM:<a@exam ple.com>", "expected <local-part@domain>"],
  ['FROM:<"a@example.com>', "expected <local-part@domain>"],
  [`FROM:<${"a".repeat(1001)}@example.com>`, "expected <local-part@domain>"],
  ["FROM:<a@example.com> =1", "expected KEYWORD"],
  ["FROM:<a@example.com> SIZE=1 size=2", "given twice"],
])("MAIL %j is refused", (args, message) => {
  assertThrows(() => parseMail(args), WireError, message);
});

Deno.test("RCPT accepts postmaster without a domain, and no other name", () => {
  assertEquals(parseRcpt("TO:<Postmaster>").path.address, "Postmaster");
  assertThrows(() => parseRcpt("TO:<root>"), PathError);
  assertThrows(() => parseRcpt("TO:<>"), PathError);
  assertThrows(() => parseMail("FROM:<postmaster>"), PathError);
});

Deno.test("a path shows whether it is ASCII", () => {
  assertEquals(parseRcpt("TO:<a@example.com>").path.utf8, false);
  assertEquals(parseRcpt("TO:<a@bücher.example>").path.utf8, true);
});

Deno.test("BDAT takes a size and LAST", () => {
  assertEquals(parseBdat("0 LAST"), { size: 0, last: true });
  assertEquals(parseBdat("86 last"), { size: 86, last: true });
  assertEquals(parseBdat("1000"), { size: 1000, last: false });
  for (const args of ["", "LAST", "-1", "1 FIRST", "1.5", "1e3", "1".repeat(16)]) {
    assertThrows(() => parseBdat(args), WireError, "expected BDAT size [LAST]");
  }
});

Deno.test("any line is a command or a WireError", () => {
  const line = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: "grapheme", maxLength: 100 }).map((text) =>
      encoder.encode(`MAIL FROM:${text}`)
    ),
    fc.array(fc.constantFrom("<", ">", "@", ":", ",", '"', "\\", "a", ".", " ", "é", "[", "]"), {
      maxLength: 60,
    }).map((parts) => encoder.encode(`RCPT TO:${parts.join("")}`)),
  );
  fc.assert(
    fc.property(line, (bytes) => {
      try {
        const { verb, argument } = decodeCommand(bytes);
        if (verb === "MAIL") parseMail(argument);
        if (verb === "RCPT") parseRcpt(argument);
        if (verb === "BDAT") parseBdat(argument);
      } catch (error) {
        assert(error instanceof WireError, String(error));
      }
    }),
    fuzzed(500),
  );
});
