import { assertEquals } from "@std/assert";
import { concat } from "../../core/bytes/concat.ts";
import { mboxChunks } from "./mbox.ts";

const receivedAt = new Date("2026-02-03T04:05:06Z");
const write = (text: string, from = "a@example.org"): string =>
  new TextDecoder().decode(
    concat([...mboxChunks({ from, receivedAt, message: new TextEncoder().encode(text) })]),
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

Deno.test("mailbox: a sender that could break the separator line is not written", () => {
  for (
    const from of ["", "a b@example.org", "a@example.org\nX: y", "no address", "ä@example.org"]
  ) {
    assertEquals(write("x", from), "From MAILER-DAEMON Tue Feb  3 04:05:06 2026\nx\n\n");
  }
});

Deno.test("mailbox: a long message is written like a short one, in chunks", () => {
  const lines = Array.from(
    { length: 30_000 },
    (_, at) => at % 7 === 0 ? "From me" : "x".repeat(at % 90),
  );
  const written = lines.map((line) => line.replace(/^From /, ">From ")).join("\n");
  assertEquals(write(lines.join("\r\n")), `${HEAD}${written}\n\n`);
  const message = new TextEncoder().encode(lines.join("\r\n"));
  const sizes = [...mboxChunks({ from: "", receivedAt, message })].map(({ length }) => length);
  assertEquals(Math.max(...sizes) < 100_000, true, `${Math.max(...sizes)}`);
  const long = "x".repeat(200_000);
  assertEquals(write(`a\n${long}\nFrom me\n`), `${HEAD}a\n${long}\n>From me\n\n`);
});
