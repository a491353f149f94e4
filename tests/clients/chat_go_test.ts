import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("discordgo and telegram-bot-api make their calls and understand the answers", async (t) => {
  const program = await requireGo(t, "chat");
  if (program === undefined) return;
  await using service = await startService({ plugins: [chat] });
  const { stdout } = await runOk(program, [service.ingress.url], { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), {
    discord: {
      sent: ["hello go & €", "deploy", "T", "a.txt"],
      edited: ["changed", true],
      gone: [404, 10008],
    },
    telegram: {
      me: 123456,
      sent: "hello go & €",
      edited: "changed",
      document: "a.txt",
      updates: 0,
      gone: "Bad Request: message to delete not found",
    },
  });
  const events = service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[];
  assertEquals(
    events.toReversed().map(({ provider, type, payload }) => [provider, type, payload.text]),
    [
      ["chat3", "chat.message", "hello go & €"],
      ["chat3", "chat.edit", "changed"],
      ["chat3", "chat.deletion", "changed"],
      ["chat4", "chat.message", "hello go & €"],
      ["chat4", "chat.edit", "changed"],
      ["chat4", "chat.message", "[a.txt]"],
      ["chat4", "chat.deletion", "changed"],
    ],
  );
});
