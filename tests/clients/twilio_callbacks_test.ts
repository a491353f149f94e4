/** Status callbacks and incoming messages of Twilio, verified by the vendor's own library. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import twilio from "npm:twilio@6.2.0";
import { connect, RequestError } from "../../plugins/client.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const ACCOUNT = "AC00000000000000000000000000000000";
const TOKEN = "0123456789abcdef0123456789abcdef";
const [TO, FROM] = ["+15558675310", "+15017122661"];

function start(callbacks: Record<string, unknown> = {}) {
  const sms1 = { account_sid: ACCOUNT, auth_token: TOKEN };
  return startService({
    plugins: [sms],
    config: {
      callbacks: { enabled: true, ...callbacks },
      plugins: { sms: { providers: { sms1 } } },
    },
  });
}

function clientOf(url: string) {
  const client = twilio(ACCOUNT, TOKEN);
  client.api.baseUrl = url;
  return client;
}

const fieldsOf = (body: string) => Object.fromEntries(new URLSearchParams(body));

Deno.test("a message is reported as sent and delivered, in order and signed", async () => {
  await using app = startReceiver();
  await using service = await start();
  const client = clientOf(service.ingress.url);
  const statusCallback = `${app.url}/status?order=7#rc=2`;
  const sent = await client.messages.create({ to: TO, from: FROM, body: "Hi", statusCallback });
  const event = await service.waitFor("sms.message");
  const list = await connect(service.api.url).callbacks(event);
  assertEquals(list.calls.map(({ name, state }) => [name, state]), [
    ["sent", "done"],
    ["delivered", "done"],
  ]);
  assertEquals(app.received.map(({ body }) => fieldsOf(body).MessageStatus), [
    "sent",
    "delivered",
  ]);
  for (const { url, headers, body } of app.received) {
    const signature = headers.get("x-twilio-signature")!;
    assertEquals(new URL(url).search, "?order=7");
    assert(twilio.validateRequest(TOKEN, signature, url, fieldsOf(body)));
    assert(!twilio.validateRequest(TOKEN, signature, url, { ...fieldsOf(body), To: FROM }));
    assertEquals(fieldsOf(body).MessageSid, sent.sid);
  }
  assertEquals((await client.messages(sent.sid).fetch()).status, "delivered");
});

const POOL = "MG00000000000000000000000000000000";

Deno.test("a message of a messaging service is accepted, then reported as queued, sent and delivered", async () => {
  await using app = startReceiver();
  await using service = await start();
  const client = clientOf(service.ingress.url);
  const about = { to: TO, messagingServiceSid: POOL, body: "Hi" };
  for (const sender of [{}, { from: FROM }]) {
    const seen = app.received.length;
    const sent = await client.messages.create({ ...about, ...sender, statusCallback: app.url });
    assertEquals(sent.status, "accepted");
    const [event] = service.events.list({ plugin: "sms" });
    await connect(service.api.url).callbacks(event!);
    const calls = app.received.slice(seen);
    assertEquals(calls.map(({ body }) => fieldsOf(body).MessageStatus), [
      "queued",
      "sent",
      "delivered",
    ]);
    for (const { url, headers, body } of calls) {
      const fields = fieldsOf(body);
      assert(
        twilio.validateRequest(TOKEN, headers.get("x-twilio-signature")!, url, fields),
      );
      assertEquals([fields.MessagingServiceSid, fields.From], [
        POOL,
        (sender as { from?: string }).from,
      ]);
    }
  }
});

Deno.test("the address of a messaging service is called, unless the message has its own", async () => {
  await using app = startReceiver();
  await using service = await start();
  const client = clientOf(service.ingress.url);
  client.messaging.baseUrl = service.ingress.url;
  const pool = await client.messaging.v1.services.create({
    friendlyName: "Pool",
    statusCallback: `${app.url}/pool`,
  });
  const about = { to: TO, messagingServiceSid: pool.sid, body: "Hi" };
  await client.messages.create(about);
  await client.messages.create({ ...about, statusCallback: `${app.url}/own` });
  const api = connect(service.api.url);
  for (const event of service.events.list({ plugin: "sms" })) await api.callbacks(event);
  const paths = app.received.map(({ url }) => new URL(url).pathname);
  assertEquals(paths.filter((path) => path === "/pool").length, 3);
  assertEquals(paths.filter((path) => path === "/own").length, 3);
});

Deno.test("a scheduled message is reported once it is due, or as canceled", async () => {
  await using app = startReceiver();
  const sendAt = new Date(Date.now() + 3_600_000);
  const plan = {
    to: TO,
    messagingServiceSid: POOL,
    body: "Later",
    scheduleType: "fixed" as const,
    sendAt,
    statusCallback: app.url,
  };
  await using slow = await start({ speed: 1 });
  const client = clientOf(slow.ingress.url);
  const waiting = await client.messages.create(plan);
  assertEquals(waiting.status, "scheduled");
  const event = await slow.waitFor("sms.message");
  const planned = slow.callbacks(event);
  assertEquals(planned.map(({ name, state }) => [name, state]), [
    ["queued", "waiting"],
    ["sent", "waiting"],
    ["delivered", "waiting"],
  ]);
  assert(Math.abs(Date.parse(planned[0]!.next_at!) - sendAt.getTime()) < 60_000);
  const canceled = await client.messages(waiting.sid).update({ status: "canceled" });
  assertEquals(canceled.status, "canceled");
  const { calls } = await connect(slow.api.url).callbacks(event);
  assertEquals(calls.map(({ name, state, reason }) => [name, state, reason]), [
    ...["queued", "sent", "delivered"].map((name) => [
      name,
      "cancelled",
      "The sender canceled the item",
    ]),
    ["canceled", "done", undefined],
  ]);
  const [{ url, headers, body }] = app.received as [typeof app.received[number]];
  assertEquals(fieldsOf(body).MessageStatus, "canceled");
  assert(twilio.validateRequest(TOKEN, headers.get("x-twilio-signature")!, url, fieldsOf(body)));

  await using fast = await start({ speed: 1_000_000 });
  const other = clientOf(fast.ingress.url);
  const { sid } = await other.messages.create(plan);
  await connect(fast.api.url).callbacks(await fast.waitFor("sms.message"));
  assertEquals(app.received.slice(1).map(({ body }) => fieldsOf(body).MessageStatus), [
    "queued",
    "sent",
    "delivered",
  ]);
  const late = await assertRejects(() => other.messages(sid).update({ status: "canceled" }));
  assertEquals((late as { code?: number }).code, 30409);
  assertEquals((await other.messages(sid).fetch()).status, "delivered");
});

Deno.test("a requested failure has its code, and the vendor's API returns it from then on", async () => {
  await using app = startReceiver();
  await using service = await start({ webhooks: { sms1: `${app.url}/status` } });
  const client = clientOf(service.ingress.url);
  const sent = await client.messages.create({ to: TO, from: FROM, body: "Hi" });
  const event = await service.waitFor("sms.message");
  await connect(service.api.url).callbacks(event);
  const [call] = await service.callback(event, "undelivered", { error_code: 30005 });
  assertEquals([call?.state, call?.attempts[0]?.status], ["done", 200]);
  const { MessageStatus, ErrorCode } = fieldsOf(app.received.at(-1)!.body);
  assertEquals([MessageStatus, ErrorCode], ["undelivered", "30005"]);
  const { status, errorCode } = await client.messages(sent.sid).fetch();
  assertEquals([status, errorCode], ["undelivered", 30005]);
  const api = connect(service.api.url);
  const unknown = await assertRejects(() => api.callback(event, "deliverd"), RequestError);
  assertEquals(
    unknown.message,
    'Cannot send a callback of sms/sms1: unknown callback "deliverd"; did you mean "delivered"? ' +
      "known are queued, sent, delivered, undelivered, canceled, failed, reply",
  );
  const parameter = await assertRejects(() => api.callback(event, "failed", { code: 1 }));
  assertStringIncludes(String(parameter), 'unknown parameter "code"; known are error_code');
});

Deno.test("the TwiML that answers an incoming message is captured as its replies", async () => {
  await using app = startReceiver(({ body }) => {
    const { Body, From } = fieldsOf(body);
    const twiml = new twilio.twiml.MessagingResponse();
    const reply = twiml.message({ statusCallback: "/replied" }, "");
    reply.body(`You said ${Body} <3`);
    reply.media("https://example.com/a.png");
    twiml.message({ to: "+15551112222" }, `From ${From}`);
    return new Response(twiml.toString(), { headers: { "content-type": "text/xml" } });
  });
  await using service = await start({ inbound: { sms1: `${app.url}/sms` } });
  const payload = { From: TO, To: FROM, Body: "Hello & you" };
  const { calls: [call], event } = await connect(service.api.url).inbound("sms1", payload);
  assertEquals([call?.state, call?.captured?.length], ["done", 2]);
  const [{ url, headers, body }] = app.received as [typeof app.received[number]];
  assert(twilio.validateRequest(TOKEN, headers.get("x-twilio-signature")!, url, fieldsOf(body)));
  assertEquals(fieldsOf(body).NumMedia, "0");
  const incoming = service.events.get(event!)!;
  assertEquals(incoming.payload, {
    ...incoming.payload as object,
    direction: "inbound",
    status: "received",
  });
  const [first, second] = call!.captured!.map((id) => service.events.get(id)!);
  assertEquals(first?.payload, {
    ...first?.payload as object,
    to: TO,
    from: FROM,
    body: "You said Hello & you <3",
    media: (first?.payload as { media: unknown[] }).media.slice(0, 1),
  });
  assertEquals([first?.meta.in_reply_to, second?.meta.in_reply_to], [event, event]);
  assertEquals((second?.payload as { to: string }).to, "+15551112222");
  await connect(service.api.url).callbacks(first!.id);
  assertEquals(app.received.at(-1)?.url, `${app.url}/replied`);
  const reply = await service.callback(first!, "reply", { body: "Thanks" });
  assertEquals(reply[0]?.state, "done");
  assertEquals(fieldsOf(app.received.at(-1)!.body).Body, "Thanks");
});
