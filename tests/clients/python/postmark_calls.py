"""Makes the calls of postmark-python against the address given, and prints what it saw as JSON."""
import asyncio, json, sys
import postmark


def mail(**change):
    return {"sender": "Acme <hello@example.com>", "to": "ada@example.com", "subject": "Grüße", "text_body": "Hello"} | change


async def main():
    seen = {}
    async with postmark.ServerClient("python", base_url=sys.argv[1], retries=0) as client:
        sent = await client.outbound.send(mail(
            tag="welcome", metadata={"order": "7"}, headers=[postmark.Header(Name="X-A", Value="1")]
            if hasattr(postmark, "Header") else [],
        ))
        seen["sent"] = [sent.error_code, sent.message, sent.message_id]
        seen["batch"] = [one.error_code for one in await client.outbound.send_batch([mail(), mail(subject="Second")])]
        bulk = await client.outbound.send_bulk({
            "From": "hello@example.com", "Subject": "Hi {{name}}", "TextBody": "Hello {{name}}",
            "Messages": [{"To": "ada@example.com", "TemplateModel": {"name": "Ada"}}, {"To": "bob@example.com"}],
        })
        state = await client.outbound.get_bulk_status(bulk.id)
        seen["bulk"] = [bulk.status.value, state.status.value, state.total_messages, state.percentage_completed]
        details = await client.outbound.get(sent.message_id)
        seen["details"] = [details.subject, details.tag, details.metadata, details.text_body]
        try:
            await client.outbound.send(mail(to="nobody@localhost"))
        except postmark.PostmarkAPIException as error:
            seen["refused"] = [type(error).__name__, error.error_code, error.http_status]
    print(json.dumps(seen))


asyncio.run(main())
