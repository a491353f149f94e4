import { assert, assertEquals, assertMatch } from "@std/assert";
import { hl7 } from "../../plugins/hl7/mod.ts";
import type { MessageEnvelope } from "../../plugins/hl7/views.ts";
import { MllpClient } from "../support/mllp.ts";
import { startService, type TestService } from "../support/service.ts";

const ADT = "MSH|^~\\&|ADM^1|HOSP|LAB|CLINIC|20240101||ADT^A01^ADT_A01|MSG1|P|2.5.1\r" +
  "EVN|A01\rPID|1||4711^^^HOSP~0815||Müller^J\\S\\ürgen\rOBX|1|ST|x||a&b\rOBX|2|ST|y||7\r";
const ORU = "MSH|^~\\&|LAB|CLINIC|ADM|HOSP|20240102||ORU^R01|MSG2|T|2.3|||AL\rOBX|1|NM|z||42.5\r";
const PLAIN = "PID|1||99\r";

/** Sends each message on a separate connection and returns the responses. */
async function send(service: TestService, messages: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const message of messages) {
    using client = await MllpClient.open(service.endpoint("mllp"));
    await client.sendMessage(message);
    answers.push(await client.answer() ?? "");
  }
  return answers;
}

async function list(service: TestService, query = ""): Promise<string[]> {
  const found = await service.getJson<MessageEnvelope[]>(`/hl7/messages${query}`);
  return found.map(({ message }) => message.header.control_id ?? "?");
}

Deno.test("a message reads back with the fields of its header", async () => {
  await using service = await startService({ plugins: [hl7] });
  const [answer] = await send(service, [ADT]);
  const [listed] = await service.getJson<MessageEnvelope[]>("/hl7/messages");
  const { id, message, meta, received_at, url, ...rest } = listed!;
  assertEquals(await service.getJson(`/hl7/messages/${id}`), listed);
  assertEquals(rest, {
    provider: "mllp",
    type: "hl7.message",
    title: "ADT^A01",
    raw_url: `/api/v1/hl7/messages/${id}/raw`,
    ack_url: `/api/v1/hl7/messages/${id}/ack`,
    preview: "4711 Müller J^ürgen",
  });
  assertMatch(received_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assertEquals(url, `${service.ui.url}/ui/events/${id}`);
  const { peer_addr, local_addr, ...plain } = meta!;
  assertMatch(`${peer_addr} ${local_addr}`, /^127\.0\.0\.1:\d+ 127\.0\.0\.1:\d+$/);
  assertEquals(plain, {
    message_type: "ADT^A01",
    control_id: "MSG1",
    sending_application: "ADM",
    receiving_application: "LAB",
    version: "2.5.1",
    segments: 5,
    connection: 1,
    framing: "mllp",
    ack_code: "AA",
  });
  const { segments = [], ack, ...parts } = message;
  assertEquals(parts, {
    header: {
      code: "ADT",
      trigger_event: "A01",
      structure: "ADT_A01",
      control_id: "MSG1",
      processing_id: "P",
      version: "2.5.1",
      timestamp: "20240101",
      sending_application: "ADM",
      sending_facility: "HOSP",
      receiving_application: "LAB",
      receiving_facility: "CLINIC",
    },
    separators: { field: "|", component: "^", repetition: "~", escape: "\\", subcomponent: "&" },
    encoding: "utf-8",
    size: new TextEncoder().encode(ADT).length,
    patient: { id: "4711", name: "Müller^J\\S\\ürgen" },
  });
  assertEquals(segments.map(({ id, occurrence }) => `${id}${occurrence}`), [
    "MSH1",
    "EVN1",
    "PID1",
    "OBX1",
    "OBX2",
  ]);
  assertEquals({ ...ack, control_id: "" }, {
    sent: true,
    mode: "original",
    code: "AA",
    control_id: "",
    text: answer!,
  });
  assert(ack.control_id!.length <= 20);
  assertMatch(answer!, /^MSH\|\^~\\&\|LAB\|CLINIC\|ADM\^1\|HOSP\|\d{14}\+0000\|\|ACK\^A01\^ACK\|/);
  assert(answer!.endsWith(`|${ack.control_id}|P|2.5.1\rMSA|AA|MSG1\r`));
});

Deno.test("the generic event has the same message, and its bytes", async () => {
  await using service = await startService({ plugins: [hl7] });
  await send(service, [ADT]);
  const [{ id, message }] = await service.getJson<[MessageEnvelope]>("/hl7/messages");
  const event = await service.getJson<Record<string, unknown>>(`/events/${id}`);
  assertEquals(event.payload, message as unknown);
  assertEquals(event.summary, "ADT^A01 ADM -> LAB (MSG1)");
  assertEquals(event.summary_parts, {
    from: "ADM",
    to: ["LAB"],
    title: "ADT^A01",
    snippet: "4711 Müller J^ürgen",
  });
  const raw = event.raw as Record<string, unknown>;
  assertEquals([raw.transport, raw.text, raw.body_text], ["tcp", true, ADT]);
});

Deno.test("every filter works, and an invalid one is refused", async () => {
  await using service = await startService({ plugins: [hl7] });
  await send(service, [ADT, ORU, PLAIN]);
  const expected: Readonly<Record<string, readonly string[]>> = {
    "": ["?", "MSG2", "MSG1"],
    "?message_type=ADT^A01": ["MSG1"],
    "?message_type=adt": ["MSG1"],
    "?message_type=R01": ["MSG2"],
    "?message_type=AD": [],
    "?trigger_event=r01": ["MSG2"],
    "?control_id=msg1": ["MSG1"],
    "?control_id=MSG": [],
    "?sending_application=adm": ["MSG1"],
    "?sending_facility=CLINIC": ["MSG2"],
    "?receiving_application=ADM": ["MSG2"],
    "?receiving_facility=CLINIC": ["MSG1"],
    "?version=2.3": ["MSG2"],
    "?patient_id=4711": ["MSG1"],
    "?segment=obx": ["MSG2", "MSG1"],
    "?segment=PID": ["?", "MSG1"],
    "?ack=AA": ["MSG1"],
    "?ack=CA": ["MSG2"],
    "?ack=AR": ["?"],
    "?ack=none": [],
    "?issue=true": ["?"],
    "?issue=0": ["MSG2", "MSG1"],
    "?path=OBX[2]-5": ["MSG1"],
    "?path=PID-3.1&value=0815": ["MSG1"],
    "?path=PID-3.1&value=99": ["?"],
    "?path=OBX-5&value=42.5": ["MSG2"],
    "?search=oru&segment=OBX": ["MSG2"],
    "?limit=1&offset=1": ["MSG2"],
    "?provider=mllp&type=hl7.message&limit=1": ["?"],
    "?since=1h&control_id=MSG1": ["MSG1"],
  };
  for (const [query, ids] of Object.entries(expected)) {
    assertEquals(await list(service, query), [...ids], query);
  }
  for (const query of ["ack=AX", "issue=maybe", "path=PID", "value=1", "limit=-1"]) {
    const { error } = await service.getJson<{ error: string }>(`/hl7/messages?${query}`, 400);
    assertMatch(error, /^Cannot (read|use) /);
  }
});

Deno.test("a list can omit the segments", async () => {
  await using service = await startService({ plugins: [hl7] });
  await send(service, [ADT]);
  const [lean] = await service.getJson<MessageEnvelope[]>("/hl7/messages?include_segments=0");
  const [full] = await service.getJson<MessageEnvelope[]>("/hl7/messages");
  assertEquals(full!.message.segments?.length, 5);
  const { segments: _, ...rest } = full!.message;
  assertEquals(lean, { ...full!, message: rest });
});

Deno.test("a long list is streamed; a short one has a length", async () => {
  await using service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  const count = 12;
  for (let id = 0; id < count; id++) {
    const segments = "OBX|1|^^^|~~~|&&&\r".repeat(1000);
    await client.sendMessage(`MSH|^~\\&|A|B|C|D|1||ORU^R01|${id}|P|2.5\r${segments}`);
    await client.answer();
  }
  const url = `${service.api.url}/api/v1/hl7/messages`;
  const long = await fetch(url);
  assertEquals(long.headers.get("content-length"), null);
  // Nobody has read it yet, and other clients are served.
  await service.getJson("/health");
  const messages = await long.json() as MessageEnvelope[];
  assertEquals(
    messages.map(({ message }) => [message.header.control_id, message.segments?.length]),
    Array.from({ length: count }, (_, id) => [`${count - 1 - id}`, 1001]),
  );
  for (const query of ["?include_segments=false", "?control_id=none"]) {
    const short = await fetch(url + query);
    assertEquals(short.headers.get("content-type"), long.headers.get("content-type"));
    assertEquals(short.headers.get("content-length"), `${(await short.bytes()).length}`);
  }
  assertEquals(await service.getJson("/hl7/messages?control_id=none"), []);
});

Deno.test("values at a place are found by path", async () => {
  await using service = await startService({ plugins: [hl7] });
  await send(service, [ADT]);
  const [{ id }] = await service.getJson<[MessageEnvelope]>("/hl7/messages");
  const values = (path: string, status = 200) =>
    service.getJson(`/hl7/messages/${id}/values?path=${encodeURIComponent(path)}`, status);
  assertEquals(await values("PID-3.1"), [
    { path: "PID[1]-3[1].1", value: "4711" },
    { path: "PID[1]-3[2].1", value: "0815" },
  ]);
  assertEquals(await values("OBX-5.1.2"), [{ path: "OBX[1]-5[1].1.2", value: "b" }]);
  assertEquals(await values("ZZZ-1"), []);
  assertMatch(JSON.stringify(await values("", 400)), /Cannot look without path/);
  assertMatch(JSON.stringify(await values("PID", 400)), /Cannot read path/);
});

Deno.test("raw bytes and acknowledgement are served as sent, in ranges too", async () => {
  await using service = await startService({ plugins: [hl7] });
  const latin = Uint8Array.from(
    "MSH|^~\\&|\u00c4|B|C|D|1||ADT^A01|1|P|2.5||||||8859/1\r",
    (character) => character.charCodeAt(0),
  );
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.sendMessage(latin);
  await client.answer();
  const [{ raw_url, ack_url, message }] = await service.getJson<[MessageEnvelope]>("/hl7/messages");
  assertEquals([message.encoding, message.charset], ["iso-8859-1", "8859/1"]);
  assertEquals(message.header.sending_application, "Ä");
  const raw = await fetch(service.api.url + raw_url);
  assertEquals(new Uint8Array(await raw.arrayBuffer()), latin);
  assertEquals(raw.headers.get("content-type"), "text/plain; charset=iso-8859-1");
  assertEquals(raw.headers.get("x-content-type-options"), "nosniff");
  const part = await fetch(`${service.api.url}${raw_url}?download=1`, {
    headers: { range: "bytes=0-2" },
  });
  assertEquals([part.status, await part.text()], [206, "MSH"]);
  assertMatch(part.headers.get("content-disposition") ?? "", /^attachment; filename=".*\.hl7"$/);
  const ack = await fetch(service.api.url + ack_url);
  assertMatch(await ack.text(), /^MSH\|\^~\\&\|C\|D\|Ä\|B\|.*\rMSA\|AA\|1\r$/);
});

Deno.test("messages can be deleted one by one or all at once; unknown ids are 404", async () => {
  await using service = await startService({ plugins: [hl7] });
  await send(service, [ADT, ORU]);
  const [{ id }] = await service.getJson<[MessageEnvelope]>("/hl7/messages");
  const at = (path: string) => `${service.api.url}/api/v1/hl7/messages${path}`;
  const remove = async (path: string): Promise<number> => {
    const { status, body } = await fetch(at(path), { method: "DELETE" });
    await body?.cancel();
    return status;
  };
  assertEquals(await remove(`/${id}`), 204);
  assertEquals(await list(service), ["MSG1"]);
  assertEquals(await remove(`/${id}`), 404);
  for (const path of [`/${id}`, `/${id}/raw`, `/${id}/ack`, `/${id}/values?path=PID-1`]) {
    await service.getJson(`/hl7/messages${path}`, 404);
  }
  assertEquals(await remove(""), 204);
  assertEquals(await list(service), []);
});

Deno.test("a message that requested no answer has no answer to read", async () => {
  await using service = await startService({ plugins: [hl7] });
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.sendMessage("MSH|^~\\&|A|B|C|D|1||ACK|7|P|2.5\rMSA|AA|1\r");
  await client.sendMessage("MSH|^~\\&|A|B|C|D|1||ADT^A01|8|P|2.5|||NE|NE\r");
  await client.sendMessage(ADT);
  assertMatch(await client.answer() ?? "", /MSA\|AA\|MSG1/);
  assertEquals(await list(service, "?ack=none"), ["8", "7"]);
  const [{ id, message, ...envelope }] = await service.getJson<[MessageEnvelope]>(
    "/hl7/messages?control_id=8",
  );
  assertEquals([message.ack, envelope.ack_url], [{ sent: false, mode: "enhanced" }, undefined]);
  await service.getJson(`/hl7/messages/${id}/ack`, 404);
});

Deno.test("each message of a batch is one event, with the whole frame as its bytes", async () => {
  await using service = await startService({ plugins: [hl7] });
  const batch = `BHS|^~\\&|A|B|C|D|1||||B1\r${ADT}${ORU}BTS|2\r`;
  const [answer] = await send(service, [batch]);
  assertEquals(answer!.split("\r").map((line) => line.slice(0, 3)), [
    "BHS",
    "MSH",
    "MSA",
    "MSH",
    "MSA",
    "BTS",
    "",
  ]);
  const found = await service.getJson<MessageEnvelope[]>("/hl7/messages");
  assertEquals(found.map(({ message }) => message.batch), [
    { kind: "BHS", index: 1, count: 2, control_id: "B1" },
    { kind: "BHS", index: 0, count: 2, control_id: "B1" },
  ]);
  assertEquals(found[1]!.message.segments?.length, 5);
  assertMatch(found[1]!.message.ack.text!, /^MSH.*\rMSA\|AA\|MSG1\r$/);
  assertEquals(await (await fetch(service.api.url + found[0]!.raw_url)).text(), batch);
});

Deno.test("the OpenAPI description matches the answers", async () => {
  await using service = await startService({ plugins: [hl7] });
  const { paths } = await service.getJson<{ paths: Record<string, unknown> }>("/hl7/openapi.json");
  assert(Object.keys(paths).some((path) => path.endsWith("/messages/{id}/values")));
});

Deno.test("types are filtered as sent, and patients by any of their identifiers", async () => {
  await using service = await startService({ plugins: [hl7] });
  await send(service, [ADT, ORU]);
  for (
    const [query, found] of [
      ["message_type=ADT^A01^ADT_A01", ["MSG1"]],
      ["message_type=adt_a01", ["MSG1"]],
      ["message_type=ADT^A01^ADT_A05", []],
      ["message_type=ORU^R01^ORU_R01", []],
      ["patient_id=4711", ["MSG1"]],
      ["patient_id=0815", ["MSG1"]],
      ["patient_id=HOSP", []],
      ["path=PID-3[2].1&value=0815", ["MSG1"]],
      ["path=PID-3[2].1&value=4711", []],
    ] as const
  ) {
    assertEquals(await list(service, `?${query.replaceAll("^", "%5E")}`), [...found], query);
  }
});

Deno.test("HL7 v2 XML is captured, and the acknowledgement rejects it by name", async () => {
  await using service = await startService({ plugins: [hl7] });
  const xml =
    '<?xml version="1.0"?>\n<!-- x -->\n<ADT_A01 xmlns="urn:hl7-org:v2xml"><MSH/></ADT_A01>';
  const [answer] = await send(service, [xml]);
  const lines = answer!.split("\r");
  assertEquals(lines[1], "MSA|AR|");
  assertMatch(
    lines[2]!,
    /^ERR\|\|\|100\^Segment sequence error\^HL70357\|E\|\|\|\|The message is XML, <ADT_A01>: /,
  );
  const [{ message }] = await service.getJson<[MessageEnvelope]>("/hl7/messages");
  assertEquals(message.issues?.[0]?.code, "xml");
});
