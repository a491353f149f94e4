import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { formatPort, parseExtendedPort, parsePort } from "./address.ts";
import { formatLong } from "../../codec/long_line.ts";
import { decodeCommand, isAbort, isUrgent } from "./command.ts";
import { FACTS, formatFacts, formatTime, parseFacts, parseTime, toWildcard } from "./listing.ts";
import { encodeReply, quotePath, toReply } from "./reply.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("commands are read in any case, with their argument as sent", () => {
  assertEquals(decodeCommand(bytes("stor  a b \r\n")), { verb: "STOR", argument: " a b " });
  assertEquals(decodeCommand(bytes("NOOP\n")), { verb: "NOOP", argument: "" });
  assertEquals(decodeCommand(bytes("\xff\xf4\xffABOR\r\n")), { verb: "ABOR", argument: "" });
  assertEquals(decodeCommand(bytes("\xff\xf4\xff\xf2ABOR\r")), { verb: "ABOR", argument: "" });
  assertEquals(decodeCommand(bytes("\xf2NOOP\r\n")), { verb: "NOOP", argument: "" });
  assertEquals(decodeCommand(bytes("CWD \xf0\x9f\x8e\x88\r\n")), { verb: "CWD", argument: "🎈" });
  assertThrows(() => decodeCommand(bytes("CWD \xc3\x28\r\n")), WireError);
});

Deno.test("an ABOR is seen with and without its line end and telnet codes", () => {
  // Whichever bytes of IAC IP IAC DM are urgent do not come.
  for (let came = 0; came < 16; came++) {
    const synch = [..."\xff\xf4\xff\xf2"].filter((_, i) => (came >> i & 1) === 1).join("");
    for (const text of ["ABOR\r\n", "ABOR\r", "abor\n"]) {
      assert(isAbort(bytes(synch + text)), JSON.stringify(synch + text));
    }
  }
  for (const text of ["", "ABOR", "ABO\r\n", "ABORT\r\n", "NOOP\r\n", "ABOR\r\nX"]) {
    assert(!isAbort(bytes(text)), JSON.stringify(text));
  }
});

Deno.test("only commands of a running transfer are complete without a line feed", () => {
  for (
    const text of [
      "ABOR\r",
      "\xff\xf4\xffABOR\r",
      "STAT\r",
      "stat /a b\r",
      "\xf2STAT x\r",
      "QUIT\r",
    ]
  ) {
    assert(isUrgent(bytes(text)), JSON.stringify(text));
  }
  for (
    const text of ["", "\r", "STAT", "STAT\r\n", "STATE\r", "NOOP\r", "STAT a\nb\r", "QUIT now\r"]
  ) {
    assert(!isUrgent(bytes(text)), JSON.stringify(text));
  }
});

Deno.test("no command line throws anything but a WireError", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (line) => {
    try {
      decodeCommand(line);
    } catch (error) {
      assert(error instanceof WireError);
    }
    isAbort(line);
    isUrgent(line);
  }));
});

Deno.test("replies of several lines cannot be mistaken, nor can text add one", () => {
  const text = new TextDecoder().decode(
    encodeReply(toReply(211, "Features", "211 UTF8", "a\r\nb", "End")),
  );
  assertEquals(text, "211-Features\r\n 211 UTF8\r\n a??b\r\n211 End\r\n");
  assertEquals(quotePath('/a"b'), '"/a""b"');
});

Deno.test("addresses of data connections are read strictly", () => {
  assertEquals(parsePort("127,0,0,1,8,73"), { hostname: "127.0.0.1", port: 2121 });
  assertEquals(formatPort({ hostname: "127.0.0.1", port: 2121 }), "127,0,0,1,8,73");
  for (
    const text of ["", "1,2,3", "256,0,0,1,1,1", "1,2,3,4,5,6,7", "a,b,c,d,e,f", "1,2,3,4,5,-6"]
  ) {
    assertEquals(parsePort(text), undefined, text);
  }
  assertEquals(parseExtendedPort("|1|127.0.0.1|2121|"), { hostname: "127.0.0.1", port: 2121 });
  assertEquals(parseExtendedPort("!2!::1!65535!"), { hostname: "::1", port: 65_535 });
  assertEquals(parseExtendedPort("|3|x|1|"), "family");
  for (
    const text of [
      "",
      "|1|127.0.0.1|70000|",
      "|1|localhost|1|",
      "|1|127.0.0.1|1",
      "1|1|1",
      "|1||1|",
    ]
  ) {
    assertEquals(parseExtendedPort(text), undefined, text);
  }
});

const NOW = Date.parse("2026-06-01T12:00:00Z");
const ENTRY = { id: 40, name: "a b.txt", dir: false, size: 12, mtimeMs: NOW - 60_000 };

Deno.test("listings have the form that clients parse", () => {
  assertEquals(
    formatLong(ENTRY, NOW),
    "-rw-rw-rw-   1 owner group           12 Jun  1 11:59 a b.txt",
  );
  assertEquals(
    formatLong({ ...ENTRY, dir: true, size: 0, mtimeMs: Date.parse("2020-01-02T00:00:00Z") }, NOW),
    "drwxrwxrwx   1 owner group            0 Jan  2  2020 a b.txt",
  );
  assertEquals(
    formatFacts(ENTRY, FACTS),
    "type=file;size=12;modify=20260601115900;perm=adfrw;unique=14;unix.mode=0666;",
  );
  assertEquals(formatFacts({ ...ENTRY, dir: true }, parseFacts("Type;SIZE;nope;")), "type=dir;");
});

Deno.test("times of MFMT are read and written", () => {
  assertEquals(parseTime("20260601115900"), NOW - 60_000);
  assertEquals(parseTime("20260601115900.25"), NOW - 60_000 + 250);
  assertEquals(formatTime(NOW), "20260601120000");
  for (const text of ["", "2026", "20261301000000", "2026060111590x"]) {
    assertEquals(parseTime(text), undefined);
  }
});

Deno.test("patterns support stars and question marks, in bounded time", () => {
  assert(toWildcard("*.bin")("a.bin"));
  assert(toWildcard("a?c*")("abcdef"));
  assert(toWildcard("*")(""));
  assert(!toWildcard("*.bin")("a.txt"));
  assert(!toWildcard("a?")("a"));
  assert(!toWildcard("*a".repeat(100) + "b")("a".repeat(255)));
});
