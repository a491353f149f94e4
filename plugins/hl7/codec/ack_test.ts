import { assert, assertEquals, assertLess } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { composeAck, composeBatch, decideAck } from "./ack.ts";
import { fromLatin1, toLatin1 } from "../../../core/bytes/latin1.ts";
import { type FrameContent, type MessageText, readFrameContent } from "./frame_content.ts";

const NOW = new Date("2024-02-29T23:59:58.123Z");
const TIME = "20240229235958+0000";

function read(text: string | Uint8Array): FrameContent {
  return readFrameContent(typeof text === "string" ? new TextEncoder().encode(text) : text);
}

function messageOf(text: string | Uint8Array): MessageText {
  const unit = read(text).units.find(({ kind }) => kind === "message");
  assert(unit?.kind === "message");
  return unit;
}

/** The acknowledgement of a message, with `\r` written as a line end. */
function ackOf(text: string | Uint8Array): string | undefined {
  const { rawHeader, issues } = messageOf(text);
  const { code } = decideAck(rawHeader, issues);
  if (code === undefined) return undefined;
  return composeAck(rawHeader, { code, id: "ID", now: NOW, issues }).replaceAll("\r", "\n");
}

const codes = (text: string): string[] => messageOf(text).issues.map(({ code }) => code);

Deno.test("an acknowledgement swaps the parties and copies the rest", () => {
  assertEquals(
    ackOf("MSH|^~\\&|A^1|B\\T\\b|C|D|20240101||ADT^A01^ADT_A01|MSG1|T|2.3.1\rEVN|A01\r"),
    `MSH|^~\\&|C|D|A^1|B\\T\\b|${TIME}||ACK^A01^ACK|ID|T|2.3.1\nMSA|AA|MSG1\n`,
  );
});

Deno.test("an acknowledgement uses the message's own separators", () => {
  assertEquals(
    ackOf("MSH#@*!%#A@1#B#C#D#20240101##ORU@R01#M*1#P#2.5"),
    `MSH#@*!%#C#D#A@1#B#${TIME}##ACK@R01@ACK#ID#P#2.5\nMSA#AA#M*1\n`,
  );
});

Deno.test("missing fields get the usual values", () => {
  assertEquals(ackOf("MSH|^~\\&|||||||ORU|1"), `MSH|^~\\&|||||${TIME}||ACK|ID|P|2.5\nMSA|AA|1\n`);
});

Deno.test("without a header the answer is a rejection with the usual separators", () => {
  const rejection =
    `MSH|^~\\&|||||${TIME}||ACK|ID|P|2.5\nMSA|AR|\nERR|||100^Segment sequence error^HL70357|E\n`;
  for (const text of ["PID|1", "hello", "\r", "MSH", "MSH A", "msh|^~\\&|A"]) {
    assertEquals(ackOf(text), rejection);
    assertEquals(codes(text)[0], "no-header");
  }
});

Deno.test.each([
  {
    text: "MSH|^~\\&|A|||||ADT|ADT^A01||P|2.5",
    issue: "no-control-id",
    error: "101^Required field missing^HL70357",
  },
  {
    text: "EVN|A01\rMSH|^~\\&|A|||||ADT|ADT^A01|1|P|2.5",
    issue: "header-not-first",
    error: "100^Segment sequence error^HL70357",
  },
  {
    text: "MSH|^^\\&|A|||||ADT|ADT^A01|1|P|2.5",
    issue: "duplicate-separator",
    error: "102^Data type error^HL70357",
  },
  {
    text: "MSH||A|||||ADT|ADT^A01|1|P|2.5",
    issue: "no-encoding-characters",
    error: "101^Required field missing^HL70357",
  },
])("a message with $issue is answered AE", ({ text, issue, error }) => {
  assertEquals(codes(text), [issue]);
  const lines = ackOf(text)!.split("\n");
  assertEquals(lines[1], issue === "no-control-id" ? "MSA|AE|" : "MSA|AE|1");
  assertEquals(lines[2], `ERR|||${error}|E`);
  assert(lines[0]!.startsWith(issue === "duplicate-separator" ? "MSH|^^\\&|" : "MSH|^~\\&|"));
});

Deno.test.each([
  { accept: "", application: "", code: "AA" },
  { accept: "AL", application: "", code: "CA" },
  { accept: "AL", application: "NE", code: "CA" },
  { accept: "SU", application: "AL", code: "CA" },
  { accept: "", application: "AL", code: "AA" },
  { accept: "NE", application: "AL", code: "AA" },
  { accept: "ER", application: "SU", code: "AA" },
  { accept: "NE", application: "", code: undefined },
  { accept: "ER", application: "NE", code: undefined },
  { accept: "NE", application: "ER", code: undefined },
  { accept: "", application: "NE", code: undefined },
  { accept: "??", application: "", code: "AA" },
])("MSH-15 '$accept' and MSH-16 '$application' give $code", ({ accept, application, code }) => {
  const text = `MSH|^~\\&|A|B|C|D|1||ADT^A01|1|P|2.5|||${accept}|${application}`;
  assertEquals(ackOf(text)?.split("\n")[1], code === undefined ? undefined : `MSA|${code}|1`);
});

Deno.test("enhanced mode reports a fault to senders that ask for faults", () => {
  const faulty = (accept: string, application: string): string | undefined =>
    ackOf(`MSH|^~\\&|A|B|C|D|1||ADT^A01||P|2.5|||${accept}|${application}`)?.split("\n")[1];
  assertEquals(faulty("ER", ""), "MSA|CE|");
  assertEquals(faulty("SU", "ER"), "MSA|AE|");
  assertEquals(faulty("SU", "SU"), undefined);
});

Deno.test("an acknowledgement is never acknowledged", () => {
  assertEquals(ackOf("MSH|^~\\&|A|B|C|D|1||ACK^A01^ACK|1|P|2.5\rMSA|AA|7"), undefined);
  assertEquals(ackOf("MSH|^~\\&|A|B|C|D|1||ACK|1|P|2.5|||AL|AL"), undefined);
});

Deno.test("a control id goes back byte for byte in any character set", () => {
  for (const charset of ["", "8859/1", "GB 18030-2000", "EBCDIC"]) {
    const id = toLatin1(Uint8Array.of(0xc4, 0xe3, 0xff, 0x80, 0x41));
    const bytes = fromLatin1(`MSH|^~\\&|A|B|C|D|1||ADT^A01|${id}|P|2.5||||||${charset}\r`);
    assert(ackOf(bytes)!.includes(`MSA|AA|${id}\n`), charset);
  }
});

Deno.test("an endless field does not cause an endless answer", () => {
  const long = "x".repeat(100_000);
  const answer = ackOf(
    `MSH|^~\\&|${long}|${long}|${long}|${long}|1||${long}^${long}|1|${long}|${long}`,
  );
  assertLess(answer!.length, 5000);
});

Deno.test("a batch is answered by a batch of the same shape", () => {
  const content = read(
    "FHS|^~\\&|A|B|C|D|1||file||F1\rBHS|^~\\&|A|B|C|D|1||||B1\r" +
      "MSH|^~\\&|A|B|C|D|1||ADT^A01|1|P|2.5\rPID|1\rMSH|^~\\&|A|B|C|D|1||ADT^A02|2|P|2.5\r" +
      "BTS|2\rBHS|^~\\&|A|B|C|D|1||||B2\rMSH|^~\\&|A|B|C|D|1||ADT^A03|3|P|2.5\rBTS|1\rFTS|2\r",
  );
  assertEquals(content.units.map(({ kind }) => kind), [
    "FHS",
    "BHS",
    "message",
    "message",
    "BHS",
    "message",
  ]);
  const texts = content.units.map((unit) => {
    if (unit.kind !== "message") return unit;
    return composeAck(unit.rawHeader, { code: "AA", id: "ID", now: NOW, issues: [] });
  });
  let ids = 0;
  const answer = composeBatch(texts, { now: NOW, nextId: () => `N${++ids}` });
  const msh = (trigger: string) => `MSH|^~\\&|C|D|A|B|${TIME}||ACK^${trigger}^ACK|ID|P|2.5`;
  assertEquals(answer.split("\r"), [
    `FHS|^~\\&|C|D|A|B|${TIME}||||N1|F1`,
    `BHS|^~\\&|C|D|A|B|${TIME}||||N2|B1`,
    msh("A01"),
    "MSA|AA|1",
    msh("A02"),
    "MSA|AA|2",
    "BTS|2",
    `BHS|^~\\&|C|D|A|B|${TIME}||||N3|B2`,
    msh("A03"),
    "MSA|AA|3",
    "BTS|1",
    "FTS|2",
    "",
  ]);
});

Deno.test("a batch without messages is acknowledged as one message, by its own control id", () => {
  const text = "BHS|^~\\&|A|B|C|D|1||||B1\rBTS|0\r";
  assertEquals(ackOf(text), `MSH|^~\\&|C|D|A|B|${TIME}||ACK|ID|P|2.5\nMSA|AA|B1\n`);
});

Deno.test("a batch of nothing but headers is parsed and answered up to a limit", () => {
  const content = read(`BHS|^~\\&\rMSH|^~\\&|A\r${"BHS|\r".repeat(300_000)}`);
  assertEquals(content.units.length, 10_000);
  const answer = composeBatch(
    content.units.map((unit) => unit.kind === "message" ? "MSH|x\r" : unit),
    { now: NOW, nextId: () => "ID" },
  );
  assertLess(answer.length, 1_000_000);
});

Deno.test("stray lines of a batch stay with the next message", () => {
  const { units } = read("BHS|^~\\&\rNTE|1\rMSH|^~\\&|||||||ADT|1\rBTS|1");
  const message = units[1];
  assert(message?.kind === "message");
  assertEquals(message.text, "NTE|1\rMSH|^~\\&|||||||ADT|1");
  assertEquals(message.issues.map(({ code }) => code), ["header-not-first"]);
});

Deno.test("oddities in a message are recorded and do not change the answer", () => {
  const text = "MSH|^~\\&|A|B|C|D|1||ADT^A01|1|P|2.5|||XX\rpid|1\rEVN\rPID^1\rMSH|^~\\&|Z";
  assertEquals(codes(text), [
    "second-header",
    "acknowledgement-condition",
    "segment-id",
    "no-fields",
    "segment-id",
  ]);
  assertEquals(ackOf(text)?.split("\n")[1], "MSA|AA|1");
  const many = codes(`MSH|^~\\&|A|B|C|D|1||ADT^A01|1|P|2.5\r${"x\r".repeat(1000)}`);
  assertEquals([many.length, many.at(-1)], [51, "more-issues"]);
  const manifold = codes(`MSH|^~\\&|A|B|C|D|1||ADT^A01|1|P|2.5\rNTE${"|".repeat(300_000)}`);
  assertEquals(manifold, ["too-many-parts"]);
});

Deno.test("a byte order mark is not part of the message", () => {
  const { units, encoding } = read("\ufeffMSH|^~\\&|Ä|B|C|D|1||ADT^A01|1|P|2.5\r");
  const [message] = units;
  assert(message?.kind === "message");
  assertEquals([message.issues, encoding], [[], "utf-8"]);
  assert(message.text.startsWith("MSH|"));
});

Deno.test("any bytes are read, and the answer holds no more than the message", () => {
  const word = fc.constantFrom(
    "MSH",
    "BHS",
    "FHS",
    "BTS",
    "FTS",
    "PID",
    "|",
    "^~\\&",
    "\r",
    "\n",
    "A",
    "é",
  );
  const text = fc.array(word, { maxLength: 40 }).map((words) =>
    new TextEncoder().encode(words.join(""))
  );
  fc.assert(
    fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 100 })), (bytes) => {
      const { units } = readFrameContent(bytes);
      assert(units.some(({ kind }) => kind === "message"));
      for (const unit of units) {
        if (unit.kind !== "message") continue;
        assertEquals(unit.header === undefined, unit.rawHeader === undefined);
        const { code = "AA" } = decideAck(unit.rawHeader, unit.issues);
        const ack = composeAck(unit.rawHeader, { code, id: "ID", now: NOW, issues: unit.issues });
        assert(/^MSH.*\rMSA[^\r]*\r(ERR[^\r]*\r)?$/s.test(ack));
      }
    }),
    fuzzed(1000),
  );
});
