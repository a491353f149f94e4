import { assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

const ACCOUNT = "AC00000000000000000000000000000000";

Deno.test("the twilio package for Python makes every call and understands every answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  const pinned = { account_sid: ACCOUNT, auth_token: "secret" };
  await using service = await startService({
    plugins: [sms],
    config: { plugins: { sms: { providers: { sms1: pinned } } } },
  });
  const script = new URL("python/twilio_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  const { sent: [sid, ...sent], gone: [status, code, message], ...seen } = JSON.parse(stdout);
  assertMatch(sid, /^SM[0-9a-f]{32}$/);
  assertEquals(sent, ["queued", "1", true]);
  assertEquals([status, code], [404, 20404]);
  assertMatch(message, /was not found$/);
  assertEquals(seen, {
    media: ["2", ["image/png", "image/gif"]],
    listed: ["n2", "n1", "n0"],
    fetched: "hello py & €",
    redacted: "",
    deleted: true,
    wrong: [401, 20003, "Unable to fetch record: Authenticate"],
    nobody: [
      400,
      21211,
      "Unable to create record: The 'To' number nobody is not a valid phone number.",
    ],
    empty: [400, 21602, "Unable to create record: Message body is required."],
  });
  const events = service.events.list({ plugin: "sms" }) as CapturedEvent<SmsMessage>[];
  assertEquals(events.map(({ payload }) => payload.body), [
    "n2",
    "n1",
    "n0",
    "",
    "hello py & €",
  ]);
  assertEquals(events[4]!.payload.segments.encoding, "GSM-7");
  assertEquals(events[4]!.meta.basic_auth, { username: ACCOUNT, password: "secret" });
});
