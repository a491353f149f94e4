import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requireMaven } from "../support/clients.ts";
import { javaCalls, proxyOptions } from "../support/java.ts";
import { startTrusted } from "../support/tls.ts";

Deno.test("mailjet-client of Java sends, reads back, and sees which message failed", async (t) => {
  const project = await requireMaven(t, "mailjet");
  if (project === undefined) return;
  await using trusted = await startTrusted({
    plugins: [mail],
    config: {
      plugins: { mail: { providers: { mail1: { api_key: "key", secret_key: "secret" } } } },
    },
  });
  const { service } = trusted;
  const options = await proxyOptions(project, trusted);
  const seen = await javaCalls(project, [service.ingress.url], options);
  const events = service.events.list({ provider: "mail1" }) as CapturedEvent<MailMessage>[];
  const [event, untouched, one, other, templated, ...more] = events.toReversed();
  assertEquals(more, []);
  const { from, to, subject, text } = templated!.payload;
  assertEquals([from.email, to, subject, text], [
    "pilot@example.com",
    [{ email: "t@example.com" }],
    "Order 7",
    "Dear friend",
  ]);
  // Over the Send API v3 each recipient gets a message.
  assertEquals([one!.payload.to, one!.payload.subject], [[{ email: "a@example.com" }], "v3"]);
  assertEquals(other!.payload.to, [{ email: "b@example.com", name: "B" }]);
  assertEquals(other!.meta.custom_id, "from java, too");
  assertEquals(untouched!.payload.to, [{ email: "a@example.com" }]);
  assertEquals(untouched!.raw.http_version, "2");
  const { payload, meta } = event!;
  const [uuid] = meta.message_uuids as string[];
  assertEquals(seen, {
    sent: ["SUCCESS", "from java"],
    ids: meta.message_ids,
    uuid,
    failed: ["ERROR", "mj-0013", ["To[0].Email"]],
    found: [200, uuid],
    wrong:
      "Unauthorized. Please,verify your access key and access secret key or token for the given account",
    untouched: "SUCCESS",
    none: [400, "mj-0007"],
    v3: [200, 2, "b@example.com", (other!.meta.message_ids as number[])[0]],
    template: [201, 201, "SUCCESS", "send-0010"],
  });
  assertEquals(payload.from, { email: "pilot@example.com", name: "Pilot" });
  assertEquals(payload.to, [{ email: "a@example.com" }, { email: "b@example.com", name: "B" }]);
  assertEquals([payload.subject, payload.text], ["Grüße & €", "text"]);
  assertEquals(payload.html, '<img src="cid:logo">');
  assertEquals(payload.headers?.["X-A"], ["1"]);
  assertEquals(
    payload.attachments?.map(({ filename, content_id, inline }) => [filename, content_id, inline]),
    [["a.txt", undefined, false], ["logo.png", "logo", true]],
  );
  assertEquals(meta.custom_id, "from java");
  assertEquals(meta.basic_auth, { username: "key", password: "secret" });
});
