"""Makes the calls of brevo-python against the address given, and prints what it saw as JSON."""
import json, sys
from brevo import Brevo
from brevo.core.api_error import ApiError

client = Brevo(api_key="python", base_url=f"{sys.argv[1]}/v3")
mails = client.transactional_emails


def mail(**change):
    return {
        "sender": {"email": "a@example.com", "name": "Acme"}, "to": [{"email": "b@example.com"}],
        "subject": "Grüße", "text_content": "Hello",
    } | change


seen = {}
seen["sent"] = mails.send_transac_email(**mail(tags=["one"])).message_id
seen["versions"] = mails.send_transac_email(**mail(
    subject="For {{params.name}}", message_versions=[
        {"to": [{"email": "b@example.com"}], "params": {"name": "Ada"}},
        {"to": [{"email": "c@example.com"}], "params": {"name": "Bob"}},
    ],
)).message_ids
listed = mails.get_transac_emails_list(message_id=seen["sent"])
seen["listed"] = [item.subject for item in listed.transactional_emails]
seen["account"] = client.account.get_account().company_name
try:
    mails.send_transac_email(**mail(to=[{"email": "nobody"}]))
except ApiError as error:
    body = error.body
    seen["refused"] = [error.status_code, body if isinstance(body, dict) else body.dict(exclude_none=True)]
print(json.dumps(seen))
