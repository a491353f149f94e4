import { assert, assertEquals } from "@std/assert";
import { type FrameContent, type MessageText, readFrameContent } from "./codec/frame_content.ts";
import { toMessage, toSnippet } from "./message.ts";
import type { Hl7Message } from "./model.ts";

function read(text: string): { unit: MessageText; message: Hl7Message } {
  const content: FrameContent = readFrameContent(new TextEncoder().encode(text));
  const [unit] = content.units;
  assert(unit?.kind === "message");
  const ack = { sent: false, mode: "original" } as const;
  return { unit, message: toMessage(unit, { content, size: text.length, issues: [], ack }) };
}

Deno.test("segments are parsed when they are read, not before", () => {
  const { message } = read("MSH|^~\\&|A\rPID|1");
  const { get, enumerable } = Object.getOwnPropertyDescriptor(message, "segments")!;
  assertEquals([typeof get, enumerable], ["function", true]);
  assert(message.segments !== message.segments);
  const told = JSON.parse(JSON.stringify(message));
  assertEquals(Object.keys(told), ["header", "separators", "segments", "encoding", "size", "ack"]);
  assertEquals(told.segments, message.segments);
});

Deno.test.each([
  { text: "PID|1|7|8^x~9||Doe^Jane\\T\\", patient: { id: "8", name: "Doe^Jane\\T\\" } },
  { text: "PID|1|7|", patient: { id: "7" } },
  { text: "PID|1||||Doe~Roe", patient: { name: "Doe" } },
  { text: "PID|1", patient: undefined },
  { text: "NTE|1|PID|1||5", patient: undefined },
  { text: "NTE|1\nPID|||5\rPID|||6", patient: { id: "5" } },
])("the patient of $text is told", ({ text, patient }) => {
  assertEquals(read(`MSH|^~\\&|A\r${text}`).message.patient, patient);
});

Deno.test("a row of the list shows the patient, else the first observed value", () => {
  const snippet = (text: string): string => {
    const { unit, message } = read(`MSH|^~\\&|A\r${text}`);
    return toSnippet(unit, message);
  };
  assertEquals(snippet("PID|||47||Doe^J\\T\\r^^Dr\rOBX|1|ST|x||value"), "47 Doe J&r Dr");
  assertEquals(snippet("OBX|1|ST|x||one\\F\\two\rOBX|2|ST|y||no"), "one|two");
  assertEquals(snippet(`OBX|1|ST|x||${"v".repeat(500)}`).length, 140);
  assertEquals(snippet("EVN|A01"), "");
});
