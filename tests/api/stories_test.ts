/** Stories over the API, in the library and in the client: real requests over several protocols. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { connect, type Story } from "../../plugins/client.ts";
import { chat } from "../../plugins/chat/mod.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { push } from "../../plugins/push/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER = "0af7651916cd43dd8448eb211c80319c";

interface Stories {
  readonly stories: readonly Story[];
  readonly count: number;
}

const traced = (trace = TRACE) => ({ traceparent: `00-${trace}-00f067aa0ba902b7-01` });

/** Posts to the ingress. Fails unless the request is captured. */
async function post(
  { ingress }: TestService,
  path: string,
  body: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(ingress.url + path, { method: "POST", body, headers });
  const text = await answer.text();
  assert(answer.headers.has("x-service-event-url"), `${answer.status} ${text}`);
}

async function sendMail(
  service: TestService,
  to: string | readonly string[],
  { headers, own }: { headers?: Record<string, string>; own?: Record<string, string> } = {},
): Promise<void> {
  const body = { from: "shop@example.com", to, subject: `For ${to}`, text: "Hello", headers: own };
  await post(service, "/emails", JSON.stringify(body), {
    authorization: "Bearer re_any",
    "content-type": "application/json",
    ...headers,
  });
}

async function sendSms(
  service: TestService,
  to: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const path = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";
  await post(
    service,
    path,
    new URLSearchParams({ To: to, From: "+447700900999", Body: "Hi" }),
    headers,
  );
}

async function sendChat(
  service: TestService,
  text: string,
  headers: Record<string, string> = {},
): Promise<void> {
  await post(service, "/services/T0/B0/x", JSON.stringify({ text }), headers);
}

/** Time alone never joins two events. */
const APART = "window=0";

const listOf = (service: TestService, query = APART) =>
  service.getJson<Stories>(`/stories?${query}`);
const plugins = ({ events }: Story) => events.map(({ plugin }) => plugin).join(" ");

Deno.test("a trace joins mail, SMS and chat, and the story says so", async () => {
  await using service = await startService({ plugins: [mail, sms, chat] });
  await sendMail(service, "ada@example.org", { headers: traced() });
  await sendMail(service, "bob@example.org", { headers: traced(OTHER) });
  await sendSms(service, "+447700900123", traced());
  await sendChat(service, "New customer", traced());
  await sendChat(service, "Good morning", {
    traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  });
  const { stories, count } = await listOf(service);
  assertEquals(count, 3);
  const [alone, flow, bob] = stories;
  assertEquals([alone, flow, bob].map((story) => plugins(story!)), [
    "chat",
    "mail sms chat",
    "mail",
  ]);
  assertEquals(alone!.linked_by, []);
  assertEquals(flow!.linked_by, [{ by: "trace", name: "traceparent", value: TRACE }]);
  assertEquals(flow!.plugins, ["mail", "sms", "chat"]);
  assertEquals(flow!.count, 3);
  assertEquals(flow!.title, "For ada@example.org");
  const [first, , last] = flow!.events;
  assertEquals(flow!.id, first!.id);
  assertEquals([flow!.started_at, flow!.ended_at], [first!.received_at, last!.received_at]);
  assertEquals([first!.trace_id, first!.span_id], [TRACE, "00f067aa0ba902b7"]);
  assertEquals("payload" in first!, false);
  assertEquals("raw" in first!, false);
  assertEquals(alone!.events[0]!.trace_id, undefined);
  // It can be found by any of its events.
  assertEquals(await service.getJson(`/stories/${last!.id}?${APART}`), flow);
  // The id stays the same while the story grows.
  await sendSms(service, "+447700900124", traced());
  assertEquals((await listOf(service)).stories[0]!.id, flow!.id);
});

Deno.test("recipients and ids join events, but only those that plugins expose", async () => {
  await using service = await startService({ plugins: [mail, sms, chat, push] });
  await sendMail(service, "Ada <Ada@Example.org>");
  await sendMail(service, ["ada@example.org", "bob@example.org"], {
    own: { "Message-ID": "<order-1@example.com>" },
  });
  await sendMail(service, "eve@example.org", {
    own: { References: "<a@b> <order-1@example.com>" },
  });
  await sendMail(service, "carol@example.org", { own: { "X-Correlation-ID": "c-1" } });
  await sendSms(service, "+447700900123", { "x-correlation-id": "c-1" });
  await sendSms(service, "+447700900124", { "x-request-id": "r-1" });
  await sendSms(service, "+447700900125", { "x-request-id": "r-1" });
  const { stories } = await listOf(service);
  assertEquals(stories.map(plugins), ["sms sms", "mail sms", "mail mail mail"]);
  assertEquals(stories.map(({ linked_by }) => linked_by), [
    [{ by: "id", name: "X-Request-ID", value: "r-1" }],
    [{ by: "id", name: "X-Correlation-ID", value: "c-1" }],
    [
      { by: "id", name: "Message-ID", value: "<order-1@example.com>" },
      { by: "recipient", name: "email address", value: "ada@example.org" },
    ],
  ]);
});

Deno.test("the mails of one request belong to one story", async () => {
  await using service = await startService({ plugins: [mail] });
  const person = (email: string) => ({ to: [{ email }] });
  await post(
    service,
    "/v3/mail/send",
    JSON.stringify({
      personalizations: [person("ada@example.org"), person("bob@example.org")],
      from: { email: "shop@example.com" },
      subject: "Invoice",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
    { authorization: "Bearer SG.key", "content-type": "application/json" },
  );
  const { stories } = await listOf(service, "");
  assertEquals(stories.map(plugins), ["mail mail"]);
  assertEquals(stories[0]!.linked_by.map(({ by, name }) => [by, name]), [["object", "request"]]);
});

Deno.test("a patient joins HL7 messages, and an acknowledgement its message", async () => {
  await using service = await startService({ plugins: [hl7] });
  const send = async (id: string, rest: string) => {
    const { hostname, port } = service.endpoint("mllp");
    using wire = await Deno.connect({ hostname, port });
    const text = `MSH|^~\\&|LAB|A|EHR|B|20260131||${rest.replace("ID", id)}`;
    await wire.write(new TextEncoder().encode(`\x0b${text}\x1c\r`));
    await service.waitFor("hl7.message", { match: ({ meta }) => meta.control_id === id });
  };
  await send("one", "ADT^A01|ID|P|2.5\rPID|1||4711^^^H||Lovelace^Ada");
  await send("two", "ORU^R01|ID|P|2.5\rPID|1||4711^^^H||Lovelace^Ada");
  await send("three", "ADT^A01|ID|P|2.5\rPID|1||4712^^^H||Byron^Ada");
  await send("four", "ACK^A01|ID|P|2.5\rMSA|AA|three");
  const { stories } = await listOf(service);
  assertEquals(stories.map(({ events }) => events.length), [2, 2]);
  assertEquals(stories.map(({ linked_by }) => linked_by), [
    [{ by: "object", name: "control id", value: "three" }],
    [{ by: "recipient", name: "patient", value: "4711" }],
  ]);
});

Deno.test("filters select events, pages hold stories, and unknown parameters are refused", async () => {
  await using service = await startService({ plugins: [mail, sms, toy] });
  await sendMail(service, "ada@example.org", { headers: traced() });
  await sendSms(service, "+447700900123", traced());
  await sendMail(service, "bob@example.org");
  await sendMail(service, "bob@example.org");
  const titles = async (query: string) =>
    (await listOf(service, `${APART}&${query}`)).stories.map(({ title }) => title);
  const [ada, bob] = ["For ada@example.org", "For bob@example.org"];
  assertEquals(await titles(""), [bob, ada]);
  assertEquals(await titles("plugin=sms"), [ada]);
  assertEquals(await titles("search=bob"), [bob]);
  assertEquals(await titles("plugin=mail&subject=ada"), [ada]);
  assertEquals(await titles("type=sms.message"), [ada]);
  assertEquals(await titles("text=hello&limit=1"), [bob]);
  assertEquals(await titles("limit=1&offset=1"), [ada]);
  assertEquals(await titles("namespace=t1"), []);
  assertEquals(await titles("since=1h"), [bob, ada]);
  assertEquals(await titles("min_events=3"), []);
  assertEquals(await titles("recipient_window=0&min_events=2"), [ada]);
  assertEquals((await listOf(service, `${APART}&limit=1`)).count, 2);
  const refused = async (query: string) =>
    (await service.getJson<{ error: string }>(`/stories?${query}`, 400)).error;
  assertStringIncludes(await refused("subjct=x&plugin=mail"), 'did you mean "subject"?');
  assertStringIncludes(await refused("windw=1s"), 'did you mean "window"?');
  assertStringIncludes(await refused("window=11m"), "of at most 600000 ms");
  assertStringIncludes(await refused("recipient_window=soon"), "expected a duration");
  assertStringIncludes(await refused("plugin=mial"), '"mial"');
  assertStringIncludes(await refused("wait=1"), 'unknown parameter "wait"');
  assertStringIncludes(await refused("min_events=-1"), "at least 0");
  const { error } = await service.getJson<{ error: string }>("/stories/nothing", 404);
  assertStringIncludes(error, 'Cannot find event "nothing"');
});

Deno.test("each namespace has its own stories", async () => {
  await using service = await startService({ plugins: [mail] });
  for (const name of ["t1", "t2", "t1"]) {
    await sendMail(service, "ada@example.org", {
      headers: { ...traced(), "x-standin-namespace": name },
    });
  }
  const { stories } = await listOf(service, "");
  assertEquals(stories.map(({ namespace, count }) => [namespace, count]), [["t1", 2], ["t2", 1]]);
  assertEquals((await listOf(service, "namespace=t2")).count, 1);
  const client = connect(service.api.url, { namespace: "t1" });
  assertEquals((await client.stories()).map(({ namespace }) => namespace), ["t1"]);
});

Deno.test("stories follow deletions, evictions and resets", async () => {
  const config = { storage: { capacity: 3 } };
  await using service = await startService({ plugins: [mail], config });
  for (const to of ["ada", "bob", "ada"]) await sendMail(service, `${to}@example.org`);
  const counts = async () => (await listOf(service)).stories.map(({ count }) => count);
  assertEquals(await counts(), [2, 1]);
  const before = (await listOf(service)).stories[0]!;
  // The oldest one, Ada's, is evicted.
  await sendMail(service, "eve@example.org");
  assertEquals(await counts(), [1, 1, 1]);
  const after = (await listOf(service)).stories.find(({ title }) => title.includes("ada"))!;
  assertEquals(after.id, before.events[1]!.id);
  assertEquals(after.linked_by, []);
  service.events.delete(after.id);
  assertEquals(await counts(), [1, 1]);
  await service.reset();
  assertEquals(await listOf(service), { stories: [], count: 0 });
});

Deno.test("stories leave out events that were evicted", async () => {
  const capacity = 21_000;
  await using service = await startService({ plugins: [toy], config: { storage: { capacity } } });
  const add = (count: number, trace: string): void => {
    const headers = Object.entries(traced(trace));
    const raw = { transport: "tcp", text: true, body: new Uint8Array(), headers } as const;
    for (let i = 0; i < count; i++) {
      service.events.add("toy", "http", { type: "toy.message", summary: trace, payload: {}, raw });
    }
  };
  add(50, OTHER);
  add(capacity - 50, TRACE);
  assertEquals((await listOf(service)).stories.map(({ count }) => count), [capacity - 50, 50]);
  add(60, TRACE);
  const { stories } = await listOf(service);
  assertEquals(stories.map(({ title, count }) => [title, count]), [[TRACE, capacity]]);
  assertEquals(stories[0]!.id, service.events.list({}).at(-1)!.id);
  add(capacity, OTHER);
  assertEquals((await listOf(service)).stories.map(({ title }) => title), [OTHER]);
});

Deno.test("a long story is listed with its first hundred events, and returned whole by id", async () => {
  await using service = await startService({ plugins: [toy] });
  const raw = {
    transport: "tcp",
    text: true,
    body: new Uint8Array(),
    headers: Object.entries(traced()),
  } as const;
  for (let i = 0; i < 120; i++) {
    service.events.add("toy", "http", { type: "toy.message", summary: `${i}`, payload: {}, raw });
  }
  const [story] = (await listOf(service)).stories;
  assertEquals([story!.count, story!.events.length, story!.title], [120, 100, "0"]);
  const whole = await service.getJson<Story>(`/stories/${story!.id}`);
  assertEquals([whole.count, whole.events.length, whole.ended_at], [120, 120, story!.ended_at]);
});

Deno.test("the library and the client list the same stories", async () => {
  await using service = await startService({ plugins: [mail, sms] });
  await sendMail(service, "ada@example.org", { headers: traced() });
  await sendSms(service, "+447700900123", traced());
  await sendMail(service, "bob@example.org");
  const client = connect(service.api.url);
  const near = { windowMs: 0 };
  const listed = await client.stories({ ...near, minEvents: 2 });
  assertEquals(listed.map(plugins), ["mail sms"]);
  const [told] = await service.stories({ ...near, type: "sms.message" });
  assertEquals(told!.events.map(({ id }) => id), listed[0]!.events.map(({ id }) => id));
  assertEquals(told!.started_at.toISOString(), listed[0]!.started_at);
  assertEquals(told!.linked_by, listed[0]!.linked_by);
  assertEquals((await service.stories(near)).length, 2);
  assertEquals((await client.stories({ ...near, plugin: "mail", subject: "bob" })).length, 1);
  assertEquals(await client.story(listed[0]!.events[1]!, near), listed[0]!);
  await assertRejects(
    () => service.stories({ windowMs: 600_001 }),
    RangeError,
    "windowMs is a number",
  );
  await assertRejects(() => service.stories({ plugn: "mail" } as never), RangeError, '"plugin"');
  await assertRejects(() => client.stories({ plugn: "mail" } as never), Error, '"plugin"');
});

Deno.test("an event that its plugin cannot read is in a story without the plugin's keys", async () => {
  await using service = await startService({ plugins: [mail] });
  const raw = { transport: "tcp", text: true, body: new Uint8Array() } as const;
  service.events.add("mail", "smtp", { type: "mail.message", summary: "odd", payload: null, raw });
  const { stories } = await listOf(service);
  assertEquals(stories.map(({ title }) => title), ["odd"]);
  await listOf(service);
  assertEquals(service.log.filter((line) => line.includes("story keys")).length, 1);
});
