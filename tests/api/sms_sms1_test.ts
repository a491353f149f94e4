import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import captured from "../fixtures/vendors/sms1_twilio.json" with { type: "json" };
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsEnvelope } from "../../plugins/sms/views.ts";
import { recorded, replay } from "../support/replay.ts";
import { startService, type TestService } from "../support/service.ts";

const ACCOUNT = "AC00000000000000000000000000000000";
const BASE = `/2010-04-01/Accounts/${ACCOUNT}`;
const VALID = { To: "+15558675310", From: "+15017122661", Body: "Hi" };

type Fields = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

async function call(
  service: TestService,
  path: string,
  init: { method?: string; fields?: Fields; auth?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${service.ingress.url}${path}`, {
    method: init.method ?? (init.fields === undefined ? "GET" : "POST"),
    redirect: "manual",
    ...(init.fields === undefined ? {} : { body: new URLSearchParams(init.fields) }),
    ...(init.auth === undefined ? {} : { headers: { authorization: `Basic ${btoa(init.auth)}` } }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === "" ? {} : JSON.parse(text),
  };
}

const create = (service: TestService, fields: Fields): Promise<Answer> =>
  call(service, `${BASE}/Messages.json`, { fields });

Deno.test("a created message is the vendor's full resource, in its key order", async () => {
  await using service = await startService({ plugins: [sms] });
  const { status, headers, json } = await create(service, VALID);
  assertEquals(status, 201);
  assertEquals(headers.get("content-type"), "application/json;charset=utf-8");
  assertMatch(headers.get("twilio-request-id") ?? "", /^RQ[0-9a-f]{32}$/);
  const [event] = service.events.list({});
  assertEquals(headers.get("x-service-event-url"), `${service.ui.url}/ui/events/${event!.id}`);
  const { sid, date_created } = json as Record<string, string>;
  assertMatch(sid!, /^SM[0-9a-f]{32}$/);
  assertStringIncludes(sid!, event!.id);
  assertMatch(date_created!, /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/);
  assertEquals(
    Object.entries(json),
    Object.entries({
      sid,
      date_created,
      date_updated: date_created,
      date_sent: null,
      account_sid: ACCOUNT,
      to: "+15558675310",
      from: "+15017122661",
      messaging_service_sid: null,
      body: "Hi",
      status: "queued",
      num_segments: "1",
      num_media: "0",
      direction: "outbound-api",
      api_version: "2010-04-01",
      price: null,
      price_unit: "USD",
      error_code: null,
      error_message: null,
      uri: `${BASE}/Messages/${sid}.json`,
      subresource_uris: {
        media: `${BASE}/Messages/${sid}/Media.json`,
        feedback: `${BASE}/Messages/${sid}/Feedback.json`,
      },
    }),
  );
});

const refused: readonly [what: string, fields: Fields, code: number, message: string][] = [
  ["no To", { From: "+15017122661", Body: "Hi" }, 21604, "'To' phone number is required"],
  ["a blank To", { ...VALID, To: " " }, 21604, "'To' phone number is required"],
  ["an invalid To", { ...VALID, To: "nobody" }, 21211, "The 'To' number nobody"],
  ["a To of two digits", { ...VALID, To: "12" }, 21211, "The 'To' number 12"],
  ["no sender", { To: "+15558675310", Body: "Hi" }, 21603, "'From' phone number is required"],
  ["an invalid sender", { ...VALID, From: "Not a sender id!" }, 21212, "The 'From' number"],
  [
    "a sender of another channel",
    { ...VALID, To: "whatsapp:+15558675310", From: "messenger:123" },
    21910,
    "should be of the same channel",
  ],
  ["no body", { To: "+15558675310", From: "+15017122661" }, 21602, "Message body is required"],
  ["a body of 1601 characters", { ...VALID, Body: "a".repeat(1601) }, 21617, "1600 character"],
  ["an invalid media link", { ...VALID, MediaUrl: "ftp://x/y" }, 21620, "ftp://x/y"],
  ["a broken data link", { ...VALID, MediaUrl: "data:image/png;base64,%%" }, 21620, "data:"],
];

for (const [what, fields, code, message] of refused) {
  Deno.test(`${what} is refused as by the vendor`, async () => {
    await using service = await startService({ plugins: [sms] });
    const { status, headers, json } = await create(service, fields);
    assertEquals(status, 400);
    assertEquals(json.code, code);
    assertEquals(json.status, 400);
    assertStringIncludes(String(json.message), message);
    assertEquals(json.more_info, `https://www.twilio.com/docs/errors/${code}`);
    assertEquals(headers.get("x-service-event-url"), null);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list({ provider: "sms1" }).length, 1);
  });
}

const accepted: readonly [what: string, fields: Fields][] = [
  ["a number with spaces, dots, dashes and parentheses", { ...VALID, To: "(555) 867-53.10" }],
  ["a short code", { ...VALID, To: "12345" }],
  ["an address of WhatsApp", {
    ...VALID,
    To: "whatsapp:+15558675310",
    From: "whatsapp:+15017122661",
  }],
  ["an address of Messenger", { ...VALID, To: "messenger:456", From: "messenger:123" }],
  ["an alphanumeric sender", { ...VALID, From: "Acme 24" }],
  ["a content template without a body", { To: "+15558675310", From: "Acme", ContentSid: "HX1" }],
  ["a body of 1600 characters beyond the basic plane", { ...VALID, Body: "👋".repeat(1600) }],
  ["a messaging service", { To: "+15558675310", MessagingServiceSid: "MG1", Body: "Hi" }],
];

for (const [what, fields] of accepted) {
  Deno.test(`${what} is accepted`, async () => {
    await using service = await startService({ plugins: [sms] });
    const { status, json } = await create(service, fields);
    const state = fields.MessagingServiceSid === undefined ? "queued" : "accepted";
    assertEquals([status, json.status], [201, state]);
    assertEquals(json.messaging_service_sid, fields.MessagingServiceSid ?? null);
    assertEquals(service.events.count(), 1);
  });
}

Deno.test("any credentials are accepted and recorded while none are pinned", async () => {
  await using service = await startService({ plugins: [sms] });
  const path = `${BASE}/Messages.json`;
  assertEquals((await call(service, path, { fields: VALID, auth: "SK1:s:e" })).status, 201);
  assertEquals((await create(service, VALID)).status, 201);
  const [bare, keyed] = await service.getJson<SmsEnvelope[]>("/sms/messages");
  assertEquals(keyed!.meta?.basic_auth, { username: "SK1", password: "s:e" });
  assertEquals(bare!.meta?.basic_auth, undefined);
});

Deno.test("pinned credentials must match, on every call", async () => {
  const pinned = { account_sid: ACCOUNT, auth_token: "secret" };
  const config = { plugins: { sms: { providers: { sms1: pinned } } } };
  await using service = await startService({ plugins: [sms], config });
  const path = `${BASE}/Messages.json`;
  const none = await call(service, path, { fields: VALID });
  assertEquals([none.status, none.json.code], [401, 20003]);
  assertEquals(none.json.message, "Authentication Error - No credentials provided");
  assertEquals(none.headers.get("www-authenticate"), 'Basic realm="Twilio API"');
  const user = await call(service, path, { fields: VALID, auth: "ACother:secret" });
  assertEquals(user.json.message, "Authentication Error - invalid username");
  const token = await call(service, path, { fields: VALID, auth: `${ACCOUNT}:wrong` });
  assertEquals(token.json.message, "Authenticate");
  assertEquals(token.json.detail, "Your AccountSid or AuthToken was incorrect.");
  const auth = `${ACCOUNT}:secret`;
  const foreign = path.replace(ACCOUNT, "ACother");
  assertEquals((await call(service, foreign, { fields: VALID, auth })).status, 401);
  assertEquals((await call(service, path)).status, 401);
  assertEquals((await call(service, `${BASE}.json`, { auth: "a:b" })).status, 401);
  assertEquals(service.events.count(), 0);
  assertEquals((await call(service, path, { fields: VALID, auth })).status, 201);
  assertEquals((await call(service, `${BASE}.json`, { auth })).json.auth_token, null);
});

Deno.test("half of the credentials alone is not checked, and the log says so", async () => {
  const config = { plugins: { sms: { providers: { sms1: { auth_token: "secret" } } } } };
  await using service = await startService({ plugins: [sms], config });
  assertEquals((await create(service, VALID)).status, 201);
  assertEquals((await create(service, VALID)).status, 201);
  assertEquals(service.log.filter((line) => line.includes("auth_token")).length, 1);
});

Deno.test("the list has only the vendor's keys, and its links lead through every page", async () => {
  await using service = await startService({ plugins: [sms] });
  for (let i = 0; i < 5; i++) await create(service, { ...VALID, Body: `n${i}` });
  await create(service, { ...VALID, To: "+15550009999", Body: "other" });
  const first = await call(service, `${BASE}/Messages.json?To=%2B15558675310&PageSize=2`);
  assertEquals(Object.keys(first.json).sort(), [
    "end",
    "first_page_uri",
    "messages",
    "next_page_uri",
    "page",
    "page_size",
    "previous_page_uri",
    "start",
    "uri",
  ]);
  assertEquals(
    first.json.first_page_uri,
    `${BASE}/Messages.json?To=%2B15558675310&PageSize=2&Page=0`,
  );
  const seen: string[][] = [];
  let page = first;
  while (true) {
    seen.push(bodiesOf(page));
    // Messages that arrive between two pages must not shift them.
    if (seen.length === 1) await create(service, { ...VALID, Body: "late" });
    if (page.json.next_page_uri === null) break;
    page = await call(service, String(page.json.next_page_uri));
  }
  assertEquals(seen, [["n4", "n3"], ["n2", "n1"], ["n0"]]);
  assertEquals([page.json.page, page.json.start, page.json.end], [2, 4, 4]);
  const back = await call(service, String(page.json.previous_page_uri));
  assertEquals(bodiesOf(back), ["n2", "n1"]);
  assertEquals(bodiesOf(await call(service, String(back.json.uri))), ["n2", "n1"]);
  assertEquals(first.json.previous_page_uri, null);
  const empty = await call(service, `${BASE}/Messages.json?From=nobody`);
  assertEquals([empty.json.start, empty.json.end, empty.json.next_page_uri], [0, 0, null]);
  const byNumber = await call(service, `${BASE}/Messages.json?PageSize=2&Page=3`);
  assertEquals(bodiesOf(byNumber), ["n0"]);
  const elsewhere = await call(service, "/2010-04-01/Accounts/ACother/Messages.json");
  assertEquals(bodiesOf(elsewhere), []);
});

Deno.test("the list is filtered by number and by date", async () => {
  await using service = await startService({ plugins: [sms] });
  const { json } = await create(service, VALID);
  const created = new Date(String(json.date_created));
  const iso = created.toISOString();
  const day = iso.slice(0, 10);
  const tomorrow = new Date(created.getTime() + 86_400_000).toISOString().slice(0, 10);
  const count = async (query: string): Promise<number> =>
    bodiesOf(await call(service, `${BASE}/Messages.json?${query}`)).length;
  assertEquals(await count("To=+15558675310"), 1);
  assertEquals(await count("To=%2B1555"), 0);
  assertEquals(await count("From=%2B15017122661"), 1);
  assertEquals(await count(`DateSent=${day}`), 1);
  assertEquals(await count(`DateSent=${tomorrow}`), 0);
  assertEquals(await count(`DateSent%3E=${iso}`), 1);
  assertEquals(await count(`DateSent>=${day}`), 1);
  assertEquals(await count(`DateSent>=${tomorrow}`), 0);
  assertEquals(await count(`DateSent%3C=${iso}`), 1);
  assertEquals(await count(`DateSent<=${tomorrow}`), 1);
  assertEquals(await count("DateSent<=2020-01-01"), 0);
  for (const bad of ["DateSent=soon", "PageSize=0", "PageSize=x", "Page=-1", "PageToken=zz"]) {
    const answer = await call(service, `${BASE}/Messages.json?${bad}`);
    assertEquals([answer.status, answer.json.code], [400, 20001], bad);
  }
});

Deno.test("redacting, canceling and deleting change the vendor API, not the captured event", async () => {
  await using service = await startService({ plugins: [sms] });
  const { json: { sid } } = await create(service, VALID);
  const path = `${BASE}/Messages/${sid}.json`;
  const canceled = await call(service, path, { fields: { Status: "canceled" } });
  assertEquals([canceled.status, canceled.json.status, canceled.json.body], [
    200,
    "canceled",
    "Hi",
  ]);
  const redacted = await call(service, path, { fields: { Body: "" } });
  assertEquals([redacted.status, redacted.json.status, redacted.json.body], [200, "canceled", ""]);
  assertEquals((await call(service, path)).json, redacted.json);
  assertEquals((await call(service, path, { fields: { Body: "new" } })).json.code, 20001);
  assertEquals((await call(service, path, { fields: { Status: "sent" } })).json.code, 20001);
  const gone = await call(service, path, { method: "DELETE" });
  assertEquals([gone.status, gone.json], [204, {}]);
  const after = await call(service, path);
  assertEquals([after.status, after.json.code], [404, 20404]);
  assertEquals(after.json.message, `The requested resource ${path} was not found`);
  assertEquals(bodiesOf(await call(service, `${BASE}/Messages.json`)), []);
  const [kept] = await service.getJson<SmsEnvelope[]>("/sms/messages");
  assertEquals([kept!.message.body, kept!.message.status], ["Hi", "queued"]);
});

Deno.test("media is listed, described, downloaded or redirected to", async () => {
  await using service = await startService({ plugins: [sms] });
  const body = new URLSearchParams([
    ["To", "+15558675310"],
    ["From", "+15017122661"],
    ["MediaUrl", "https://example.com/a.png"],
    ["MediaUrl", "https://example.com/what"],
    ["MediaUrl", "data:,hello"],
  ]);
  const created = await fetch(`${service.ingress.url}${BASE}/Messages.json`, {
    method: "POST",
    body,
  });
  const { sid, num_media, subresource_uris } = await created.json();
  assertMatch(sid, /^MM[0-9a-f]{32}$/);
  assertEquals(num_media, "3");
  const list = await call(service, subresource_uris.media);
  const media = list.json.media_list as Record<string, string>[];
  assertEquals(media.map((item) => item.content_type), [
    "image/png",
    "application/octet-stream",
    "text/plain",
  ]);
  assertEquals(media[0]!.parent_sid, sid);
  const page = await call(service, `${subresource_uris.media}?PageSize=2`);
  const next = await call(service, String(page.json.next_page_uri));
  assertEquals((next.json.media_list as unknown[]).length, 1);
  const [link, , bytes] = media.map((item) => item.uri!.replace(/\.json$/, ""));
  assertEquals((await call(service, `${link}.json`)).json, media[0]);
  const moved = await call(service, link!);
  assertEquals([moved.status, moved.headers.get("location")], [302, "https://example.com/a.png"]);
  const stored = await fetch(`${service.ingress.url}${bytes}`);
  assertEquals([await stored.text(), stored.headers.get("content-type")], ["hello", "text/plain"]);
  const wrong = link!.replace(/ME\w+/, `ME${"0".repeat(32)}`);
  assertEquals((await call(service, wrong)).json.code, 20404);
});

Deno.test("a missing resource gets the vendor's not-found error", async () => {
  await using service = await startService({ plugins: [sms] });
  const { json: { sid } } = await create(service, VALID);
  const unknown = [
    `${BASE}/Messages/SM${"0".repeat(32)}.json`,
    `${BASE}/Messages/${String(sid).replace("SM", "MM")}.json`,
    `/2010-04-01/Accounts/ACother/Messages/${sid}.json`,
    `${BASE}/Calls.json`,
    `${BASE}/Messages/${sid}/Nothing.json`,
  ];
  for (const path of unknown) {
    const answer = await call(service, path);
    assertEquals([answer.status, answer.json.code], [404, 20404], path);
  }
  const method = await call(service, `${BASE}/Messages.json`, { method: "DELETE" });
  assertEquals([method.status, method.json.code], [405, 20004]);
  assertEquals(method.headers.get("allow"), "POST, GET, HEAD");
  const feedback = { Outcome: "confirmed" };
  const given = await call(service, `${BASE}/Messages/${sid}/Feedback.json`, { fields: feedback });
  assertEquals([given.status, given.json.outcome], [201, "confirmed"]);
  const account = await call(service, `${BASE}.json`);
  assertEquals([account.status, account.json.sid], [200, ACCOUNT]);
  // Without the suffix the vendor answers in XML; here it is always JSON.
  assertEquals((await call(service, `${BASE}/Messages/${sid}`)).json.sid, sid);
});

Deno.test("a multipart form is read like any other", async () => {
  await using service = await startService({ plugins: [sms] });
  const body = new FormData();
  for (const [name, value] of Object.entries(VALID)) body.append(name, value);
  const url = `${service.ingress.url}${BASE}/Messages.json`;
  const response = await fetch(url, { method: "POST", body });
  assertEquals([response.status, (await response.json()).body], [201, "Hi"]);
});

Deno.test("a body over the limit and media that do not fit get the vendor's errors", async () => {
  const config = { ingress: { max_body: 2000 }, storage: { blob_limit: 10 } };
  await using service = await startService({ plugins: [sms], config });
  const large = await create(service, { ...VALID, Body: "a".repeat(3000) });
  assertEquals([large.status, large.json.status, large.json.code], [413, 413, 20001]);
  const media = await create(service, { ...VALID, MediaUrl: "data:,longer-than-the-store" });
  assertEquals([media.status, media.json.code], [413, 11751]);
  assertEquals(service.events.count(), 0);
});

Deno.test("requests recorded from the vendor's own clients are captured whole", async () => {
  await using service = await startService({ plugins: [sms] });
  const send = (scenario: string) =>
    replay(service.ingress.url, recorded(captured.requests, scenario));
  const media = await send("create with two MediaUrl");
  assertEquals((await media.json()).num_media, "2");
  const plan = recorded(captured.requests, "create via messaging service, scheduled");
  const sendAt = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const body = plan.body.replace("2030-01-01T00%3A00%3A00Z", encodeURIComponent(sendAt));
  const scheduled = await replay(service.ingress.url, { ...plan, body });
  const resource = await scheduled.json();
  assertEquals([resource.status, resource.from], ["scheduled", null]);
  const python = await send("create");
  assertEquals((await python.json()).body, "hello py & €");
  const [py, later, mms] = await service.getJson<SmsEnvelope[]>("/sms/messages");
  assertEquals(mms!.message.body, "Hi there 👋 & co");
  assertEquals(mms!.message.media?.map(({ filename }) => filename), ["a.png", "b.png"]);
  assertEquals(mms!.meta?.status_callback, "https://example.com/cb");
  assertEquals(later!.message.messaging_service, "MG00000000000000000000000000000000");
  assertEquals(later!.meta?.persistent_action, ["a", "b"]);
  assertEquals(later!.meta?.send_at, sendAt);
  assertEquals(later!.meta?.smart_encoded, "true");
  assertEquals(py!.message.segments.encoding, "GSM-7");
  const event = service.events.get(py!.id)!;
  assertEquals(
    new TextDecoder().decode(event.raw.body),
    recorded(captured.requests, "create").body,
  );
});

function bodiesOf({ json }: Answer): string[] {
  assert(Array.isArray(json.messages), JSON.stringify(json));
  return json.messages.map((message) => message.body);
}
