import { assert, assertEquals } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChannelSummary, ChatEnvelope } from "../../plugins/chat/views.ts";
import { startService, type TestService } from "../support/service.ts";

async function say(
  service: TestService,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const response = await fetch(`${service.ingress.url}/api/chat.postMessage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
  const { ts } = await response.json();
  assert(typeof ts === "string");
  return ts;
}

async function hook(service: TestService, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${service.ingress.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  assert(response.ok);
}

const list = (service: TestService, query = ""): Promise<ChatEnvelope[]> =>
  service.getJson<ChatEnvelope[]>(`/chat/messages?${query}`);

const textsOf = async (service: TestService, query: string): Promise<string[]> =>
  (await list(service, query)).map(({ message }) => message.text);

Deno.test("replies are filed under the message they answer, and orphans are kept", async () => {
  await using service = await startService({ plugins: [chat] });
  const ts = await say(service, { channel: "C1", text: "root" });
  await say(service, { channel: "C1", text: "reply", thread_ts: ts });
  await say(service, { channel: "C1", text: "self", thread_ts: "" });
  await say(service, { channel: "C1", text: "lost", thread_ts: "1.000001" });
  await say(service, { channel: "C2", text: "same ts elsewhere", thread_ts: ts });
  const [elsewhere, lost, self, reply, root] = await list(service);
  const key = root!.channel_key;
  assertEquals(key.length, 16);
  assertEquals(root!.thread_key, `${key}.${ts}`);
  assertEquals([root!.reply, root!.root_id], [false, root!.id]);
  assertEquals([reply!.reply, reply!.root_id], [true, root!.id]);
  assertEquals(reply!.thread_key, root!.thread_key);
  assertEquals([self!.reply, self!.root_id], [false, self!.id]);
  assertEquals([lost!.reply, lost!.root_id], [true, ""]);
  assertEquals(lost!.thread_key, `${key}.1.000001`);
  assertEquals([elsewhere!.reply, elsewhere!.root_id], [true, ""]);
  assertEquals(await service.getJson(`/chat/messages/${reply!.id}`), reply);
  await fetch(`${service.api.url}/api/v1/chat/messages/${root!.id}`, { method: "DELETE" });
  const orphan = await service.getJson<ChatEnvelope>(`/chat/messages/${reply!.id}`);
  assertEquals([orphan.root_id, orphan.thread_key], ["", reply!.thread_key]);
  const [, c1] = await service.getJson<ChannelSummary[]>("/chat/channels");
  assertEquals([c1!.messages, c1!.replies, c1!.threads, c1!.orphans], [3, 2, 3, 2]);
});

Deno.test("channels are summarized, most recently used first", async () => {
  await using service = await startService({ plugins: [chat] });
  assertEquals(await service.getJson("/chat/channels"), []);
  const ts = await say(service, { channel: "#general", text: "one" });
  await say(service, { channel: "C2", text: "two" });
  await say(service, {
    channel: "#general",
    text: "x".repeat(300),
    thread_ts: ts,
    username: "ada",
  });
  const channels = await service.getJson<ChannelSummary[]>("/chat/channels");
  const [newest] = await list(service, "limit=1");
  assertEquals(channels.map(({ id }) => id), ["CGRVGNQBNWE", "C2"]);
  const { key } = channels[0]!;
  assertEquals(channels[0], {
    id: "CGRVGNQBNWE",
    key,
    display: "#general",
    name: "#general",
    provider: "chat1",
    messages: 2,
    threads: 1,
    replies: 1,
    orphans: 0,
    last_message_at: newest!.received_at,
    last_author: "ada",
    last_message_id: newest!.id,
    last_preview: "x".repeat(140),
    messages_url: `/api/v1/chat/messages?channel=${key}`,
    ui_url: `/ui/chat/?channel=${key}`,
  });
  const byUrl = await fetch(`${service.api.url}${channels[0]!.messages_url}`);
  assertEquals((await byUrl.json()).length, 2);
});

Deno.test("every filter of the list works, alone and combined", async () => {
  await using service = await startService({ plugins: [chat] });
  const teams = "/webhookb2/1@2/IncomingWebhook/3/4";
  const ts = await say(service, { channel: "#general", text: "one", username: "Ada" });
  await say(service, { channel: "C2", text: "two", thread_ts: ts });
  await hook(service, "/services/T/B1/x", {
    blocks: [{ type: "header", text: { text: "three" } }],
  });
  await hook(service, teams, { "@type": "MessageCard", text: "four" });
  assertEquals(await textsOf(service, ""), ["four", "three", "two", "one"]);
  assertEquals(await textsOf(service, "channel=%23general"), ["one"]);
  assertEquals(await textsOf(service, "channel=General"), ["one"]);
  assertEquals(await textsOf(service, "channel=webhook:T/B1"), ["three"]);
  assertEquals(await textsOf(service, `channel=${teams}`), ["four"]);
  assertEquals(await textsOf(service, "channel=gen"), []);
  const [four, three] = await list(service);
  assertEquals(await textsOf(service, `channel=${four!.channel_key}`), ["four"]);
  assertEquals(await textsOf(service, `thread=${three!.thread_key}`), ["three"]);
  assertEquals(await textsOf(service, "author=ada"), ["one"]);
  assertEquals(await textsOf(service, "author=b0standin"), ["two", "one"]);
  assertEquals(await textsOf(service, "format=chat1.blocks"), ["three"]);
  assertEquals(await textsOf(service, "format=chat2.messagecard"), ["four"]);
  assertEquals(await textsOf(service, "bot=true&limit=1"), ["four"]);
  assertEquals(await textsOf(service, "bot=0"), []);
  assertEquals(await textsOf(service, "replies=1"), ["two"]);
  assertEquals(await textsOf(service, "replies=0&offset=2"), ["one"]);
  assertEquals(await textsOf(service, "provider=chat2"), ["four"]);
  assertEquals(await textsOf(service, "search=THREE&type=chat.message&since=5m"), ["three"]);
  for (const bad of ["format=x", "bot=2", "replies=x", "limit=-1", "since=x"]) {
    await service.getJson(`/chat/messages?${bad}`, 400);
  }
  await service.getJson("/chat/messages/000000000000000000000000", 404);
});

Deno.test("messages can be deleted one by one or cleared together", async () => {
  await using service = await startService({ plugins: [chat] });
  await say(service, { channel: "C1", text: "one" });
  await say(service, { channel: "C1", text: "two" });
  const remove = async (path: string): Promise<number> => {
    const response = await fetch(`${service.api.url}/api/v1/chat${path}`, { method: "DELETE" });
    await response.body?.cancel();
    return response.status;
  };
  const [, oldest] = await list(service);
  assertEquals(await remove(`/messages/${oldest!.id}`), 204);
  assertEquals(await remove(`/messages/${oldest!.id}`), 404);
  assertEquals(await textsOf(service, ""), ["two"]);
  assertEquals(await remove("/messages"), 204);
  assertEquals(await textsOf(service, ""), []);
  assertEquals(await service.getJson("/chat/channels"), []);
});

Deno.test("the channel view counts 50 000 messages, and a channel is paged newest first", async () => {
  const config = { storage: { capacity: 50_000 } };
  await using service = await startService({ plugins: [chat], config });
  for (let i = 0; i < 50_000; i++) {
    const reply = i % 3 === 0 ? { thread_ts: `${i - i % 10}.000000` } : {};
    service.events.add("chat", "chat1", {
      type: "chat.message",
      summary: `n${i}`,
      payload: {
        channel: { id: `C${i % 40}` },
        author: { name: `a${i % 7}`, bot: true },
        text: `n${i}`,
        ts: `${i}.000000`,
        ...reply,
      },
      raw: { transport: "http", text: true, body: new Uint8Array() },
    });
  }
  const channels = await service.getJson<ChannelSummary[]>("/chat/channels");
  assertEquals(channels.length, 40);
  assertEquals(channels.reduce((sum, { messages }) => sum + messages, 0), 50_000);
  const texts = Array.from({ length: 100 }, (_, i) => `n${49_967 - 40 * i}`);
  assertEquals(await textsOf(service, "channel=C7&limit=100"), texts);
});
