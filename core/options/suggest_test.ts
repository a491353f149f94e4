import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { didYouMean, suggest } from "./suggest.ts";

const NAMES = ["port", "bind", "h2c", "max_body", "rejected_capacity", "smtp-port"];

Deno.test("a mistyped name finds the intended one", () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ["prt", "port"],
    ["prot", "port"],
    ["ports", "port"],
    ["PORT", "port"],
    ["max-body", "max_body"],
    ["rejectedcapacity", "rejected_capacity"],
    ["smtp-prot", "smtp-port"],
    ["colour", undefined],
    ["x", undefined],
    ["", undefined],
  ];
  for (const [word, wanted] of table) assertEquals(suggest(word, NAMES), wanted, word);
});

Deno.test("one replaced, missing or additional letter is always forgiven", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NAMES.filter((name) => name.length >= 4)),
      fc.nat(),
      fc.constantFrom("q", ""),
      (name, at, letter) => {
        const index = at % name.length;
        assertEquals(suggest(name.slice(0, index) + letter + name.slice(index + 1), NAMES), name);
      },
    ),
    fuzzed(),
  );
});

Deno.test("a very long word is compared in bounded time", () => {
  assertEquals(suggest("x".repeat(10_000_000), NAMES), undefined);
});

Deno.test("the hint lists the valid names, or says where to find them", () => {
  assertEquals(
    didYouMean("prt", ["port"], { what: "keys" }),
    "did you mean port? Valid keys are port",
  );
  assertEquals(didYouMean("zzz", ["a", "b"], { what: "keys" }), "valid keys are a, b");
  assertEquals(didYouMean("zzz", [], { what: "keys" }), "there are no valid keys");
  const many = Array.from({ length: 30 }, (_, index) => `flag${index}`);
  assertEquals(
    didYouMean("zzz", many, { what: "flags", help: "standin help serve" }),
    "all valid flags are listed by standin help serve",
  );
});
