import { assert, assertEquals } from "@std/assert";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsEnvelope } from "../../plugins/sms/views.ts";
import { startService, type TestService } from "../support/service.ts";

const ACCOUNT = "AC00000000000000000000000000000000";
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Sends one message as a form, and returns the vendor's response. */
async function send(
  service: TestService,
  fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
): Promise<{ sid: string; eventUrl: string }> {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  const body = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  const url = `${service.ingress.url}/2010-04-01/Accounts/${ACCOUNT}/Messages.json`;
  const response = await fetch(url, { method: "POST", body });
  const { sid } = await response.json();
  assertEquals(response.status, 201);
  return { sid, eventUrl: response.headers.get("x-service-event-url") ?? "" };
}

Deno.test("a message reads back in full, by list and by id", async () => {
  await using service = await startService({ plugins: [sms] });
  const { sid, eventUrl } = await send(service, [
    ["To", "+15558675310"],
    ["From", " Acme "],
    ["Body", "Total: 5 €"],
    ["MediaUrl", "https://example.com/a.png?x=1"],
    ["MediaUrl", `data:image/png;base64,${PIXEL}`],
    ["StatusCallback", "https://example.com/cb"],
  ]);
  const [listed] = await service.getJson<SmsEnvelope[]>("/sms/messages");
  assert(listed !== undefined);
  assertEquals(await service.getJson(`/sms/messages/${listed.id}`), listed);
  assertEquals(listed.url, eventUrl);
  assertEquals([listed.provider, listed.type], ["sms1", "sms.message"]);
  const blob = listed.message.media![1]!.blob!;
  assertEquals(listed.message, {
    to: "+15558675310",
    from: "Acme",
    body: "Total: 5 €",
    media: [
      { content_type: "image/png", filename: "a.png", url: "https://example.com/a.png?x=1" },
      { content_type: "image/png", blob },
    ],
    status: "queued",
    direction: "outbound",
    segments: { count: 1, encoding: "GSM-7", units: 11, capacity: 160, remaining: 149 },
  });
  assertEquals(listed.media, [
    {
      index: 0,
      stored: false,
      url: "https://example.com/a.png?x=1",
      content_type: "image/png",
      filename: "a.png",
    },
    {
      index: 1,
      stored: true,
      url: `/api/v1/sms/messages/${listed.id}/media/1`,
      content_type: "image/png",
      size: blob.size,
    },
  ]);
  assertEquals(listed.meta, {
    status_callback: "https://example.com/cb",
    account_sid: ACCOUNT,
    sid,
  });
  const event = service.events.get(listed.id)!;
  assertEquals(event.summary, "Acme -> +15558675310: Total: 5 €");
  assertEquals(event.summary_parts.title, "MMS, 1 segment");
});

Deno.test("stored media is served with its type and in ranges; a link is not", async () => {
  await using service = await startService({ plugins: [sms] });
  await send(service, [
    ["To", "+15558675310"],
    ["From", "+15017122661"],
    ["MediaUrl", `data:image/png;base64,${PIXEL}`],
    ["MediaUrl", "https://example.com/a.png"],
  ]);
  const [message] = await service.getJson<SmsEnvelope[]>("/sms/messages");
  const url = `${service.api.url}${message!.media![0]!.url}`;
  const whole = await fetch(url);
  assertEquals(whole.headers.get("content-type"), "image/png");
  assertEquals(whole.headers.get("x-content-type-options"), "nosniff");
  assertEquals(new Uint8Array(await whole.arrayBuffer()).toBase64(), PIXEL);
  const part = await fetch(url, { headers: { range: "bytes=1-3" } });
  assertEquals([part.status, await part.text()], [206, "PNG"]);
  const beyond = await fetch(url, { headers: { range: "bytes=9999-" } });
  assertEquals(beyond.status, 416);
  await beyond.body?.cancel();
  for (const idx of ["1", "2", "-1", "x"]) {
    await service.getJson(`/sms/messages/${message!.id}/media/${idx}`, 404);
  }
});

Deno.test("every filter of the list works, alone and combined", async () => {
  await using service = await startService({ plugins: [sms] });
  await send(service, { To: "+15550001111", From: "+15017122661", Body: "one" });
  await send(service, { To: "+15550002222", From: "Acme", Body: "zwei ж" });
  await send(service, { To: "+15550003333", MessagingServiceSid: "MGabc", Body: "three" });
  await send(service, {
    To: "+15550003333",
    From: "+15017122661",
    Body: "four",
    MediaUrl: "https://example.com/a.png",
  });
  const bodies = async (query: string): Promise<string[]> => {
    const found = await service.getJson<SmsEnvelope[]>(`/sms/messages?${query}`);
    return found.map(({ message }) => message.body);
  };
  assertEquals(await bodies(""), ["four", "three", "zwei ж", "one"]);
  assertEquals(await bodies("to=3333"), ["four", "three"]);
  assertEquals(await bodies("to=%2B15550001111"), ["one"]);
  assertEquals(await bodies("to=+15550001111"), ["one"]);
  assertEquals(await bodies("from=acme"), ["zwei ж"]);
  assertEquals(await bodies("from=mgabc"), ["three"]);
  assertEquals(await bodies("status=queued&limit=1"), ["four"]);
  assertEquals(await bodies("status=failed"), []);
  assertEquals(await bodies("direction=outbound&offset=3"), ["one"]);
  assertEquals(await bodies("direction=inbound"), []);
  assertEquals(await bodies("encoding=UCS-2"), ["zwei ж"]);
  assertEquals(await bodies("encoding=GSM-7&mms=0"), ["three", "one"]);
  assertEquals(await bodies("mms=true"), ["four"]);
  assertEquals(await bodies("search=zwei"), ["zwei ж"]);
  assertEquals(await bodies("provider=sms1&type=sms.message&since=5m&to=3333&mms=f"), ["three"]);
  assertEquals(await bodies("provider=api"), []);
  assertEquals(await bodies("status=&mms="), ["four", "three", "zwei ж", "one"]);
  for (
    const bad of [
      "status=lost",
      "direction=up",
      "encoding=ucs",
      "mms=perhaps",
      "limit=-1",
      "since=x",
    ]
  ) {
    await service.getJson(`/sms/messages?${bad}`, 400);
  }
});

Deno.test("messages can be deleted one by one or cleared together; their media survives", async () => {
  await using service = await startService({ plugins: [sms] });
  for (const body of ["one", "two"]) {
    await send(service, {
      To: "+15550001111",
      From: "+15017122661",
      Body: body,
      MediaUrl: "data:text/plain,hello%20there",
    });
  }
  const [newest, oldest] = await service.getJson<SmsEnvelope[]>("/sms/messages");
  const remove = async (path: string): Promise<number> => {
    const response = await fetch(`${service.api.url}/api/v1/sms${path}`, { method: "DELETE" });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await remove(`/messages/${oldest!.id}`), 204);
  assertEquals(await remove(`/messages/${oldest!.id}`), 404);
  await service.getJson(`/sms/messages/${oldest!.id}`, 404);
  assertEquals((await service.getJson<SmsEnvelope[]>("/sms/messages")).length, 1);
  assertEquals(await remove("/messages"), 204);
  assertEquals(await service.getJson("/sms/messages"), []);
  await service.getJson(`/sms/messages/${newest!.id}`, 404);
  const blob = await fetch(
    `${service.api.url}/api/v1/blobs/${newest!.message.media![0]!.blob!.id}`,
  );
  assertEquals(await blob.text(), "hello there");
});

Deno.test("the segment API says where segments end and what forced UCS-2", async () => {
  await using service = await startService({ plugins: [sms] });
  const to = { To: "+15550001111", From: "+15017122661" };
  await send(service, { ...to, Body: "€".repeat(153) });
  await send(service, { ...to, Body: `${"a".repeat(80)}👋` });
  const [waves, euros] = await service.getJson<SmsEnvelope[]>("/sms/messages");
  assertEquals(euros!.message.segments, {
    count: 3,
    encoding: "GSM-7",
    units: 306,
    capacity: 153,
    remaining: 151,
    ends: [76, 152],
  });
  assertEquals(waves!.message.segments, {
    count: 2,
    encoding: "UCS-2",
    units: 82,
    capacity: 67,
    remaining: 52,
    ends: [67],
    forced_by: "👋",
  });
});
