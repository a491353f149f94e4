"""Sends mail with django-anymail: anymail_calls.py VENDOR URL. Prints what it made of the answers as JSON."""
import json, sys
import django
from django.conf import settings

vendor, url = sys.argv[1:3]
settings.configure(
    EMAIL_BACKEND=f"anymail.backends.{vendor}.EmailBackend",
    ANYMAIL={
        "POSTMARK_SERVER_TOKEN": "any", "POSTMARK_API_URL": f"{url}/",
        "MAILGUN_API_KEY": "any", "MAILGUN_API_URL": f"{url}/v3/", "MAILGUN_SENDER_DOMAIN": "mg.example.com",
        "BREVO_API_KEY": "any", "BREVO_API_URL": f"{url}/v3/",
        "AMAZON_SES_CLIENT_PARAMS": {
            "endpoint_url": url, "region_name": "eu-west-1",
            "aws_access_key_id": "any", "aws_secret_access_key": "any",
        },
    },
)
django.setup()
from anymail.exceptions import AnymailError
from django.core.mail import EmailMultiAlternatives


def send(change):
    message = EmailMultiAlternatives(
        "Grüße", "text", '"Sender, Inc" <s@example.com>', ["Ann <a@example.com>", "b@example.com"],
        cc=["c@example.com"], bcc=["d@example.com"], reply_to=["r@example.com"], headers={"X-Test": "1"},
    )
    message.attach_alternative("<b>html</b>", "text/html")
    message.attach("a.txt", "hello", "text/plain")
    change(message)
    message.send()
    return {
        email: [status.status, status.message_id]
        for email, status in message.anymail_status.recipients.items()
    }


def tagged(message):
    message.tags = ["tag"]
    message.metadata = {"order": "7"}


def batch(message):
    message.cc = message.bcc = []
    if vendor == "amazon_ses":  # which has none
        return
    message.merge_metadata = {"a@example.com": {"id": "A"}, "b@example.com": {"id": "B"}}


def templated(message):
    message.template_id = int(sys.argv[3]) if sys.argv[3].isdigit() else sys.argv[3]
    message.subject = message.body = None
    message.alternatives.clear()
    message.attachments.clear()
    message.cc = message.bcc = message.reply_to = []
    message.extra_headers = {}
    message.merge_data = {"a@example.com": {"name": "Ann"}, "b@example.com": {"name": "Bob"}}
    message.merge_global_data = {"site": "example"}


def refused(message):
    message.to = ["nobody@localhost"]
    message.cc = message.bcc = []


seen = {"one": send(tagged), "batch": send(batch), "templated": send(templated)}
try:
    send(refused)
except AnymailError as error:
    seen["refused"] = [type(error).__name__, getattr(error, "status_code", None)]
print(json.dumps(seen))
