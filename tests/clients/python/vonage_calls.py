"""Sends with the vonage package, which knows nothing but a proxy and a CA, and prints what it saw as JSON."""

import json
import sys

from vonage import Auth, Vonage
from vonage_http_client.errors import HttpRequestError
from vonage_messages import Sms
from vonage_sms import SmsError, SmsMessage

TO = "447700900123"


def refusal(call):
    """What the package raises."""
    try:
        call()
    except SmsError as error:
        return str(error)
    except HttpRequestError as error:
        return [error.response.status_code, error.response.json()["title"]]
    return None


client = Vonage(Auth(api_key="key", api_secret="secret"))
wrong = Vonage(Auth(api_key="key", api_secret="wrong"))
signing = Vonage(Auth(api_key="key", signature_secret="signature"))
with open(sys.argv[1], encoding="utf-8") as file:
    application = Vonage(
        Auth(application_id="00000000-0000-4000-8000-000000000001", private_key=file.read())
    )

text = "Grüße aus Python & €: 👋".ljust(100, ".")
long = client.sms.send(
    SmsMessage(to=TO, from_="LOVELACE", text=text, type="unicode", client_ref="order-7", ttl=60000)
)
signed = signing.sms.send(SmsMessage(to=TO, from_="447700900999", text="signed"))
message = Sms(to=TO, from_="LOVELACE", text="Hello & bye", client_ref="order-8")
by_jwt = application.messages.send(message)
by_key = client.messages.send(
    Sms(to=TO, from_="LOVELACE", text="by key"), failover=[Sms(to=TO, from_="A", text="again")]
)
print(
    json.dumps(
        {
            "long": [
                long.message_count,
                [[part.to, part.message_id, part.status] for part in long.messages],
            ],
            "signed": signed.messages[0].message_id,
            "jwt": by_jwt.message_uuid,
            "key": by_key.message_uuid,
            "wrong": refusal(lambda: wrong.sms.send(SmsMessage(to=TO, from_="A", text="x"))),
            "wrong_message": refusal(lambda: wrong.messages.send(message)),
            "nobody": refusal(lambda: client.sms.send(SmsMessage(to="12", from_="A", text="x"))),
        }
    )
)
