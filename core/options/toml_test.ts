import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { ConfigError } from "../errors.ts";
import { parseToml } from "./toml.ts";

Deno.test("a fault of the file is named with its place", () => {
  const table = [
    ["a = \n", 'Cannot read "x.toml", line 2: Cannot parse value'],
    ["[ui\nport = 1", 'Cannot read "x.toml", line 1: Not closed by "]" after started with "["'],
    ['a = "open', 'Cannot read "x.toml", line 1: Single-line string is not closed'],
    ["a = 08", 'Cannot read "x.toml", line 1: Cannot parse value'],
  ] as const;
  for (const [text, message] of table) {
    const error = assertThrows(() => parseToml(text, "x.toml"), ConfigError);
    assertEquals(error.problems, [message]);
  }
});

Deno.test("a fault of the file does not repeat the lines around it", () => {
  const text = '[plugins.mail.providers.smtp]\npassword = "hunter2"\nport = = 1\n';
  const { message } = assertThrows(() => parseToml(text, "x.toml"), ConfigError);
  assertEquals(message.includes("hunter2"), false, message);
  assertEquals(message.split("\n").length, 1);
});

Deno.test("any text is a file or a fault of the file", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        parseToml(text, "x.toml");
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
      }
    }),
    fuzzed(),
  );
});
