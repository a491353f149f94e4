import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("discord.py and discord-webhook for Python post, edit and delete", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [chat] });
  const script = new URL("python/discord_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), {
    sent: ["hello", "deploy", "T é"],
    file: ["a.txt", 8],
    edited: ["changed", true, "changed"],
    gone: ["NotFound", 404, 10008],
    empty: ["HTTPException", 400, 50006],
    long: ["HTTPException", 400, 50035],
    other: [200, "by the other"],
    changed: [200, "edited by the other"],
    deleted: 204,
  });
  const events = service.events.list({ provider: "chat3" }) as CapturedEvent<ChatMessage>[];
  assertEquals(events.toReversed().map(({ type, payload }) => [type, payload.text]), [
    ["chat.message", "hello"],
    ["chat.edit", "changed"],
    ["chat.deletion", "changed"],
    ["chat.message", "by the other"],
    ["chat.edit", "edited by the other"],
    ["chat.deletion", "edited by the other"],
  ]);
  const files = events.toReversed().filter(({ type }) => type === "chat.message")
    .map(({ payload }) => payload.files?.map(({ filename, size }) => [filename, size]));
  assertEquals(files, [[["a.txt", 8]], [["b.bin", 3]]]);
});
