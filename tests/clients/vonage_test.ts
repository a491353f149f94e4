import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Auth } from "npm:@vonage/auth@1.18.1";
import { MMSContent, SMS, ViberText, WhatsAppSticker } from "npm:@vonage/messages@1.27.1";
import { Vonage } from "npm:@vonage/server-sdk@3.30.1";
import type { CapturedEvent } from "../../core/events/event.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { startService, type TestService } from "../support/service.ts";

const TO = "447700900123";
/** The types of the package require both, although its constructors set them. */
const KIND = { channel: "sms", messageType: "text" };

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [sms],
    config: { plugins: { sms: { providers: { sms3: config } } } },
  });
  const client = new Vonage(new Auth({ apiKey: "key", apiSecret: "secret" }), {
    restHost: service.ingress.url,
    apiHost: service.ingress.url,
  });
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<SmsMessage>[] {
  return (service.events.list({ provider: "sms3" }) as CapturedEvent<SmsMessage>[]).reverse();
}

Deno.test("@vonage/server-sdk sends over the SMS API, and reads an answer for each part", async () => {
  await using running = await start();
  const { service, client } = running;
  const sent = await client.sms.send({
    from: "LOVELACE",
    to: TO,
    text: "Grüße & €: 👋".padEnd(100, "."),
    clientRef: "order-7",
  });
  const [event] = captured(service);
  assertEquals([String(sent.messageCount), sent.messages.length], ["2", 2]);
  assertEquals(String(sent.messages[0]!.status), "0");
  assertEquals(sent.messages[0]!.messageId, event!.meta.message_id as string);
  assertEquals([event!.payload.from, event!.payload.to], ["LOVELACE", TO]);
  assertMatch(event!.payload.body, /^Grüße & €: 👋\.+$/);
  assertEquals(event!.meta.client_ref, "order-7");
  assertEquals(event!.payload.segments.count, 2);
});

Deno.test("@vonage/server-sdk sends over the Messages API", async () => {
  await using running = await start();
  const { service, client } = running;
  const { messageUUID } = await client.messages.send(
    new SMS({
      ...KIND,
      from: "LOVELACE",
      to: TO,
      text: "Hello & bye",
      clientRef: "order-8",
    }),
  );
  const [event] = captured(service);
  assertEquals(messageUUID, event!.meta.message_id as string);
  assertEquals([event!.payload.body, event!.payload.to], ["Hello & bye", TO]);
  assertEquals([event!.meta.channel, event!.meta.client_ref], ["sms", "order-8"]);
});

Deno.test("@vonage/server-sdk sends stickers by id, and several files in one message", async () => {
  await using running = await start();
  const { service, client } = running;
  const about = { from: "447700900999", to: TO };
  await client.messages.send(new WhatsAppSticker({ ...about, sticker: { id: "sticker-7" } }));
  await client.messages.send(
    new MMSContent({
      ...about,
      content: [
        { type: "image", url: "https://example.com/a.png", caption: "Front" },
        { type: "file", url: "https://example.com/b.pdf", caption: "Plan" },
      ] as never,
    }) as never, // The package does not list it among the messages that it sends.
  );
  const [sticker, content] = captured(service);
  assertEquals([sticker!.payload.to, sticker!.meta.sticker], [`whatsapp:${TO}`, {
    id: "sticker-7",
  }]);
  assertEquals(content!.payload.media?.map(({ url }) => url), [
    "https://example.com/a.png",
    "https://example.com/b.pdf",
  ]);
  assertEquals(content!.payload.body, "Front\nPlan");
});

Deno.test("@vonage/server-sdk reads that a text is longer than its channel allows", async () => {
  await using running = await start();
  const { service, client } = running;
  const about = { from: "LOVELACE", to: TO };
  const messages = [
    new SMS({ ...KIND, ...about, text: "a".repeat(3201) }),
    new ViberText({ ...about, text: "a".repeat(1001) } as never),
  ];
  for (const message of messages) {
    const error = await assertRejects(() => client.messages.send(message)) as Error & {
      response: Response;
    };
    const { title, invalid_parameters: members } = await error.response.json();
    assertEquals([error.response.status, title], [422, "Invalid params"]);
    assertEquals(members.map(({ name }: { name: string }) => name), ["text"]);
  }
  assertEquals(service.events.count(), 0);
});

Deno.test("@vonage/server-sdk reads refusals, which are recorded, and nothing is captured", async () => {
  await using running = await start({ api_key: "key", api_secret: "other" });
  const { service, client } = running;
  await assertRejects(() => client.sms.send({ from: "A", to: TO, text: "x" }), Error);
  const error = await assertRejects(() =>
    client.messages.send(new SMS({ ...KIND, from: "A", to: TO, text: "x" }))
  ) as Error & { response: Response };
  assertEquals(error.response.status, 401);
  const { title, invalid_parameters: members } = await error.response.json();
  assertEquals([title, members], ["Unauthorized", undefined]);
  assertEquals(service.events.count(), 0);
  assertEquals(
    service.rejected.list({ provider: "sms3" }).map(({ status }) => status).sort(),
    [200, 401],
  );
});
