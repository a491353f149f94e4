import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requireMaven } from "../support/clients.ts";
import { javaCalls, proxyOptions } from "../support/java.ts";
import { startTrusted } from "../support/tls.ts";

Deno.test("sendgrid-java sends to two people, and reads what is wrong", async (t) => {
  const project = await requireMaven(t, "sendgrid");
  if (project === undefined) return;
  await using trusted = await startTrusted({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail2: { api_key: "SG.good" } } } } },
  });
  const { service } = trusted;
  const { hostname, port } = service.ingress;
  const options = await proxyOptions(project, trusted);
  const seen = await javaCalls(project, [`${hostname}:${port}`], options);
  const events = service.events.list({ provider: "mail2" }) as CapturedEvent<MailMessage>[];
  const [first, second, proxied, templated, ...more] = [
    ...events.filter(({ meta }) => meta.template_id === undefined).toReversed(),
    ...events.filter(({ meta }) => meta.template_id !== undefined),
  ];
  assertEquals([templated!.payload.subject, templated!.payload.html], [
    "Order 7",
    "<p>Hi Ada</p>",
  ]);
  assertEquals(seen, {
    template: [1, 202],
    sent: [202, "", first!.id],
    wrong: [401, "The provided authorization grant is invalid, expired, or revoked"],
    nobody: [400, "Does not contain a valid address."],
    bare: [
      400,
      "The subject of your email must be a string at least one character in length.",
      "The content value must be a string at least one character in length.",
    ],
    proxied: 202,
  });
  assertEquals(more, []);
  assertEquals([proxied!.payload.subject, proxied!.payload.text], ["Hi", "x"]);
  assertEquals(first!.payload.to, [{ email: "a@example.com", name: "A" }]);
  assertEquals(second!.payload.to, [{ email: "b@example.com", name: "B" }]);
  assertEquals([first!.meta.custom_args, second!.meta.custom_args], [{ who: "a" }, { who: "b" }]);
  for (const { payload, meta } of [first!, second!]) {
    assertEquals(payload.from, { email: "s@example.com", name: "S" });
    assertEquals(payload.reply_to, [{ email: "r@example.com" }]);
    assertEquals([payload.subject, payload.text], ["Grüße & €", "plain é"]);
    assertEquals(payload.html, '<img src="cid:logo">');
    assertEquals(payload.headers?.["X-A"], ["1"]);
    assertEquals(
      payload.attachments?.map(({ filename, content_id, inline }) => [
        filename,
        content_id,
        inline,
      ]),
      [["logo.png", "logo", true]],
    );
    assertEquals(meta.categories, ["cat1"]);
  }
});
