import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("firebase_admin for Python signs in with a service account, sends, and reads the errors", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({
    plugins: [push],
    config: {
      plugins: { push: { providers: { push1: { bearer_token: "pinned", oauth_token: true } } } },
    },
  });
  const script = new URL("python/fcm_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], {
    env: { NO_PROXY: "*" },
    timeoutMs: 60_000,
  });
  const events = (service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[])
    .reverse();
  assertEquals(JSON.parse(stdout), {
    sent: events[0]!.meta.name,
    checked: "projects/demo/messages/fake_message_id",
    each: [1, 1],
    failed: [
      "InvalidArgumentError",
      "INVALID_ARGUMENT",
      "Invalid condition expression provided.",
    ],
    later: 1,
    topics: [1, 1, 1, 1],
    large: [
      "InvalidArgumentError",
      "INVALID_ARGUMENT",
      "Message is too large. The maximum is 4K (4096 bytes).",
    ],
  });
  assertEquals(events.map(({ payload }) => payload.target.value), ["device", "news", "1", "2"]);
  assertEquals(events[0]!.payload.alert, { title: "T", body: "Grüße", sound: "ping" });
  assertEquals(events[0]!.payload.delivery, {
    priority: "normal",
    priority_raw: "normal",
    collapse_key: "ck",
    expiry: { ttl_seconds: 0, immediate: true, raw: "0s" },
  });
});
