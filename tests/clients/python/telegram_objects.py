"""Sends every kind of message with python-telegram-bot to the address given, and prints what it parsed as JSON."""

import asyncio
import json
import sys

from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputChecklist,
    InputChecklistTask,
    InputMediaPhoto,
    InputMediaVideo,
    InputPaidMediaPhoto,
    InputPaidMediaVideo,
    InputPollOption,
    LabeledPrice,
    ReplyParameters,
)
from telegram.error import TelegramError

base = sys.argv[1]
CHAT = 4242


async def refusal(call):
    """What the package raises."""
    try:
        await call
    except TelegramError as error:
        return error.message
    return None


def seconds(duration):
    """Periods are numbers or `timedelta`s, as the environment says."""
    return duration.total_seconds() if hasattr(duration, "total_seconds") else duration


def about_poll(poll):
    return {
        "is_id": poll.id.isdigit(),
        "question": poll.question,
        "options": [[one.text, one.voter_count, bool(one.persistent_id)] for one in poll.options],
        "voters": poll.total_voter_count,
        "flags": [poll.is_closed, poll.is_anonymous, poll.allows_multiple_answers],
        "type": poll.type,
    }


async def main():
    out = {}
    async with Bot("123456:any", base_url=f"{base}/bot", base_file_url=f"{base}/file/bot") as bot:
        text = await bot.send_message(CHAT, "<b>Build</b> failed", parse_mode="HTML")
        out["text"] = [text.text, list(text.parse_entities().values()), text.chat.id, text.from_user.is_bot]

        photo = await bot.send_photo(CHAT, b"picture", caption="see", has_spoiler=True)
        size = photo.photo[-1]
        out["photo"] = [photo.caption, size.file_size, size.width > 0, size.height > 0]
        again = await bot.send_photo(CHAT, size.file_id)
        out["again"] = again.photo[-1].file_unique_id == size.file_unique_id
        file = await bot.get_file(size.file_id)
        out["file"] = file.file_unique_id == size.file_unique_id

        poll = await bot.send_poll(
            CHAT, "Ship it?", ["yes", InputPollOption("<i>no</i>", "HTML")], is_anonymous=False
        )
        out["poll"] = about_poll(poll.poll)
        quiz = await bot.send_poll(
            CHAT, "1 + 1?", ["1", "2"], type="quiz", correct_option_ids=[1], open_period=60
        )
        out["quiz"] = [quiz.poll.correct_option_ids, seconds(quiz.poll.open_period), quiz.poll.close_date is not None]
        forwarded = await poll.forward(4243)
        out["forwarded"] = [
            forwarded.poll.id == poll.poll.id,
            forwarded.forward_origin.sender_user.id == bot.id,
        ]
        stopped = await bot.stop_poll(CHAT, poll.message_id)
        out["stopped"] = [stopped.id == poll.poll.id, stopped.is_closed]

        dice = {}
        for emoji in ["🎲", "🏀", "🎰"]:
            one = (await bot.send_dice(CHAT, emoji=emoji)).dice
            dice[one.emoji] = one.value
        out["dice"] = dice

        venue = await bot.send_venue(CHAT, 51.5, -0.12, "Office", "1 High Street", foursquare_id="f1")
        out["venue"] = [
            venue.venue.title,
            venue.venue.address,
            venue.venue.location.latitude,
            venue.venue.foursquare_id,
            venue.location.longitude,
        ]
        location = await bot.send_location(CHAT, 51.5, -0.12, live_period=600)
        moved = await bot.edit_message_live_location(
            CHAT, location.message_id, latitude=52, longitude=-1
        )
        ended = await bot.stop_message_live_location(CHAT, location.message_id)
        out["location"] = [
            [one.location.latitude, seconds(one.location.live_period)]
            for one in [location, moved, ended]
        ]
        contact = (await bot.send_contact(CHAT, "+15551234567", "Ada", last_name="L")).contact
        out["contact"] = [contact.phone_number, contact.first_name, contact.last_name]

        prices = [LabeledPrice("Ticket", 1000), LabeledPrice("Tax", 45)]
        invoice = (await bot.send_invoice(CHAT, "Ticket", "One seat", "order-7", "EUR", prices)).invoice
        out["invoice"] = [
            invoice.title,
            invoice.description,
            invoice.start_parameter,
            invoice.currency,
            invoice.total_amount,
        ]
        out["link"] = (await bot.create_invoice_link("T", "D", "p", "EUR", prices))[:14]
        game = (await bot.send_game(CHAT, "chess")).game
        out["game"] = [game.title, bool(game.description), len(game.photo)]

        album = await bot.send_media_group(
            CHAT,
            [
                InputMediaPhoto(b"one", caption="*first*", parse_mode="MarkdownV2"),
                InputMediaVideo(b"two", width=640, height=360, duration=3, thumbnail=b"small"),
            ],
        )
        out["album"] = [
            album[0].media_group_id == album[1].media_group_id,
            album[0].caption,
            [album[1].video.width, album[1].video.height],
        ]
        animation = await bot.send_animation(CHAT, b"gif", filename="a.gif", width=10, height=20)
        out["animation"] = [animation.animation.width, animation.document.file_name]
        audio = (await bot.send_audio(CHAT, b"mp3", performer="P", title="T")).audio
        out["audio"] = [audio.performer, audio.title, bool(audio.file_unique_id)]
        voice = (await bot.send_voice(CHAT, b"ogg")).voice
        note = (await bot.send_video_note(CHAT, b"mp4", length=240)).video_note
        sticker = (await bot.send_sticker(CHAT, b"webp", emoji="👍")).sticker
        out["others"] = [bool(voice.file_unique_id), note.length, sticker.emoji, sticker.type]
        paid = (
            await bot.send_paid_media(
                CHAT, 5, [InputPaidMediaPhoto(b"paid"), InputPaidMediaVideo(b"clip", width=320)]
            )
        ).paid_media
        out["paid"] = [
            paid.star_count,
            paid.paid_media[0].photo[0].file_size,
            paid.paid_media[1].video.width,
        ]
        tasks = [InputChecklistTask(1, "buy"), InputChecklistTask(2, "*cook*", parse_mode="MarkdownV2")]
        checklist = await bot.send_checklist("b1", CHAT, InputChecklist("Dinner", tasks))
        changed = await bot.edit_message_checklist(
            "b1", CHAT, checklist.message_id, InputChecklist("Lunch", tasks[:1])
        )
        out["checklist"] = [
            [one.checklist.title, [task.text for task in one.checklist.tasks]]
            for one in [checklist, changed]
        ]
        out["business"] = checklist.business_connection_id

        keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Open", url="https://example.com/")]])
        edited = await bot.edit_message_text("Build passed", CHAT, text.message_id, reply_markup=keyboard)
        out["edited"] = [edited.text, edited.entities, edited.edit_date is not None]
        out["button"] = edited.reply_markup.inline_keyboard[0][0].url
        copy = await bot.copy_message(4243, CHAT, photo.message_id, caption="copied")
        out["copy"] = copy.message_id > photo.message_id
        reply = await bot.send_message(
            CHAT, "re", reply_parameters=ReplyParameters(text.message_id), protect_content=True
        )
        unknown = await bot.send_message(CHAT, "re", reply_parameters=ReplyParameters(7))
        out["reply"] = [
            reply.reply_to_message.message_id == text.message_id,
            reply.reply_to_message.text,
            reply.has_protected_content,
            unknown.reply_to_message.message_id,
        ]
        chat = await bot.get_chat(CHAT)
        out["chat"] = [chat.id, chat.accepted_gift_types.unlimited_gifts]
        out["action"] = await bot.send_chat_action(CHAT, "typing")
        out["refused"] = [
            await refusal(call)
            for call in [
                bot.stop_poll(CHAT, poll.message_id),
                bot.stop_poll(CHAT, text.message_id),
                bot.edit_message_live_location(CHAT, location.message_id, latitude=1, longitude=1),
                bot.send_chat_action(CHAT, "dancing"),
                bot.send_invoice(CHAT, "T", "D", "p", "EUR", []),
                bot.send_poll(CHAT, "", ["a"]),
                bot.send_paid_media(CHAT, 0, [InputPaidMediaPhoto(b"x")]),
            ]
        ]
    print(json.dumps(out))


asyncio.run(main())
