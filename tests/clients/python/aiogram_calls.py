"""Sends every kind of message with aiogram, whose models are strict, to the address given; prints what it parsed."""

import asyncio
import json
import sys

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramBadRequest
from aiogram.types import (
    BufferedInputFile,
    InputChecklist,
    InputChecklistTask,
    InputMediaLivePhoto,
    InputMediaPhoto,
    InputMediaVenue,
    InputPaidMediaPhoto,
    InputPaidMediaVideo,
    InputPollOption,
    InputRichBlockList,
    InputRichBlockListItem,
    InputRichBlockParagraph,
    InputRichBlockPhoto,
    InputRichMessage,
    LabeledPrice,
)

base = sys.argv[1]
CHAT = 4242


def upload(text, name="a.bin"):
    return BufferedInputFile(text.encode(), filename=name)


async def main():
    out = {}
    session = AiohttpSession(api=TelegramAPIServer.from_base(base))
    async with Bot("123456:any", session=session) as bot:
        me = await bot.get_me()
        out["me"] = [me.id, me.is_bot]
        text = await bot.send_message(CHAT, "*hello*", parse_mode="MarkdownV2")
        out["text"] = [text.text, text.entities[0].type]
        photo = await bot.send_photo(CHAT, upload("picture"), caption="see")
        out["photo"] = [photo.caption, photo.photo[0].width > 0]
        options = [InputPollOption(text="yes"), InputPollOption(text="no")]
        poll = await bot.send_poll(CHAT, "Ship it?", options, description="Now", members_only=True)
        out["poll"] = [
            [one.text for one in poll.poll.options],
            len({one.persistent_id for one in poll.poll.options}),
            poll.poll.members_only,
            poll.poll.description,
        ]
        place = InputMediaVenue(latitude=1, longitude=2, title="T", address="A")
        choices = [InputPollOption(text="there", media=place), InputPollOption(text="no")]
        media = await bot.send_poll(
            CHAT, "Where?", choices, media=InputMediaPhoto(media=upload("picture"))
        )
        out["media"] = [
            media.poll.media.photo[0].file_size,
            media.poll.options[0].media.venue.location.longitude,
        ]
        out["stopped"] = (await bot.stop_poll(CHAT, poll.message_id)).is_closed
        out["dice"] = 1 <= (await bot.send_dice(CHAT)).dice.value <= 6
        out["venue"] = (await bot.send_venue(CHAT, 1.5, 2.5, "T", "A")).venue.location.longitude
        out["location"] = (await bot.send_location(CHAT, 1.5, 2.5)).location.latitude
        out["contact"] = (await bot.send_contact(CHAT, "+1555", "Ada")).contact.first_name
        prices = [LabeledPrice(label="Ticket", amount=1000)]
        invoice = await bot.send_invoice(CHAT, "T", "D", "p", "XTR", prices, start_parameter="s")
        out["invoice"] = [invoice.invoice.total_amount, invoice.invoice.start_parameter]
        out["game"] = (await bot.send_game(CHAT, "chess")).game.photo[0].height > 0
        album = await bot.send_media_group(
            CHAT,
            [
                InputMediaPhoto(media=upload("one"), caption="first"),
                InputMediaLivePhoto(media="clip-id", photo="still-id"),
            ],
        )
        out["album"] = [album[0].caption, album[1].live_photo.file_id, len(album[1].photo)]
        live = await bot.send_live_photo(CHAT, upload("clip"), upload("still"))
        out["live"] = live.live_photo.duration
        kinds = {
            "document": bot.send_document,
            "audio": bot.send_audio,
            "video": bot.send_video,
            "animation": bot.send_animation,
            "voice": bot.send_voice,
            "video_note": bot.send_video_note,
            "sticker": bot.send_sticker,
        }
        out["files"] = {}
        for kind, send in kinds.items():
            message = await send(CHAT, upload("bytes"))
            out["files"][kind] = getattr(message, kind).file_size
        paid = await bot.send_paid_media(
            CHAT, 5, [InputPaidMediaPhoto(media="id"), InputPaidMediaVideo(media=upload("clip"))]
        )
        out["paid"] = [one.type for one in paid.paid_media.paid_media]
        tasks = [InputChecklistTask(id=1, text="buy")]
        checklist = await bot.send_checklist("b1", CHAT, InputChecklist(title="Dinner", tasks=tasks))
        out["checklist"] = checklist.checklist.tasks[0].text

        rich = await bot.send_rich_message(
            CHAT, InputRichMessage(markdown="# Report\n\nAll **green**")
        )
        out["rich"] = [block.text for block in rich.rich_message.blocks]
        item = InputRichBlockListItem(blocks=[InputRichBlockParagraph(text="milk")])
        blocks = InputRichMessage(
            blocks=[
                InputRichBlockParagraph(text="To buy"),
                InputRichBlockList(items=[item]),
                InputRichBlockPhoto(photo=InputMediaPhoto(media=upload("picture"))),
            ]
        )
        listed = await bot.send_rich_message(CHAT, blocks)
        first, items, picture = listed.rich_message.blocks
        out["blocks"] = [first.text, items.items[0].blocks[0].text, picture.photo[0].file_size]
        changed = await bot.edit_message_text(
            chat_id=CHAT, message_id=rich.message_id, rich_message=InputRichMessage(html="<p>new</p>")
        )
        out["changed"] = changed.rich_message.blocks[0].text
        out["draft"] = await bot.send_message_draft(CHAT, draft_id=1, text="Thin")
        out["forwarded"] = (await bot.forward_message(4243, CHAT, text.message_id)).forward_origin.type
        edited = await bot.edit_message_caption(
            chat_id=CHAT, message_id=photo.message_id, caption="<i>new</i>", parse_mode="HTML"
        )
        out["edited"] = [edited.caption, edited.caption_entities[0].type]
        chat = await bot.get_chat(CHAT)
        out["chat"] = chat.accepted_gift_types.unique_gifts
        try:
            await bot.send_rich_message(CHAT, InputRichMessage(html="<p>a</p>", markdown="b"))
        except TelegramBadRequest as error:
            out["refused"] = error.message
    print(json.dumps(out))


asyncio.run(main())
