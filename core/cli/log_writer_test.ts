import { assertEquals } from "@std/assert";
import { LogWriter } from "./log_writer.ts";

/** A writer whose reader is blocked until released. */
function slowWriter() {
  const written: string[] = [];
  const lost: number[] = [];
  const gate = Promise.withResolvers<void>();
  const writer = new LogWriter(async (text) => {
    await gate.promise;
    written.push(text);
  }, (count) => {
    lost.push(count);
    writer.add(`${count} lost`);
  });
  return { writer, written, lost, open: () => gate.resolve() };
}

Deno.test("lines are written together, in order, each once", async () => {
  const { writer, written, open } = slowWriter();
  open();
  for (let i = 0; i < 3; i++) writer.add(`line ${i}`);
  assertEquals(written, []);
  await writer.flush();
  writer.add("later");
  await writer.flush();
  await writer.flush();
  assertEquals(written, ["line 0\nline 1\nline 2\n", "later\n"]);
});

Deno.test("lines that arrive while others are written are not lost", async () => {
  const { writer, written, open } = slowWriter();
  writer.add("one");
  const flushed = writer.flush();
  writer.add("two");
  open();
  await flushed;
  assertEquals(written, ["one\n", "two\n"]);
});

Deno.test("a blocked reader delays nobody, and learns how many lines it missed", async () => {
  const { writer, written, lost, open } = slowWriter();
  writer.add("first");
  const flushed = writer.flush();
  const line = "x".repeat(1000);
  for (let i = 0; i < 2000; i++) writer.add(line);
  open();
  await flushed;
  assertEquals(lost.length, 1);
  const lines = written.join("").trimEnd().split("\n");
  assertEquals([lines[0], lines.length + lost[0]! - 2], ["first", 2000]);
  assertEquals(lines.at(-1), `${lost[0]} lost`);
});

Deno.test("a closed reader ends the log and nothing else", async () => {
  const writer = new LogWriter(() => Promise.reject(new Error("Broken pipe")), () => {});
  writer.add("one");
  await writer.flush();
});
