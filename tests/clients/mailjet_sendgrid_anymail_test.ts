import { assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

/**
 * One batch with a valid and an invalid recipient: prints django-anymail's interpretation of the
 * response.
 */
const PYTHON = `
import json, sys
import django
from django.conf import settings

url, vendor = sys.argv[1:3]
settings.configure(
    EMAIL_BACKEND=f"anymail.backends.{vendor}.EmailBackend",
    ANYMAIL={
        "MAILJET_API_KEY": "key", "MAILJET_SECRET_KEY": "secret",
        "MAILJET_API_URL": f"{url}/v3.1/",
        "SENDGRID_API_KEY": "SG.key", "SENDGRID_API_URL": f"{url}/v3/",
    },
)
django.setup()
from django.core.mail import EmailMultiAlternatives

message = EmailMultiAlternatives(
    "Hi", "text", "Sender <s@example.com>", ["Ann <a@example.com>", "b@123.4"],
    reply_to=["r@example.com"], headers={"X-Test": "1"},
)
message.attach_alternative("<b>html</b>", "text/html")
message.attach("a.txt", "hello", "text/plain")
message.tags = ["tag"]
message.merge_data = {"a@example.com": {"name": "Ann"}}
message.merge_global_data = {"site": "example"}
message.send()
print(json.dumps({
    email: [status.status, status.message_id]
    for email, status in message.anymail_status.recipients.items()
}))
`;

async function sendBatch(python: string, url: string, vendor: string) {
  return JSON.parse((await runOk(python, ["-c", PYTHON, url, vendor])).stdout);
}

Deno.test("django-anymail sees which recipients mail1 accepted, and their ids", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const recipients = await sendBatch(python, service.ingress.url, "mailjet");
  const events = service.events.list({ provider: "mail1" });
  assertEquals(events.length, 1);
  const { meta, summary } = events[0]!;
  assertEquals(summary, "s@example.com -> a@example.com: Hi");
  assertEquals(meta.variables, { site: "example", name: "Ann" });
  const [id] = meta.message_ids as readonly number[];
  assertEquals(recipients, { "a@example.com": ["sent", String(id)], "b@123.4": ["failed", null] });
});

Deno.test("django-anymail sends a batch to mail2", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const recipients = await sendBatch(python, service.ingress.url, "sendgrid");
  const events = service.events.list({ provider: "mail2" }).reverse();
  assertEquals(events.map(({ summary }) => summary), [
    "s@example.com -> a@example.com: Hi",
    "s@example.com -> b@123.4: Hi",
  ]);
  const ids = events.map(({ meta }) => (meta.custom_args as Record<string, string>).anymail_id);
  assertEquals(recipients, { "a@example.com": ["queued", ids[0]], "b@123.4": ["queued", ids[1]] });
});
