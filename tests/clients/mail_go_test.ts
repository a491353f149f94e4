import { assertEquals } from "@std/assert";
import { encodeMessageId } from "../../plugins/mail/mail4/ids.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

const UNKNOWN_ALIAS =
  "The Template's 'Alias' associated with this request is not valid or was not found.";

Deno.test("Go packages of Postmark, Mailgun and Amazon SES send, also with stored templates, and read what was refused", async (t) => {
  const program = await requireGo(t, "mail");
  if (program === undefined) return;
  const known = { templates: "known" };
  await using service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { mail4: known, mail5: known, mail6: known } } } },
  });
  const { stdout } = await runOk(program, [service.ingress.url], { env: { NO_PROXY: "*" } });
  const [postmark, templated, ...ofPostmark] = capturedBy(service, "mail4");
  const [first, second, mailgunTemplated, ...ofMailgun] = capturedBy(service, "mail5");
  const [ses, sesTemplated, ...ofSes] = capturedBy(service, "mail6");
  const more = [...ofPostmark, ...ofMailgun, ...ofSes];
  const seen = JSON.parse(stdout);
  assertEquals(seen, {
    postmark: {
      sent: encodeMessageId(postmark!.id),
      batch: 300,
      refused:
        "Error parsing 'To': Illegal email address 'nobody'. It must contain the '@' symbol.",
      listed: [1, "Grüße & €"],
      template: ["Order", encodeMessageId(templated!.id), UNKNOWN_ALIAS],
    },
    mailgun: {
      sent: ["Queued. Thank you.", first!.meta.message_id],
      refused: 400,
      template: "Hi {{name}}",
      written: mailgunTemplated!.meta.message_id,
      absent: [404, '{"message":"template not found"}'],
    },
    ses: {
      sent: ses!.meta.message_id,
      refused: "Missing final '@domain'",
      template: [sesTemplated!.meta.message_id, "Template absent does not exist."],
    },
  });
  assertEquals(more, []);
  assertEquals(
    [templated, mailgunTemplated, sesTemplated].map((event) => {
      const { from, to, subject, text, html } = event!.payload;
      return [from.email, to?.map(({ email }) => email), subject, text, html];
    }),
    [
      ["a@example.com", ["b@example.com"], "Order 7", "Hi Ada", "<p>tea;milk;</p>"],
      ["a@example.com", ["b@example.com"], "Order 7", undefined, "Hi Ada"],
      ["a@example.com", ["b@example.com"], "Order 7", undefined, "<p>tea;milk;</p>"],
    ],
  );
  assertEquals(postmark!.payload.headers, { "X-A": ["1"] });
  assertEquals([first!.payload.to, second!.payload.subject], [
    [{ email: "b@example.com" }],
    "Grüße Cy",
  ]);
  assertEquals(second!.payload.attachments?.map(({ filename, size }) => [filename, size]), [
    ["a.txt", 5],
  ]);
});
