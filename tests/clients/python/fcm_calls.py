"""Makes the messaging calls of firebase_admin against the address given, and prints what it saw as JSON.

The account's token_uri points at the same address, so that the access token comes from there too.
"""

import asyncio
import json
import sys

import firebase_admin
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from firebase_admin import credentials, exceptions, messaging

url = sys.argv[1]

key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.PKCS8,
    serialization.NoEncryption(),
)
account = credentials.Certificate(
    {
        "type": "service_account",
        "project_id": "demo",
        "private_key_id": "key-1",
        "private_key": key.decode(),
        "client_email": "sender@demo.example.com",
        "token_uri": f"{url}/token",
    }
)

messaging._MessagingService.FCM_URL = f"{url}/v1/projects/{{0}}/messages:send"
messaging._MessagingService.IID_URL = url
app = firebase_admin.initialize_app(account)
service = messaging._get_messaging_service(app)
service._fcm_topic_url = f"{url}/v1/projects/demo/registrations"


def refusal(call):
    """What the package raises."""
    try:
        call()
    except exceptions.FirebaseError as error:
        return [type(error).__name__, error.code, str(error)]
    return None


sent = messaging.send(
    messaging.Message(
        token="device",
        notification=messaging.Notification(title="T", body="Grüße"),
        data={"k": "v"},
        android=messaging.AndroidConfig(
            priority="normal",
            ttl=0,
            collapse_key="ck",
            notification=messaging.AndroidNotification(sound="ping", tag="t"),
        ),
        apns=messaging.APNSConfig(
            payload=messaging.APNSPayload(aps=messaging.Aps(badge=1, content_available=True))
        ),
        webpush=messaging.WebpushConfig(
            notification=messaging.WebpushNotification(title="w", custom_data={"own_key": 1})
        ),
    )
)
checked = messaging.send(messaging.Message(topic="news", data={"a": "b"}), dry_run=True)
each = messaging.send_each(
    [
        messaging.Message(token="1", data={"a": "1"}),
        messaging.Message(condition="'a' in topics || 'b c' in topics"),
    ]
)
later = asyncio.run(
    messaging.send_each_async([messaging.Message(token="2")], dry_run=False)
)
failed = each.responses[1].exception
topics = [
    call("a", "news").success_count
    for call in (
        messaging.subscribe_to_topic,
        messaging.unsubscribe_from_topic,
        messaging.subscribe_to_topic_legacy,
        messaging.unsubscribe_from_topic_legacy,
    )
]

print(
    json.dumps(
        {
            "sent": sent,
            "checked": checked,
            "each": [each.success_count, each.failure_count],
            "failed": [type(failed).__name__, failed.code, str(failed)],
            "later": later.success_count,
            "topics": topics,
            "large": refusal(
                lambda: messaging.send(messaging.Message(token="t", data={"k": "x" * 4096}))
            ),
        }
    )
)
