"""Calls the Bot API with python-telegram-bot against the address given, and prints what it saw as JSON."""

import asyncio
import io
import json
import sys

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputMediaDocument
from telegram.constants import ParseMode
from telegram.error import TelegramError

base = sys.argv[1]


async def refusal(call):
    """What the package raises."""
    try:
        await call
    except TelegramError as error:
        return [type(error).__name__, error.message]
    return None


async def main():
    async with Bot("123456:any", base_url=f"{base}/bot", base_file_url=f"{base}/file/bot") as bot:
        keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Go", callback_data="go")]])
        sent = await bot.send_message(
            4242, "*hello* 1\\.5 é", parse_mode=ParseMode.MARKDOWN_V2, reply_markup=keyboard
        )
        edited = await sent.edit_text("changed")
        reply = await edited.reply_text("re", do_quote=True)
        document = await bot.send_document(
            4242, io.BytesIO("bytes é".encode()), filename="a.txt", caption="see"
        )
        file = await document.document.get_file()
        content = await file.download_as_bytearray()
        album = await bot.send_media_group(
            -1001234567890,
            [InputMediaDocument(b"one", filename="1.txt"), InputMediaDocument(b"two", filename="2.txt")],
        )
        await bot.set_my_commands([("start", "Begin")])
        hook = await bot.set_webhook("https://example.com/hook")
        info = await bot.get_webhook_info()
        await bot.delete_webhook()
        print(
            json.dumps(
                {
                    "me": bot.id,
                    "sent": [sent.text, [e.type for e in sent.entities], sent.chat.type],
                    "keyboard": sent.reply_markup.inline_keyboard[0][0].callback_data,
                    "edited": [edited.text, edited.edit_date is not None],
                    "reply": reply.reply_to_message.message_id == sent.message_id,
                    "document": [document.document.file_name, document.caption, content.decode()],
                    "album": [one.document.file_name for one in album],
                    "commands": [c.command for c in await bot.get_my_commands()],
                    "hook": [hook, info.url],
                    "updates": len(await bot.get_updates(timeout=0)),
                    "deleted": await edited.delete(),
                    "gone": await refusal(edited.edit_text("x")),
                    "escape": await refusal(
                        bot.send_message(4242, "1.5", parse_mode=ParseMode.MARKDOWN_V2)
                    ),
                    "empty": await refusal(bot.send_message(4242, " ")),
                    "nobody": await refusal(bot.send_message("nobody", "x")),
                    "token": await refusal(Bot("nonsense", base_url=f"{base}/bot").get_me()),
                }
            )
        )


asyncio.run(main())
