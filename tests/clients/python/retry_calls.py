"""Sends an email with the client of a vendor, with its own retries, and prints "sent" or the error."""
import asyncio, sys

url, vendor = sys.argv[1:]
MAIL = {"subject": "Hi", "to": "b@example.com"}


async def postmark_send():
    import postmark

    async with postmark.ServerClient("python", base_url=url) as client:
        await client.outbound.send(MAIL | {"sender": "a@example.com", "text_body": "Hello"})


def mailgun_send():
    from mailgun.client import Client

    client = Client(auth=("api", "key"), api_url=url)
    data = MAIL | {"from": "a@example.com", "text": "Hello"}
    answer = client.messages.create(data=data, domain="mg.example.com")
    if answer.status_code != 200:
        raise RuntimeError(answer.text)


def brevo_send():
    import brevo

    mail = {"sender": {"email": "a@example.com"}, "to": [{"email": MAIL["to"]}], "subject": "Hi", "text_content": "Hello"}
    brevo.Brevo(api_key="key", base_url=url + "/v3").transactional_emails.send_transac_email(**mail)


SENDERS = {"postmark": lambda: asyncio.run(postmark_send()), "mailgun": mailgun_send, "brevo": brevo_send}

try:
    SENDERS[vendor]()
    print("sent")
except Exception as error:
    print(type(error).__name__, error)
