import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { encodeMessageId } from "../../plugins/mail/mail3/ids.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requireMaven } from "../support/clients.ts";
import { javaCalls, proxyOptions } from "../support/java.ts";
import { startTrusted } from "../support/tls.ts";

Deno.test("resend-java, with only a proxy and a CA set, sends, reads back, changes, and renders a template", async (t) => {
  const project = await requireMaven(t, "resend");
  if (project === undefined) return;
  await using trusted = await startTrusted({ plugins: [mail] });
  const seen = await javaCalls(project, [], await proxyOptions(project, trusted));
  const events = trusted.service.events.list({ provider: "mail3" }) as CapturedEvent<MailMessage>[];
  const [full, one, other, templated, ...more] = events.toReversed();
  const batch = [one!, other!];
  assertEquals(more, []);
  assertEquals(seen, {
    sent: [encodeMessageId(full!.id), true],
    batch: batch.map(({ id }) => encodeMessageId(id)),
    fetched: ["Grüße & €", ["ada@example.com"], ["c@example.com"], "Hello", "scheduled"],
    listed: ["other", "other", "Grüße & €"],
    updated: true,
    canceled: true,
    event: "canceled",
    conflict: [
      409,
      "invalid_idempotent_request",
      "Same idempotency key used with a different request payload.",
    ],
    empty: [422, "validation_error", "Missing `html` or `text` field."],
    from: [
      422,
      "validation_error",
      "Invalid `from` field. The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.",
    ],
    unknown: [404, "not_found", "Email not found"],
    template: {
      early: [422, "validation_error", "The template must be published before it can be used."],
      fetched: "Order",
      sent: encodeMessageId(templated!.id),
    },
  });
  assertEquals(batch.map(({ payload }) => payload.subject), ["other", "other"]);
  const { from, to, subject, html } = templated!.payload;
  assertEquals([from.email, to, subject, html], [
    "s@example.com",
    [{ email: "t@example.com" }],
    "Order 7",
    "<p>Hi friend</p>",
  ]);
  const { payload, meta, raw } = full!;
  assertEquals(raw.http_version, "2");
  assertEquals(payload.from, { email: "hello@example.com", name: "Acme" });
  assertEquals(payload.cc, [{ email: "c@example.com" }]);
  assertEquals(payload.reply_to, [{ email: "r@example.com" }]);
  assertEquals([payload.subject, payload.text], ["Grüße & €", "Hello"]);
  assertEquals(payload.html, "<p>Hello</p>");
  assertEquals(payload.headers?.["X-A"], ["1"]);
  assertEquals(payload.attachments?.map(({ filename, size }) => [filename, size]), [["a.txt", 5]]);
  assertEquals(meta.tags, [{ name: "category", value: "welcome" }]);
  assertEquals(meta.idempotency_key, "key-1");
});
