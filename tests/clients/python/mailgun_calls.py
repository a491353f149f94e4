"""Makes the calls of mailgun for Python against the address given, and prints what it saw as JSON."""
import json, sys
from mailgun.client import Client

DOMAIN = "mg.example.com"
client = Client(auth=("api", "python"), api_url=sys.argv[1])


def mail(**change):
    return {"from": "Acme <a@example.com>", "to": ["b@example.com", "c@example.com"], "subject": "Grüße", "text": "Hello"} | change


seen = {}
sent = client.messages.create(
    domain=DOMAIN, data=mail(**{"o:tag": ["one", "two"], "v:order": "7"}), files=[("attachment", ("ä.txt", b"hello"))],
)
seen["sent"] = [sent.status_code, sent.json()]
mime = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: Composed\r\n\r\nHello\r\n"
composed = client.mimemessage.create(domain=DOMAIN, data={"to": "b@example.com"}, files={"message": mime})
seen["mime"] = [composed.status_code, composed.json()["message"]]
seen["template"] = client.templates.create(
    domain=DOMAIN, data={"name": "welcome", "description": "First", "template": "Hi {{name}}"},
).json()["message"]
templated = client.messages.create(
    domain=DOMAIN, data=mail(text="", template="welcome", **{"t:variables": json.dumps({"name": "Ada"})}),
)
seen["templated"] = templated.status_code
events = client.events.get(domain=DOMAIN, filters={"event": "delivered", "recipient": "c@example.com"})
seen["events"] = [item["message"]["headers"]["subject"] for item in events.json()["items"]]
refused = client.messages.create(domain=DOMAIN, data=mail(to="nobody"))
seen["refused"] = [refused.status_code, refused.json()]
print(json.dumps(seen))
