import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Logger, LogLevel, WebClient } from "npm:@slack/web-api@8.2.0";
import { IncomingWebhook } from "npm:@slack/webhook@8.0.2";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import type { ChatEnvelope } from "../../plugins/chat/views.ts";
import { startService, type TestService } from "../support/service.ts";

const HOOK = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";
const BLOCKS = [{ type: "section" as const, text: { type: "mrkdwn" as const, text: "*b* é" } }];

const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

async function start(config: Record<string, unknown> = {}) {
  const service = await startService({
    plugins: [chat],
    config: { plugins: { chat: { providers: { chat1: config } } } },
  });
  const connect = (token: string) =>
    new WebClient(token, {
      slackApiUrl: `${service.ingress.url}/api/`,
      // The client would retry a status other than 200 for half an hour, so it fails at once
      // instead.
      retryConfig: { retries: 0 },
      logger: silent,
    });
  return { service, connect, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<ChatMessage>[] {
  return (service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[]).reverse();
}

function dataOf({ payload }: CapturedEvent<ChatMessage>): string[] {
  return (payload.contents ?? []).map(({ data }) =>
    new TextDecoder().decode(Uint8Array.fromBase64(data))
  );
}

Deno.test("@slack/web-api posts and replies in a thread, and the events hold all of it", async () => {
  await using running = await start();
  const { service, connect } = running;
  const client = connect("xoxb-1");
  const auth = await client.auth.test();
  assertEquals([auth.ok, auth.team], [true, "standin"]);
  const root = await client.chat.postMessage({
    channel: "C123",
    text: "hello & bye",
    blocks: BLOCKS,
    attachments: [{ fallback: "f", text: "x" }],
    metadata: { event_type: "e", event_payload: { a: 1 } },
    unfurl_links: false,
  });
  assert(root.ok);
  assertMatch(root.ts!, /^\d{10}\.\d{6}$/);
  assertEquals(root.message?.text, "hello & bye");
  assertEquals(root.message?.blocks?.length, 1);
  const reply = await client.chat.postMessage({
    channel: "C123",
    text: "re",
    thread_ts: root.ts!,
    username: "U",
    icon_emoji: ":x:",
  });
  assertEquals(reply.message?.thread_ts, root.ts);
  assertEquals(reply.message?.username, "U");
  await client.chat.postMessage({ channel: "#general", markdown_text: "**x**" });
  const [first, second, third] = captured(service);
  assertEquals(dataOf(first!), [JSON.stringify(BLOCKS), '[{"fallback":"f","text":"x"}]']);
  assertEquals(first!.payload.ts, root.ts);
  assertEquals(first!.meta.authorization, "Bearer xoxb-1");
  assertEquals(first!.meta.unfurl_links, false);
  assertEquals(first!.meta.metadata, { event_type: "e", event_payload: { a: 1 } });
  assertEquals(second!.payload.author, { id: "B0STANDIN1", name: "U", bot: true });
  assertEquals(second!.meta.icon_emoji, ":x:");
  assertEquals(third!.payload.text, "**x**");
  const envelope = await service.getJson<ChatEnvelope>(`/chat/messages/${second!.id}`);
  assertEquals([envelope.reply, envelope.root_id], [true, first!.id]);
});

Deno.test("@slack/web-api understands every refusal at once", async () => {
  await using running = await start({ bot_token: "xoxb-1" });
  const { service, connect } = running;
  const failure = async (run: () => Promise<unknown>): Promise<unknown> =>
    ((await assertRejects(run)) as { data?: { error?: unknown } }).data?.error;
  const post = { channel: "C123", text: "x" };
  assertEquals(await failure(() => connect("xoxb-2").chat.postMessage(post)), "invalid_auth");
  assertEquals(await failure(() => connect("xoxb-2").auth.test()), "invalid_auth");
  const client = connect("xoxb-1");
  assertEquals(
    await failure(() => client.chat.postMessage({ channel: "", text: "x" })),
    "channel_not_found",
  );
  assertEquals(
    await failure(() => client.chat.postMessage({ channel: "C1", text: "" })),
    "no_text",
  );
  const text = { type: "mrkdwn" as const, text: "a".repeat(3001) };
  const long = { channel: "C1", text: "x", blocks: [{ type: "section" as const, text }] };
  assertEquals(await failure(() => client.chat.postMessage(long)), "invalid_blocks");
  assertEquals(await failure(() => client.apiCall("files.upload")), "unknown_method");
  assertEquals(service.events.count(), 0);
  assert((await client.chat.postMessage(post)).ok);
  assertEquals(service.events.count(), 1);
});

Deno.test("@slack/webhook posts with its defaults and understands a refusal", async () => {
  await using running = await start();
  const { service } = running;
  const webhook = new IncomingWebhook(`${service.ingress.url}${HOOK}`, {
    username: "bot",
    icon_emoji: ":ghost:",
    channel: "#general",
  });
  assertEquals((await webhook.send("plain text")).text, "ok");
  // The types leave `thread_ts` out; the client sends it all the same.
  const threaded = { text: "Hi é", blocks: BLOCKS, thread_ts: "1503435956.000247" };
  await webhook.send(threaded);
  const [plain, rich] = captured(service);
  assertEquals(plain!.payload.text, "plain text");
  assertEquals(plain!.payload.channel, { id: "CGRVGNQBNWE", name: "#general" });
  assertEquals(plain!.payload.author, { id: "B00000000", name: "bot", bot: true });
  assertEquals(plain!.meta.webhook_token, "XXXXXXXXXXXXXXXXXXXXXXXX");
  assertEquals(rich!.payload.thread_ts, "1503435956.000247");
  assertEquals(dataOf(rich!), [JSON.stringify(BLOCKS)]);
  const error = await assertRejects(() => webhook.send({ text: "" }));
  assertEquals((error as { code?: string }).code, "slack_webhook_http_error");
  assertEquals(service.events.count(), 2);
});
