import { assertEquals } from "@std/assert";
import { encodeMessageId } from "../../plugins/mail/mail4/ids.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

Deno.test("Go packages of Postmark, Mailgun and Amazon SES send, and read what was refused", async (t) => {
  const program = await requireGo(t, "mail");
  if (program === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { stdout } = await runOk(program, [service.ingress.url], { env: { NO_PROXY: "*" } });
  const [postmark] = capturedBy(service, "mail4");
  const [first, second] = capturedBy(service, "mail5");
  const [ses] = capturedBy(service, "mail6");
  const seen = JSON.parse(stdout);
  assertEquals(seen, {
    postmark: {
      sent: encodeMessageId(postmark!.id),
      batch: 300,
      refused:
        "Error parsing 'To': Illegal email address 'nobody'. It must contain the '@' symbol.",
      listed: [1, "Grüße & €"],
    },
    mailgun: {
      sent: ["Queued. Thank you.", first!.meta.message_id],
      refused: 400,
      template: "Hi {{name}}",
    },
    ses: { sent: ses!.meta.message_id, refused: "Missing final '@domain'" },
  });
  assertEquals(postmark!.payload.headers, { "X-A": ["1"] });
  assertEquals([first!.payload.to, second!.payload.subject], [
    [{ email: "b@example.com" }],
    "Grüße Cy",
  ]);
  assertEquals(second!.payload.attachments?.map(({ filename, size }) => [filename, size]), [
    ["a.txt", 5],
  ]);
});
