import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import twilio from "npm:twilio@6.2.0";
import type { CapturedEvent } from "../../core/events/event.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const ACCOUNT = "AC00000000000000000000000000000000";
const SERVICE = "VA00000000000000000000000000000001";
const POOL = "MG00000000000000000000000000000001";
const TO = "+15558675310";
const FROM = "+15005550006";

async function start() {
  const service = await startService({ plugins: [sms] });
  const client = twilio(ACCOUNT, "token");
  for (const api of [client.api, client.verify, client.lookups, client.messaging]) {
    api.baseUrl = service.ingress.url;
  }
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<SmsMessage>[] {
  return (service.events.list({ plugin: "sms" }) as CapturedEvent<SmsMessage>[]).reverse();
}

async function refusalOf(call: () => Promise<unknown>): Promise<unknown[]> {
  const error = await assertRejects(call) as Error & { status?: number; code?: number };
  return [error.status, error.code, error.message];
}

Deno.test("twilio for Node sends and checks a code, which is in the event and can be extracted", async () => {
  await using running = await start();
  const { service, client } = running;
  const own = client.verify.v2.services(SERVICE);
  const sent = await own.verifications.create({ to: TO, channel: "sms" });
  assertMatch(sent.sid, /^VE[0-9a-f]{32}$/);
  assertEquals([sent.status, sent.valid, sent.channel, sent.serviceSid, sent.accountSid], [
    "pending",
    false,
    "sms",
    SERVICE,
    ACCOUNT,
  ]);
  const [event] = captured(service);
  const code = String(event!.meta.verification_code);
  assertMatch(code, /^\d{6}$/);
  assertEquals(event!.payload.body, `Your Standin verification code is: ${code}`);
  assertEquals([event!.payload.to, event!.meta.verification_sid], [TO, sent.sid]);
  const [read] = await service.getJson<{ extracted: { codes: string[] } }[]>(
    "/events?include_extracted=true",
  );
  assertEquals(read!.extracted.codes, [code]);
  const wrong = code === "000000" ? "111111" : "000000";
  const failed = await own.verificationChecks.create({ to: TO, code: wrong });
  assertEquals([failed.status, failed.valid], ["pending", false]);
  assertEquals((await own.verifications(sent.sid).fetch()).status, "pending");
  const passed = await own.verificationChecks.create({ to: TO, code });
  assertEquals([passed.sid, passed.status, passed.valid], [sent.sid, "approved", true]);
  assertEquals(await refusalOf(() => own.verificationChecks.create({ to: TO, code })), [
    404,
    20404,
    `The requested resource /Services/${SERVICE}/VerificationCheck was not found`,
  ]);
  assertEquals(captured(service).length, 1);
});

Deno.test("a pending code is resent unchanged up to five times; five wrong attempts end it", async () => {
  await using running = await start();
  const { service, client } = running;
  const own = client.verify.v2.services(SERVICE);
  for (let i = 1; i <= 5; i++) {
    const { sendCodeAttempts } = await own.verifications.create({
      to: TO,
      channel: i === 5 ? "whatsapp" : "sms",
      ...(i === 1 ? { customCode: "ab12cd", customFriendlyName: "Analytical Engines" } : {}),
    });
    assertEquals(sendCodeAttempts.length, i);
  }
  assertEquals(await refusalOf(() => own.verifications.create({ to: TO, channel: "sms" })), [
    429,
    60203,
    "Max send attempts reached",
  ]);
  const events = captured(service);
  assertEquals(new Set(events.map(({ meta }) => meta.verification_code)), new Set(["ab12cd"]));
  assertEquals(events[0]!.payload.body, "Your Analytical Engines verification code is: ab12cd");
  assertEquals(events[4]!.payload.to, `whatsapp:${TO}`);
  for (let i = 0; i < 5; i++) await own.verificationChecks.create({ to: TO, code: "9999" });
  const refused = await refusalOf(() => own.verificationChecks.create({ to: TO, code: "ab12cd" }));
  assertEquals(refused, [429, 60202, "Max check attempts reached"]);
  assertEquals((await own.verifications(TO).update({ status: "canceled" })).status, "canceled");
  const fresh = await own.verifications.create({ to: TO, channel: "sms" });
  assertEquals(fresh.sendCodeAttempts.length, 1);
  for (const [to, channel, name] of [["nobody", "sms", "To"], [TO, "pigeon", "Channel"]] as const) {
    const [status, code, message] = await refusalOf(() =>
      own.verifications.create({ to, channel })
    );
    assertEquals([status, code], [400, 60200]);
    assertMatch(String(message), new RegExp(`^Invalid parameter \`${name}\`: `));
  }
});

Deno.test("services of both kinds are created, listed page by page, changed and deleted", async () => {
  await using running = await start();
  const { service, client } = running;
  const four = await client.verify.v2.services.create({ friendlyName: "Four", codeLength: 4 });
  assertMatch(four.sid, /^VA[0-9a-f]{32}$/);
  await client.verify.v2.services(four.sid).verifications.create({ to: TO, channel: "sms" });
  assertMatch(captured(service)[0]!.payload.body, /^Your Four verification code is: \d{4}$/);
  for (const name of ["b", "c"]) await client.verify.v2.services.create({ friendlyName: name });
  const listed = await client.verify.v2.services.list({ pageSize: 2 });
  assertEquals(listed.map(({ friendlyName }) => friendlyName), ["c", "b", "Four"]);
  const changed = await client.verify.v2.services(four.sid).update({ codeLength: 8 });
  assertEquals([changed.codeLength, changed.friendlyName], [8, "Four"]);
  assert(await client.verify.v2.services(four.sid).remove());
  assertEquals((await refusalOf(() => client.verify.v2.services(four.sid).fetch()))[1], 20404);
  const pool = await client.messaging.v1.services.create({ friendlyName: "Pool" });
  assertMatch(pool.sid, /^MG[0-9a-f]{32}$/);
  assertEquals((await client.messaging.v1.services.list()).map(({ sid }) => sid), [pool.sid]);
  const [, code] = await refusalOf(() =>
    client.verify.v2.services.create({ friendlyName: "x", codeLength: 3 })
  );
  assertEquals(code, 20001);
});

Deno.test("messages of a service are accepted or scheduled, and a scheduled one is canceled", async () => {
  await using running = await start();
  const { service, client } = running;
  const about = { to: TO, messagingServiceSid: POOL, body: "Later" };
  assertEquals((await client.messages.create(about)).status, "accepted");
  const plan = (minutes: number) =>
    client.messages.create({
      ...about,
      scheduleType: "fixed",
      sendAt: new Date(Date.now() + minutes * 60_000),
    });
  const waiting = await plan(60);
  assertEquals([waiting.status, waiting.from], ["scheduled", null]);
  assertEquals(
    (await client.messages(waiting.sid).update({ status: "canceled" })).status,
    "canceled",
  );
  assertEquals((await plan(6)).status, "scheduled");
  for (const minutes of [4, 36 * 24 * 60]) {
    assertEquals(await refusalOf(() => plan(minutes)), [
      400,
      35114,
      "Scheduling does not support this timestamp",
    ]);
  }
  assertEquals(captured(service).map(({ payload }) => payload.status), [
    "accepted",
    "scheduled",
    "scheduled",
  ]);
});

Deno.test("Lookup derives its answer from the digits, with the requested packages", async () => {
  await using running = await start();
  const { lookups } = running.client;
  const found = await lookups.v2.phoneNumbers("+14159929960").fetch({
    fields: "line_type_intelligence",
  });
  assertEquals([found.valid, found.countryCode, found.callingCountryCode, found.nationalFormat], [
    true,
    "US",
    "1",
    "(415) 992-9960",
  ]);
  assertEquals([found.lineTypeIntelligence.type, found.callerName], ["mobile", null]);
  const national = await lookups.v2.phoneNumbers("07700 900123").fetch({ countryCode: "GB" });
  assertEquals([national.phoneNumber, national.countryCode], ["+447700900123", "GB"]);
  const short = await lookups.v2.phoneNumbers("+123").fetch();
  assertEquals([short.valid, short.validationErrors], [false, ["TOO_SHORT"]]);
  const refused = await refusalOf(() => lookups.v2.phoneNumbers(TO).fetch({ fields: "shoe_size" }));
  assertEquals(refused.slice(0, 2), [400, 20001]);
});

Deno.test("the vendor's numbers for tests are refused as documented", async () => {
  await using running = await start();
  const { client, service } = running;
  const codes: (readonly [to: string, from: string, code: number])[] = [
    ["+15005550001", FROM, 21211],
    ["+15005550002", FROM, 21612],
    ["+15005550003", FROM, 21408],
    ["+15005550004", FROM, 21610],
    ["+15005550009", FROM, 21614],
    [TO, "+15005550001", 21212],
    [TO, "+15005550007", 21606],
    [TO, "+15005550008", 21611],
  ];
  for (const [to, from, code] of codes) {
    const refused = await refusalOf(() => client.messages.create({ to, from, body: "x" }));
    assertEquals(refused.slice(0, 2), [400, code]);
  }
  assertEquals(service.events.count(), 0);
  assertEquals((await client.messages.create({ to: TO, from: FROM, body: "x" })).status, "queued");
});

Deno.test("the twilio package for Python sends and checks codes, and looks numbers up", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [sms] });
  const script = new URL("python/twilio_verify_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url, service.api.url], {
    env: { NO_PROXY: "*" },
  });
  const [event] = captured(service);
  assertEquals(JSON.parse(stdout), {
    sent: ["pending", false],
    checked: ["approved", true],
    gone: [404, 20404],
    looked: [true, "DE", "+4930123456"],
    scheduled: "scheduled",
    services: ["Python"],
  });
  assertMatch(event!.payload.body, /^Your Python verification code is: \d{6}$/);
});
