import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<ChatMessage>[] {
  return (service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[]).reverse();
}

Deno.test("the slack_sdk package for Python posts, and understands every answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  const config = { plugins: { chat: { providers: { chat1: { bot_token: "xoxb-1" } } } } };
  await using service = await startService({ plugins: [chat], config });
  const script = new URL("python/slack_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), {
    auth: "standin",
    api: true,
    root: [true, "root"],
    reply: true,
    hook: [200, "ok"],
    refused: [400, "no_text"],
    channel: "channel_not_found",
    token: "invalid_auth",
    method: "unknown_method",
  });
  const [root, reply, hook] = captured(service);
  assertEquals(root!.meta.unfurl_links, false);
  assertEquals(root!.payload.contents?.[0]?.json, [
    { type: "section", text: { type: "mrkdwn", text: "*b* é" } },
  ]);
  assertEquals(reply!.payload.thread_ts, root!.payload.ts);
  assertEquals(hook!.payload.text, "Hi é");
  // Python's encoder writes the letter as an escape, which is kept as sent.
  const data = new TextDecoder().decode(Uint8Array.fromBase64(hook!.payload.contents![0]!.data));
  assertEquals(data.includes("\\u00e9"), true);
});

Deno.test("the slack_sdk package for Python edits, reads back and shares", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [chat] });
  const script = new URL("python/slack_workspace.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), {
    updated: "uno",
    replies: ["uno", "re 0", "re 1", "re 2"],
    history: ["uno", "tada", 3],
    shared: [true, "a.txt"],
    ephemeral: true,
    view: "T",
    user: "grace",
    link: true,
    deleted: true,
    gone: "message_not_found",
    named: "channel_not_found",
    trigger: "invalid_arguments",
  });
  const events = captured(service);
  assertEquals(events.map(({ type }) => type.slice(5)), [
    "message",
    "edit",
    "reaction",
    ...["message", "message", "message"],
    ...["message", "message"],
    "view",
    "deletion",
  ]);
  const [file] = events.flatMap(({ payload }) => payload.files ?? []);
  assertEquals([file!.filename, file!.size], ["a.txt", 8]);
});

Deno.test("the pymsteams package for Python posts a card and accepts the answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [chat] });
  const script = new URL("python/teams_calls.py", import.meta.url).pathname;
  const url = `${service.ingress.url}/webhookb2/1@2/IncomingWebhook/3/4`;
  const { stdout } = await runOk(python, [script, url], { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), { sent: true, status: 200 });
  const [card] = captured(service);
  assertEquals([card!.payload.text, card!.payload.author.name], ["hello", "Ada"]);
  assertEquals(card!.payload.contents?.[0]?.format, "chat2.messagecard");
});
