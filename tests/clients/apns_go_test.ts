import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { startTrusted } from "../support/tls.ts";

const ID = "123e4567-e89b-12d3-a456-42661417400A";

Deno.test("the APNs and FCM clients for Go send over TLS and in cleartext, and read the errors", async (t) => {
  const program = await requireGo(t, "push");
  if (program === undefined) return;
  await using trusted = await startTrusted({ plugins: [push] });
  const { service, caFile } = trusted;
  const { stdout } = await runOk(program, [`127.0.0.1:${service.ingress.port}`, caFile], {
    env: { NO_PROXY: "*" },
  });
  const events = (service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[])
    .reverse();
  const apns = [[200, "", ID], [200, "", ID], [400, "MissingTopic", ID]];
  assertEquals(JSON.parse(stdout), {
    tls: apns,
    h2c: apns,
    fcm: {
      sent: events[4]!.meta.name,
      dry: "projects/demo/messages/fake_message_id",
      batch: [1, 1],
      failed: [true, true, "Message is too large. The maximum is 4K (4096 bytes)."],
    },
  });
  assertEquals(events.map(({ payload }) => payload.target.value), [
    "go-1",
    "go-2",
    "go-1",
    "go-2",
    "go-fcm",
    "news",
    "'a' in topics",
  ]);
  assertEquals(events.slice(0, 4).map(({ raw }) => raw.http_version), ["2", "2", "2", "2"]);
  assertEquals(events[0]!.payload.alert, { title: "T", body: "B", badge: 2 });
  assertEquals(events[4]!.payload.delivery, {
    priority: "high",
    priority_raw: "high",
    collapse_key: "k",
    expiry: { ttl_seconds: 90, immediate: false, raw: "90s" },
  });
});
