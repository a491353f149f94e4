import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { shellQuote, toCurl } from "./curl.js";

const encode = (/** @type {string} */ text) => new TextEncoder().encode(text);
const ORIGIN = "http://localhost:8822";

Deno.test("a captured request becomes a command", () => {
  const raw = {
    transport: "http",
    text: true,
    method: "POST",
    path: "/v3/mail/send?a=[1]",
    headers: {
      host: ["evil.example"],
      "content-type": ["application/json"],
      "content-length": ["7"],
      "x-two": ["a", "b's"],
      "x-empty": [""],
    },
  };
  const command = toCurl(raw, { origin: ORIGIN, body: encode(`{"a":'}`) });
  assertEquals(
    command,
    [
      "curl 'http://localhost:8822/v3/mail/send?a=[1]'",
      "-X 'POST'",
      "--globoff",
      "-H 'content-type: application/json'",
      "-H 'x-two: a'",
      "-H 'x-two: b'\\''s'",
      "-H 'x-empty;'",
      "--data-binary '{\"a\":'\\''}'",
    ].join(" \\\n  "),
  );
});

Deno.test("a body that names a file, or holds bytes that a terminal obeys, goes through base64", () => {
  for (const text of ["@/etc/passwd", "a\u0000b", "a\tb", "a\r\nb", "\u001b[2J"]) {
    const command = toCurl({ transport: "http", text: true, method: "POST" }, {
      origin: ORIGIN,
      body: encode(text),
    });
    assertStringIncludes(command, "base64 -d <<'BODY' | curl ");
    assertStringIncludes(command, "--data-binary @-\n");
    assert(command.endsWith("\nBODY"));
    assert(!command.includes(text));
  }
});

Deno.test("without a content type curl sends none", () => {
  const command = toCurl({ transport: "http", text: true, method: "POST", path: "/a/../b" }, {
    origin: ORIGIN,
    body: encode("x"),
  });
  assertStringIncludes(command, "-H 'Content-Type:'");
  assertStringIncludes(command, "--path-as-is");
});

Deno.test("a quoted word has no way out of its quotes", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const quoted = shellQuote(text);
    // What is left after every escaped quote is one pair of quotes with none inside.
    assertEquals(/^'[^']*'$/.test(quoted.replaceAll("'\\''", "")), true);
  }));
});
