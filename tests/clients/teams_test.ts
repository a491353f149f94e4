import { assertEquals, assertRejects } from "@std/assert";
import { IncomingWebhook } from "npm:ms-teams-webhook@2.2.2";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { startService, type TestService } from "../support/service.ts";

const HOOK =
  "/webhookb2/11111111-1111-1111-1111-111111111111@22222222-2222-2222-2222-222222222222" +
  "/IncomingWebhook/0123456789abcdef0123456789abcdef/33333333-3333-3333-3333-333333333333";

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<ChatMessage>[] {
  return (service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[]).reverse();
}

Deno.test("ms-teams-webhook posts cards of both generations and a text", async () => {
  await using service = await startService({ plugins: [chat] });
  const webhook = new IncomingWebhook(`${service.ingress.url}${HOOK}`);
  const card = {
    "@type": "MessageCard",
    "@context": "https://schema.org/extensions",
    summary: "Issue 1",
    themeColor: "0078D7",
    title: "T",
    text: "hello",
    sections: [{ activityTitle: "Ada", facts: [{ name: "n", value: "v" }], text: "s" }],
  };
  assertEquals(String(await webhook.send(card)), "1");
  const sent = await webhook.sendAdaptiveCard({
    type: "AdaptiveCard",
    version: "1.4",
    body: [{ type: "TextBlock", text: "hi" }],
  });
  assertEquals([sent.status, sent.data], [202, ""]);
  assertEquals((await webhook.sendText("plain")).status, 200);
  const [connector, workflow, plain] = captured(service);
  const dataOf = ({ payload }: CapturedEvent<ChatMessage>): string =>
    new TextDecoder().decode(Uint8Array.fromBase64(payload.contents![0]!.data));
  assertEquals(dataOf(connector!), JSON.stringify(card));
  assertEquals([connector!.payload.text, connector!.payload.author.name], ["hello", "Ada"]);
  const body = JSON.parse(new TextDecoder().decode(workflow!.raw.body));
  assertEquals(dataOf(workflow!), JSON.stringify(body.attachments[0].content));
  assertEquals([plain!.payload.text, plain!.payload.contents], ["plain", undefined]);
  // The client adds its own summary to the message around the card.
  assertEquals(workflow!.payload.text, "Adaptive Card");
  assertEquals(workflow!.payload.channel.id, HOOK);
});

Deno.test("ms-teams-webhook sees a refusal", async () => {
  await using service = await startService({ plugins: [chat] });
  const webhook = new IncomingWebhook(`${service.ingress.url}${HOOK}`);
  await assertRejects(() => webhook.send({ "@type": "MessageCard" }));
  assertEquals(service.events.count(), 0);
  assertEquals(service.rejected.list({ provider: "chat2" })[0]?.status, 400);
});
