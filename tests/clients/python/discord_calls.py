"""Posts with discord-webhook and discord.py against the address given, and prints what it saw as JSON."""

import io
import json
import sys

import discord
from discord_webhook import DiscordEmbed, DiscordWebhook

base = sys.argv[1]
ID = 1234567890123456789

# Where the package would go otherwise is built in.
discord.http.Route.BASE = f"{base}/api/v10"
hook = discord.SyncWebhook.partial(ID, "token")
embed = discord.Embed(title="T é", description="D", color=0x2E7D32)
embed.add_field(name="n", value="v")
sent = hook.send(
    "hello",
    username="deploy",
    embed=embed,
    file=discord.File(io.BytesIO("bytes é".encode()), filename="a.txt"),
    wait=True,
)
edited = hook.edit_message(sent.id, content="changed")
read = hook.fetch_message(sent.id)
hook.delete_message(sent.id)


def refusal(call):
    """What the package raises."""
    try:
        call()
    except discord.HTTPException as error:
        return [type(error).__name__, error.status, error.code]
    return None


other = DiscordWebhook(
    url=f"{base}/api/webhooks/{ID}/token", content="by the other", username="bot"
)
other.add_embed(DiscordEmbed(title="E", description="x"))
other.add_file(file=b"abc", filename="b.bin")
answered = other.execute()
other.content = "edited by the other"
changed = other.edit()
deleted = other.delete()

print(
    json.dumps(
        {
            "sent": [sent.content, sent.author.name, sent.embeds[0].title],
            "file": [sent.attachments[0].filename, sent.attachments[0].size],
            "edited": [edited.content, edited.edited_at is not None, read.content],
            "gone": refusal(lambda: hook.fetch_message(sent.id)),
            "empty": refusal(lambda: hook.send("")),
            "long": refusal(lambda: hook.send("x" * 2001)),
            "other": [answered.status_code, answered.json()["content"]],
            "changed": [changed.status_code, changed.json()["content"]],
            "deleted": deleted.status_code,
        }
    )
)
