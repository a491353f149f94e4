import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { requireMaven } from "../support/clients.ts";
import { javaCalls, proxyOptions } from "../support/java.ts";
import { startTrusted } from "../support/tls.ts";

/** As written by Java's encoder, and kept verbatim. */
const BLOCKS = '[{"type":"section","text":{"type":"mrkdwn","text":"*b* é"}},{"type":"divider"}]';

Deno.test("the Slack client for Java posts, and understands every answer", async (t) => {
  const project = await requireMaven(t, "slack");
  if (project === undefined) return;
  const config = { plugins: { chat: { providers: { chat1: { bot_token: "xoxb-1" } } } } };
  await using trusted = await startTrusted({ plugins: [chat], config });
  const { service } = trusted;
  const options = await proxyOptions(project, trusted);
  const seen = await javaCalls(project, [service.ingress.url], options);
  const events = service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[];
  const [root, reply, hook, text, ...more] = events.toReversed();
  const { ts } = root!.payload;
  assertEquals(seen, {
    auth: "standin",
    api: true,
    root: [true, "C123", ts, "root & €", "section"],
    reply: [true, ts, "U"],
    hook: [200, "ok", 200, "ok"],
    refused: [400, "no_text"],
    channel: "channel_not_found",
    text: "no_text",
    long: "invalid_blocks",
    token: "invalid_auth",
    method: "unknown_method",
    workspace: {
      updated: "uno",
      reacted: true,
      history: ["uno", "tada", "U0STANDIN1"],
      shared: [true, "a.txt"],
      user: "grace",
      channels: ["C123", "general"],
      scheduled: "time_in_past",
      deleted: true,
      gone: "message_not_found",
    },
    untouched: [true, 200, "ok"],
  });
  assertEquals(more.map(({ type, payload }) => [type, payload.text]), [
    ["chat.message", "by slack.com"],
    ["chat.message", "by hooks.slack.com"],
    ["chat.message", "one"],
    ["chat.edit", "uno"],
    ["chat.reaction", ""],
    ["chat.message", "see"],
    ["chat.deletion", "uno"],
  ]);
  const [file] = more.flatMap(({ payload }) => payload.files ?? []);
  assertEquals([file!.filename, file!.size], ["a.txt", 8]);
  assertEquals([root!.payload.text, root!.payload.channel.id], ["root & €", "C123"]);
  assertEquals(root!.meta.authorization, "Bearer xoxb-1");
  assertEquals(root!.meta.unfurl_links, false);
  assertEquals([reply!.payload.text, reply!.payload.thread_ts], ["re", ts]);
  assertEquals(reply!.payload.author.name, "U");
  assertEquals([hook!.payload.text, text!.payload.text], ["Hi é", "as it is"]);
  assertEquals(hook!.payload.channel.id, "webhook:T00000000/B00000000");
  for (const event of [root, hook]) {
    const [content] = event!.payload.contents ?? [];
    assertEquals(new TextDecoder().decode(Uint8Array.fromBase64(content!.data)), BLOCKS);
  }
});
