"""Makes message calls of the twilio package against the address given, and prints what it saw as JSON."""

import json
import sys

from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

ACCOUNT = "AC00000000000000000000000000000000"
TO, FROM = "+15558675310", "+15017122661"


def connect(token):
    client = Client(ACCOUNT, token)
    client.api.base_url = sys.argv[1]
    return client


def refusal(call):
    """What the package raises."""
    try:
        call()
    except TwilioRestException as error:
        return [error.status, error.code, error.msg]
    return None


client = connect("secret")
sent = client.messages.create(to=TO, from_=FROM, body="hello py & €")
media = client.messages.create(
    to=TO, from_=FROM, media_url=["https://example.com/a.png", "https://example.com/b.gif"]
)
for number in range(3):
    client.messages.create(to="+15550001111", from_=FROM, body=f"n{number}")
listed = client.messages.list(to="+15550001111", page_size=2)
fetched = client.messages(sent.sid).fetch()
types = [item.content_type for item in client.messages(media.sid).media.list()]
redacted = client.messages(sent.sid).update(body="")
deleted = client.messages(sent.sid).delete()

print(
    json.dumps(
        {
            "sent": [sent.sid, sent.status, sent.num_segments, sent.date_created is not None],
            "media": [media.num_media, types],
            "listed": [item.body for item in listed],
            "fetched": fetched.body,
            "redacted": redacted.body,
            "deleted": deleted,
            "gone": refusal(lambda: client.messages(sent.sid).fetch()),
            "wrong": refusal(lambda: connect("wrong").messages(sent.sid).fetch()),
            "nobody": refusal(lambda: client.messages.create(to="nobody", from_=FROM, body="x")),
            "empty": refusal(lambda: client.messages.create(to=TO, from_=FROM, body="")),
        }
    )
)
