import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { requireMaven } from "../support/clients.ts";
import { javaCalls, proxyOptions } from "../support/java.ts";
import { startTrusted } from "../support/tls.ts";

const ACCOUNT = "AC00000000000000000000000000000000";

/** Output of the program: a value for each call. */
interface Seen {
  readonly sent: readonly unknown[];
  readonly gone: readonly unknown[];
  readonly [call: string]: unknown;
}

Deno.test("the twilio package for Java, configured with only a proxy and a CA, makes every call", async (t) => {
  const project = await requireMaven(t, "twilio");
  if (project === undefined) return;
  const pinned = { account_sid: ACCOUNT, auth_token: "secret" };
  await using trusted = await startTrusted({
    plugins: [sms],
    config: { plugins: { sms: { providers: { sms1: pinned } } } },
  });
  const options = await proxyOptions(project, trusted);
  const { sent: [sid, ...sent], gone: [status, code, message], ...seen } = await javaCalls<Seen>(
    project,
    [],
    options,
  );
  assertMatch(String(sid), /^SM[0-9a-f]{32}$/);
  assertEquals(sent, ["queued", "outbound-api", "1", true]);
  assertEquals([status, code], [404, 20404]);
  assertStringIncludes(String(message), `/Messages/${sid}.json was not found`);
  assertEquals(seen, {
    media: ["2", ["image/png", "image/gif"]],
    listed: ["n2", "n1", "n0"],
    fetched: ["hello java & €", "+15558675310", "+15017122661"],
    redacted: "",
    deleted: true,
    wrong: [401, 20003, "Authenticate"],
    nobody: [400, 21211, "The 'To' number nobody is not a valid phone number."],
    empty: [400, 21602, "Message body is required."],
    verified: ["pending", "approved", true],
    looked: "(415) 992-9960",
  });
  const events = trusted.service.events.list({ plugin: "sms" }) as CapturedEvent<SmsMessage>[];
  const [first, media] = events.toReversed();
  const bodies = events.map(({ payload }) => payload.body);
  assertEquals(bodies.shift(), "Your Standin verification code is: 424242");
  assertEquals(bodies, ["n2", "n1", "n0", "", "hello java & €"]);
  assertEquals([first!.payload.to, first!.payload.from], ["+15558675310", "+15017122661"]);
  assertEquals(first!.payload.segments.encoding, "GSM-7");
  assertEquals(first!.meta.basic_auth, { username: ACCOUNT, password: "secret" });
  assertEquals(first!.meta.sid, sid);
  assertEquals(media!.payload.media?.map(({ content_type }) => content_type), [
    "image/png",
    "image/gif",
  ]);
});
