import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { decodeMessageId } from "../../plugins/mail/mail3/ids.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

/** One message and one batch: prints django-anymail's interpretation of the responses. */
const PYTHON = `
import json, sys
from datetime import datetime, timezone
import django
from django.conf import settings

settings.configure(
    EMAIL_BACKEND="anymail.backends.resend.EmailBackend",
    ANYMAIL={"RESEND_API_KEY": "re_anymail", "RESEND_API_URL": sys.argv[1] + "/"},
)
django.setup()
from django.core.mail import EmailMultiAlternatives
from anymail.exceptions import AnymailRequestsAPIError

def send(change):
    message = EmailMultiAlternatives(
        "Grüße", "text", '"Sender, Inc" <s@example.com>', ["Ann <a@example.com>", "b@example.com"],
        cc=["c@example.com"], reply_to=["r@example.com"], headers={"X-Test": 1},
    )
    message.attach_alternative("<b>html</b>", "text/html")
    message.attach("a.txt", "hello", "text/plain")
    change(message)
    message.send()
    return {
        email: [status.status, status.message_id]
        for email, status in message.anymail_status.recipients.items()
    }

def scheduled(message):
    message.metadata = {"order": 7}
    message.send_at = datetime(2999, 1, 1, tzinfo=timezone.utc)

def batch(message):
    message.tags = ["tag"]
    message.merge_metadata = {"a@example.com": {"id": "A"}, "b@example.com": {"id": "B"}}

def refused(message):
    message.esp_extra = {"tags": [{"name": "not ok", "value": "x"}]}

seen = {"one": send(scheduled), "batch": send(batch)}
try:
    send(refused)
except AnymailRequestsAPIError as error:
    seen["refused"] = [error.status_code, error.response.json()["name"]]
print(json.dumps(seen))
`;

interface Seen {
  readonly one: Record<string, [string, string]>;
  readonly batch: Record<string, [string, string]>;
  readonly refused: [number, string];
}

Deno.test("django-anymail sends one message and a batch to mail3, and reports a refusal", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { stdout } = await runOk(python, ["-c", PYTHON, service.ingress.url], {
    env: { NO_PROXY: "*" },
  });
  const seen = JSON.parse(stdout) as Seen;
  const held = service.events.list({ provider: "mail3" }) as CapturedEvent<MailMessage>[];
  const [one, first, second] = held.reverse();
  assertEquals(held.length, 3);
  const { attachments, ...message } = one!.payload;
  assertEquals(message, {
    from: { email: "s@example.com", name: "Sender, Inc" },
    to: [{ email: "a@example.com", name: "Ann" }, { email: "b@example.com" }],
    cc: [{ email: "c@example.com" }],
    reply_to: [{ email: "r@example.com" }],
    subject: "Grüße",
    text: "text",
    html: "<b>html</b>",
    headers: { "X-Test": ["1"], "X-Metadata": ['{"order": 7}'] },
  });
  assertEquals(
    attachments?.map(({ filename, content_type, size }) => [filename, content_type, size]),
    [["a.txt", "text/plain", 5]],
  );
  assertEquals(one!.meta.scheduled_at, "2999-01-01T00:00:00+00:00");
  for (const [status, id] of Object.values(seen.one)) {
    assertEquals([status, decodeMessageId(id)], ["queued", one!.id]);
  }
  assertEquals(first!.payload.headers?.["X-Metadata"], ['{"id": "A"}']);
  assertEquals(decodeMessageId(seen.batch["a@example.com"]![1]), first!.id);
  assertEquals(decodeMessageId(seen.batch["b@example.com"]![1]), second!.id);
  assert(first!.raw.path === "/emails/batch");
  assertEquals(seen.refused, [422, "validation_error"]);
});
