import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("python-telegram-bot makes its calls, and understands every refusal", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [chat] });
  const script = new URL("python/telegram_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), {
    me: 123456,
    sent: ["hello 1.5 é", ["bold"], "private"],
    keyboard: "go",
    edited: ["changed", true],
    reply: true,
    document: ["a.txt", "see", "bytes é"],
    album: ["1.txt", "2.txt"],
    commands: ["start"],
    hook: [true, "https://example.com/hook"],
    updates: 0,
    deleted: true,
    gone: ["BadRequest", "Message to edit not found"],
    escape: [
      "BadRequest",
      "Can't parse entities: character '.' is reserved and must be escaped with the preceding '\\'",
    ],
    empty: ["BadRequest", "Message text is empty"],
    nobody: ["BadRequest", "Chat not found"],
    token: ["InvalidToken", "Unauthorized: invalid token specified"],
  });
  const events = service.events.list({ provider: "chat4" }) as CapturedEvent<ChatMessage>[];
  assertEquals(
    events.toReversed().map(({ type, payload, meta }) => [type, payload.text, meta.method]),
    [
      ["chat.message", "*hello* 1\\.5 é", "sendMessage"],
      ["chat.edit", "changed", "editMessageText"],
      ["chat.message", "re", "sendMessage"],
      ["chat.message", "see", "sendDocument"],
      ["chat.message", "[1.txt]", "sendMediaGroup"],
      ["chat.message", "[2.txt]", "sendMediaGroup"],
      ["chat.call", events.at(-7)!.payload.text, "setMyCommands"],
      ["chat.call", "setWebhook\nurl: https://example.com/hook", "setWebhook"],
      ["chat.call", "deleteWebhook", "deleteWebhook"],
      ["chat.deletion", "changed", "deleteMessage"],
    ],
  );
});
