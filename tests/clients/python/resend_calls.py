"""Makes every email call of the resend package against the address given, and prints what it saw as JSON."""

import json
import sys

import resend
import resend.exceptions

resend.api_key = "re_python"
resend.api_url = sys.argv[1]

EMAIL = {
    "from": "Acme <hello@example.com>",
    "to": ["ada@example.com"],
    "subject": "Welcome",
    "html": "<p>Grüße</p>",
}


def refusal(call):
    """What the package raises."""
    try:
        call()
    except resend.exceptions.ResendError as error:
        return [type(error).__name__, int(error.code), error.error_type, error.message]
    return None


attachment = {"filename": "a.bin", "content": list(b"\x00\xff\n")}
sent = resend.Emails.send(
    {**EMAIL, "reply_to": "r@example.com", "attachments": [attachment]},
    {"idempotency_key": "py-1"},
)
again = resend.Emails.send(
    {**EMAIL, "reply_to": "r@example.com", "attachments": [attachment]},
    {"idempotency_key": "py-1"},
)
batch = resend.Batch.send(
    [EMAIL, {**EMAIL, "to": "nobody"}], {"batch_validation": "permissive"}
)
resend.Emails.update({"id": sent["id"], "scheduled_at": "2999-01-01T00:00:00Z"})
scheduled = resend.Emails.get(email_id=sent["id"])
cancelled = resend.Emails.cancel(email_id=sent["id"])
fetched = resend.Emails.get(email_id=sent["id"])
listed = resend.Emails.list({"limit": 1})
attachments = resend.Emails.Attachments.list(email_id=sent["id"])
one = resend.Emails.Attachments.get(
    email_id=sent["id"], attachment_id=attachments["data"][0]["id"]
)

print(
    json.dumps(
        {
            "sent": sent["id"],
            "again": again["id"],
            "batch": [item["id"] for item in batch["data"]],
            "batch_errors": batch["errors"],
            "scheduled": [scheduled["last_event"], scheduled["scheduled_at"]],
            "cancelled": cancelled["id"],
            "fetched": [fetched["last_event"], fetched["html"], fetched["to"]],
            "listed": [listed["has_more"], len(listed["data"])],
            "attachment": [one["filename"], one["size"], one["content_disposition"]],
            "missing": refusal(lambda: resend.Emails.send({**EMAIL, "to": []})),
            "unknown": refusal(
                lambda: resend.Emails.get(email_id="49a3999c-0ce1-4ea6-ab68-afcd6dc2e794")
            ),
            "conflict": refusal(
                lambda: resend.Emails.send(EMAIL, {"idempotency_key": "py-1"})
            ),
        }
    )
)
