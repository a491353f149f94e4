/**
 * JSON may have a member `toString` that is not a function: `String` cannot convert such a value.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const ODD = { toString: "x" };
const META = { "io.modelcontextprotocol/clientCapabilities": {} };

Deno.test("a value with its own toString is refused or kept like any other", async (t) => {
  await using app = startReceiver();
  await using service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true, inbound: { chat1: app.url } } },
  });
  const post = async (url: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const api = `${service.api.url}/api/v1`;
  const bodies = [
    ["/expect", { timeout: ODD }],
    ["/expect", { since: ODD }],
    ["/expect", { order: [{ since: ODD }] }],
    ["/inbound", { provider: "chat1", payload: { type: ODD } }],
    ["/inbound", { provider: "chat1", payload: { command: "/x", text: ODD } }],
  ] as const;
  for (const [path, body] of bodies) {
    await t.step(`${path} ${JSON.stringify(body)}`, async () => {
      assertEquals((await post(`${api}${path}`, body)).status, 400);
    });
  }
  const version = "io.modelcontextprotocol/protocolVersion";
  const messages = [
    { method: "tools/call", params: { name: ODD } },
    { method: "tools/call", params: { name: "clear_faults", arguments: { id: "\ud800" } } },
    { method: "server/discover", params: { _meta: { ...META, [version]: ODD } } },
  ];
  for (const message of messages) {
    await t.step(JSON.stringify(message), async () => {
      const { text } = await post(`${service.ui.url}/mcp`, { jsonrpc: "2.0", id: 1, ...message });
      assertEquals(text.includes("-32603"), false, text);
    });
  }
  await t.step("the body of an action of a card", async () => {
    const target = "http://localhost:1/x";
    const card = {
      "@type": "MessageCard",
      "@context": "http://schema.org/extensions",
      text: "Deploy?",
      potentialAction: [{ "@type": "HttpPOST", name: "Yes", target, body: ODD }],
    };
    await post(`${service.ingress.url}/webhookb2/x@y/IncomingWebhook/z/w`, card);
    const [event] = await service.getJson<{ id: string }[]>("/events");
    const { offers } = await service.getJson<{ offers: unknown[] }>(
      `/events/${event!.id}/callbacks`,
    );
    assertStringIncludes(JSON.stringify(offers), "Yes");
  });
});
