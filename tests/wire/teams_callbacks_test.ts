import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

Deno.test("the buttons of a MessageCard post to their targets", async () => {
  await using app = startReceiver(() =>
    new Response(null, { headers: { "card-action-status": "Approved" } })
  );
  await using service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true } },
  });
  const target = `${app.url}/approve`;
  const sent = await fetch(`${service.ingress.url}/webhookb2/g@t/IncomingWebhook/i/k`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      "@type": "MessageCard",
      "@context": "https://schema.org/extensions",
      summary: "Approve?",
      text: "Approve?",
      potentialAction: [
        { "@type": "HttpPOST", name: "Approve", target, body: '{"ok":true}' },
        {
          "@type": "ActionCard",
          name: "Comment",
          actions: [{ "@type": "HttpPOST", name: "Send", target }],
        },
      ],
    }),
  });
  await sent.body?.cancel();
  const event = await service.waitFor("chat.message");
  const { offers } = await service.getJson<{ offers: { label: string }[] }>(
    `/events/${event.id}/callbacks`,
  );
  assertEquals(offers.map(({ label }) => label), ["Press “Approve”", "Press “Send”"]);
  const [call] = await service.callback(event, "press", { name: "Approve" });
  assertEquals(call?.attempts[0]?.headers?.["card-action-status"], "Approved");
  assertEquals(app.received.map(({ body }) => body), ['{"ok":true}']);
  const wrong = await assertRejects(() => service.callback(event, "press", { name: "No" }));
  assertStringIncludes(String(wrong), "the HttpPOST actions of the card are Approve, Send");
});
