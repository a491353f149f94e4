import { assertEquals } from "@std/assert";
import { toMbox } from "./mbox.ts";

const receivedAt = new Date("2026-02-03T04:05:06Z");
const write = (text: string, from = "a@example.org"): string =>
  new TextDecoder().decode(
    toMbox({ from, receivedAt, message: new TextEncoder().encode(text) }),
  );
const HEAD = "From a@example.org Tue Feb  3 04:05:06 2026\n";

const CASES: readonly (readonly [name: string, message: string, written: string])[] = [
  ["line ends become LF", "A: b\r\n\r\nx\r\n", "A: b\n\nx\n\n"],
  ["a last line without an end gets one", "A: b\n\nx", "A: b\n\nx\n\n"],
  [
    "a line that begins like a separator is marked",
    "\nFrom me\nFromage\n",
    "\n>From me\nFromage\n\n",
  ],
  [
    "and one that is marked already, once more",
    "\n>>From me\n> From me\n",
    "\n>>>From me\n> From me\n\n",
  ],
  ["an empty message is an empty one", "", "\n"],
  ["a bare CR stays", "a\rb\n", "a\rb\n\n"],
];

for (const [name, message, written] of CASES) {
  Deno.test(`mailbox: ${name}`, () => assertEquals(write(message), HEAD + written));
}

Deno.test("mailbox: a sender that could break the separating line is not written", () => {
  for (
    const from of ["", "a b@example.org", "a@example.org\nX: y", "no address", "ä@example.org"]
  ) {
    assertEquals(write("x", from), "From MAILER-DAEMON Tue Feb  3 04:05:06 2026\nx\n\n");
  }
});
