"""Sends through SDKs that are told nothing of a stand-in: the environment names a proxy and a CA. Prints JSON.

The argument is the port of the service, for the one SDK whose own way of using a proxy ends in a fault since Python 3.11
(it takes asyncio's view of a socket for a socket): it is given the address.
"""

import asyncio
import json
import sys

import firebase_admin
import google.auth.credentials
import requests
import resend
from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsProductionClientProtocol
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from firebase_admin import credentials, messaging
from mailjet_rest import Client as Mailjet
from sendgrid import SendGridAPIClient
from sendgrid.helpers.mail import Mail
from slack_sdk import WebClient
from slack_sdk.webhook import WebhookClient
from twilio.rest import Client as Twilio

FROM, TO = "a@example.com", "b@example.org"


def plain_requests():
    answer = requests.post(
        "https://api.resend.com/emails",
        headers={"Authorization": "Bearer re_any"},
        json={"from": FROM, "to": TO, "subject": "requests", "text": "Hello"},
        timeout=20,
    )
    return answer.status_code


def resend_sdk():
    resend.api_key = "re_any"
    params = {"from": FROM, "to": [TO], "subject": "resend", "text": "Hello"}
    return "id" in resend.Emails.send(params)


def mailjet():
    client = Mailjet(auth=("key", "secret"), version="v3.1")
    message = {
        "From": {"Email": FROM},
        "To": [{"Email": TO}],
        "Subject": "mailjet_rest",
        "TextPart": "Hello",
    }
    return client.send.create(data={"Messages": [message]}).status_code


def sendgrid():
    message = Mail(from_email=FROM, to_emails=TO, subject="sendgrid", plain_text_content="Hello")
    return SendGridAPIClient("SG.any").send(message).status_code


def twilio():
    client = Twilio("AC" + "0" * 32, "token")
    return client.messages.create(to="+15558675310", from_="+15017122661", body="Hello").status


def slack():
    posted = WebClient("xoxb-any").chat_postMessage(channel="C1", text="Hello")
    hook = WebhookClient("https://hooks.slack.com/services/T1/B1/secret").send(text="Hello")
    return [posted["ok"], hook.body]


class Token(google.auth.credentials.Credentials):
    """An access token that needs no refreshing."""

    def refresh(self, request):
        self.token = "any"


class Credential(credentials.Base):
    def get_credential(self):
        return Token()


def firebase():
    firebase_admin.initialize_app(Credential(), {"projectId": "demo"})
    sent = messaging.send(messaging.Message(topic="news", data={"k": "v"}))
    each = messaging.send_each([messaging.Message(token=str(n)) for n in range(3)])
    return [sent.startswith("projects/demo/messages/"), each.success_count]


async def apns():
    APNsProductionClientProtocol.APNS_SERVER = "localhost"
    APNsProductionClientProtocol.APNS_PORT = int(sys.argv[1])
    key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    client = APNs(
        key=key.decode(),
        key_id="ABC123DEFG",
        team_id="TEAM123456",
        topic="com.example.app",
    )
    sent = await client.send_notification(
        NotificationRequest(device_token="d1", message={"aps": {"alert": "Hello"}})
    )
    refused = await client.send_notification(
        NotificationRequest(
            device_token="d1", message={"aps": {}}, collapse_key="x" * 65
        )
    )
    client.pool.close()
    return [sent.is_successful, refused.status, refused.description]


print(
    json.dumps(
        {
            "requests": plain_requests(),
            "resend": resend_sdk(),
            "mailjet": mailjet(),
            "sendgrid": sendgrid(),
            "twilio": twilio(),
            "slack": slack(),
            "firebase": firebase(),
            "apns": asyncio.run(apns()),
        }
    )
)
