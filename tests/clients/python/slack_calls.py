"""Posts with the slack_sdk package against the address given, and prints what it saw as JSON."""

import json
import sys

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient

BLOCKS = [{"type": "section", "text": {"type": "mrkdwn", "text": "*b* é"}}]
base = sys.argv[1]


def refusal(call):
    """What the package raises."""
    try:
        call()
    except SlackApiError as error:
        return error.response["error"]
    return None


client = WebClient(token="xoxb-1", base_url=f"{base}/api/")
root = client.chat_postMessage(channel="C123", text="root", blocks=BLOCKS, unfurl_links=False)
reply = client.chat_postMessage(channel="C123", text="re", thread_ts=root["ts"])
hook = WebhookClient(f"{base}/services/T00000000/B00000000/XXXX")
sent = hook.send(text="Hi é", blocks=BLOCKS)
refused = hook.send(text="")

print(
    json.dumps(
        {
            "auth": client.auth_test()["team"],
            "api": client.api_test()["ok"],
            "root": [root["ok"], root["message"]["text"]],
            "reply": reply["message"]["thread_ts"] == root["ts"] < reply["ts"],
            "hook": [sent.status_code, sent.body],
            "refused": [refused.status_code, refused.body],
            "channel": refusal(lambda: client.chat_postMessage(channel="", text="x")),
            "token": refusal(
                lambda: WebClient(token="no", base_url=f"{base}/api/").auth_test()
            ),
            "method": refusal(lambda: client.api_call("files.upload")),
        }
    )
)
