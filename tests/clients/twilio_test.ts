import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import twilio from "npm:twilio@6.2.0";
import type { CapturedEvent } from "../../core/events/event.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { startService, type TestService } from "../support/service.ts";

const ACCOUNT = "AC00000000000000000000000000000000";
const TO = "+15558675310";
const FROM = "+15017122661";

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [sms],
    config: { plugins: { sms: { providers: { sms1: config } } } },
  });
  const connect = (token: string) => {
    const client = twilio(ACCOUNT, token);
    client.api.baseUrl = service.ingress.url;
    return client;
  };
  return { service, connect, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<SmsMessage>[] {
  return (service.events.list({ plugin: "sms" }) as CapturedEvent<SmsMessage>[]).reverse();
}

Deno.test("twilio for Node sends messages, and the events hold all of them", async () => {
  await using running = await start();
  const { service, connect } = running;
  const client = connect("token");
  const text = await client.messages.create({ to: TO, from: FROM, body: "Hi there 👋 & co" });
  assertMatch(text.sid, /^SM[0-9a-f]{32}$/);
  assertEquals([text.status, text.numSegments, text.numMedia], ["queued", "1", "0"]);
  assert(text.dateCreated instanceof Date && !Number.isNaN(text.dateCreated.getTime()));
  assertEquals([text.dateSent, text.errorCode], [null, null]);
  const sendAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
  const media = await client.messages.create({
    to: `whatsapp:${TO}`,
    messagingServiceSid: "MG00000000000000000000000000000000",
    mediaUrl: ["https://example.com/a.png", "https://example.com/b.pdf"],
    statusCallback: "https://example.com/cb",
    persistentAction: ["a", "b"],
    scheduleType: "fixed",
    sendAt,
  });
  assertMatch(media.sid, /^MM/);
  const [first, second] = captured(service);
  assertEquals([first!.payload.body, first!.payload.to], ["Hi there 👋 & co", TO]);
  assertEquals(first!.payload.segments.encoding, "UCS-2");
  assertEquals(first!.meta.basic_auth, { username: ACCOUNT, password: "token" });
  assertEquals(first!.meta.sid, text.sid);
  assertEquals(second!.payload.media?.map((item) => item.content_type), [
    "image/png",
    "application/pdf",
  ]);
  assertEquals(second!.payload.messaging_service, "MG00000000000000000000000000000000");
  assertEquals(second!.meta.persistent_action, ["a", "b"]);
  assertEquals(second!.meta.send_at, sendAt.toISOString().replace(".000", ""));
});

Deno.test("twilio for Node sees its own writes: it lists page by page, fetches, changes and deletes", async () => {
  await using running = await start();
  const { service, connect } = running;
  const client = connect("token");
  const before = new Date(Date.now() - 60_000);
  for (let i = 0; i < 5; i++) await client.messages.create({ to: TO, from: FROM, body: `n${i}` });
  await client.messages.create({ to: "+15550001111", from: FROM, body: "other" });
  const all = await client.messages.list({ to: TO, dateSentAfter: before, pageSize: 2 });
  assertEquals(all.map(({ body }) => body), ["n4", "n3", "n2", "n1", "n0"]);
  assertEquals((await client.messages.list({ dateSentBefore: before })).length, 0);
  assertEquals((await client.messages.list({ limit: 3, pageSize: 2 })).length, 3);
  const page = await client.messages.page({ pageSize: 4 });
  const next = await page.nextPage();
  assertEquals(next?.instances.map(({ body }) => body), ["n1", "n0"]);
  assertEquals((await next?.previousPage())?.instances.length, 4);
  const [message] = all;
  const fetched = await client.messages(message!.sid).fetch();
  assertEquals(fetched.body, "n4");
  assertEquals((await fetched.update({ status: "canceled" })).status, "canceled");
  assertEquals((await fetched.update({ body: "" })).body, "");
  assertEquals(await fetched.remove(), true);
  const error = await assertRejects(() => client.messages(message!.sid).fetch());
  assertEquals([codeOf(error), statusOf(error)], [20404, 404]);
  assertEquals((await client.messages.list({ to: TO })).length, 4);
  const [, , , , kept] = captured(service);
  assertEquals([kept!.payload.body, kept!.payload.status], ["n4", "queued"]);
});

Deno.test("twilio for Node reads media, feedback and the account", async () => {
  await using running = await start();
  const client = running.connect("token");
  const { sid } = await client.messages.create({
    to: TO,
    from: FROM,
    mediaUrl: ["https://example.com/a.png", "https://example.com/b.gif"],
  });
  const media = await client.messages(sid).media.list();
  assertEquals(media.map(({ contentType }) => contentType), ["image/png", "image/gif"]);
  const one = await client.messages(sid).media(media[0]!.sid).fetch();
  assertEquals([one.parentSid, one.accountSid], [sid, ACCOUNT]);
  const feedback = await client.messages(sid).feedback.create({ outcome: "confirmed" });
  assertEquals([feedback.messageSid, feedback.outcome], [sid, "confirmed"]);
  const account = await client.api.accounts(ACCOUNT).fetch();
  assertEquals([account.sid, account.status], [ACCOUNT, "active"]);
});

Deno.test("twilio for Node understands every refusal", async () => {
  await using running = await start({ account_sid: ACCOUNT, auth_token: "secret" });
  const { service, connect } = running;
  const wrong = await assertRejects(() =>
    connect("wrong").messages.create({ to: TO, from: FROM, body: "x" })
  );
  assertEquals([statusOf(wrong), codeOf(wrong)], [401, 20003]);
  const listed = await assertRejects(() => connect("wrong").messages.list());
  assertEquals([statusOf(listed), codeOf(listed)], [401, 20003]);
  const client = connect("secret");
  const number = await assertRejects(() =>
    client.messages.create({ to: "nobody", from: FROM, body: "x" })
  );
  assertEquals([statusOf(number), codeOf(number)], [400, 21211]);
  const empty = await assertRejects(() => client.messages.create({ to: TO, from: FROM, body: "" }));
  assertEquals(codeOf(empty), 21602);
  assertEquals(
    (empty as { moreInfo?: string }).moreInfo,
    "https://www.twilio.com/docs/errors/21602",
  );
  const other = await assertRejects(() => client.calls.list());
  assertEquals([statusOf(other), codeOf(other)], [404, 20404]);
  assertEquals(service.events.count(), 0);
  await client.messages.create({ to: TO, from: FROM, body: "x" });
  assertEquals(service.events.count(), 1);
});

Deno.test("a sender that cannot write to the recipient is refused", async () => {
  await using running = await start();
  const { service, connect } = running;
  const client = connect("token");
  const refusal = async (to: string, from: string) => {
    const error = await assertRejects(() => client.messages.create({ to, from, body: "x" }));
    return [statusOf(error), codeOf(error)];
  };
  assertEquals(await refusal(FROM, FROM), [400, 21266]);
  assertEquals(await refusal("+1 (501) 712-2661", FROM), [400, 21266]);
  assertEquals(await refusal(`whatsapp:${FROM}`, `whatsapp:${FROM}`), [400, 63031]);
  assertEquals(await refusal(`whatsapp:${TO}`, FROM), [400, 21910]);
  assertEquals(await refusal(TO, `whatsapp:${FROM}`), [400, 21910]);
  assertEquals(await refusal(`messenger:${TO}`, `whatsapp:${FROM}`), [400, 21910]);
  assertEquals(service.events.count(), 0);
  const test = "+15005550006";
  await client.messages.create({ to: test, from: test, body: "x" });
  await client.messages.create({ to: `whatsapp:${TO}`, from: `whatsapp:${FROM}`, body: "x" });
  assertEquals(service.events.count(), 2);
});

Deno.test("a messaging service may be the sender of a message", async () => {
  await using running = await start();
  const { service, connect } = running;
  const sent = await connect("token").messages.create({
    to: `whatsapp:${TO}`,
    from: "MG00000000000000000000000000000000",
    contentSid: "HX00000000000000000000000000000000",
    contentVariables: JSON.stringify({ 1: "Ada" }),
  });
  assertEquals([sent.status, sent.messagingServiceSid], [
    "accepted",
    "MG00000000000000000000000000000000",
  ]);
  const [event] = captured(service);
  assertEquals(event!.payload.messaging_service, "MG00000000000000000000000000000000");
  assertEquals([event!.payload.from, event!.meta.content_variables], [undefined, '{"1":"Ada"}']);
});

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown }).status;
}
