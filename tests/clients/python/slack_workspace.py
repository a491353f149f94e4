"""Changes, reads back and shares with the slack_sdk package against the address given, and prints what it saw as JSON."""

import json
import sys

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

client = WebClient(token="xoxb-1", base_url=f"{sys.argv[1]}/api/")


def refusal(call):
    """What the package raises."""
    try:
        call()
    except SlackApiError as error:
        return error.response["error"]
    return None


posted = client.chat_postMessage(channel="general", text="one")
channel, ts = posted["channel"], posted["ts"]
updated = client.chat_update(channel=channel, ts=ts, text="uno")
client.reactions_add(channel=channel, timestamp=ts, name="tada")
for number in range(3):
    client.chat_postMessage(channel=channel, text=f"re {number}", thread_ts=ts)
# The package follows the cursors of such an iteration by itself.
replies = [
    message["text"]
    for page in client.conversations_replies(channel=channel, ts=ts, limit=2)
    for message in page["messages"]
]
history = client.conversations_history(channel=channel)["messages"]
shared = client.files_upload_v2(
    channel=channel, initial_comment="see", filename="a.txt", content="hello é"
)
ephemeral = client.chat_postEphemeral(channel=channel, user="U0STANDIN2", text="psst")
view = {
    "type": "modal",
    "title": {"type": "plain_text", "text": "T"},
    "blocks": [{"type": "divider"}],
}
opened = client.views_open(trigger_id="1.2.3", view=view)
deleted = client.chat_delete(channel=channel, ts=ts)

print(
    json.dumps(
        {
            "updated": updated["message"]["text"],
            "replies": replies,
            "history": [history[0]["text"], history[0]["reactions"][0]["name"], history[0]["reply_count"]],
            "shared": [shared["ok"], shared["file"]["name"]],
            "ephemeral": ephemeral["message_ts"] > ts,
            "view": opened["view"]["title"]["text"],
            "user": client.users_lookupByEmail(email="grace@example.com")["user"]["name"],
            "link": client.chat_getPermalink(channel=channel, message_ts=history[0]["latest_reply"])["ok"],
            "deleted": deleted["ok"],
            "gone": refusal(lambda: client.chat_update(channel=channel, ts=ts, text="x")),
            "named": refusal(lambda: client.chat_delete(channel="general", ts=ts)),
            "trigger": refusal(lambda: client.views_open(trigger_id="", view=view)),
        }
    )
)
