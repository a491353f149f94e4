import type { Endpoint, Snippet } from "../../../core/plugin.ts";

const TOKEN = "123456:any-token";

/** A call in the vendor's form. */
export const EXAMPLE = {
  chat_id: 4242,
  text: "<b>Hello</b> from curl",
  parse_mode: "HTML",
  reply_markup: { inline_keyboard: [[{ text: "Open", url: "https://example.com/" }]] },
};

/** Runnable snippets; any number, a colon and any word form a token. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "Send with curl",
      lang: "sh",
      code: `curl -sS ${at.url}/bot${TOKEN}/sendMessage \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(EXAMPLE)}'`,
    },
    {
      title: "Point grammY here",
      lang: "js",
      code: `import { Bot } from "grammy";

const bot = new Bot("${TOKEN}", { client: { apiRoot: "${at.url}" } });
const message = await bot.api.sendMessage(4242, "Hello from Node");
console.log(message.message_id);`,
    },
    {
      title: "Point Telegraf here",
      lang: "js",
      code: `import { Telegraf } from "telegraf";

const bot = new Telegraf("${TOKEN}", { telegram: { apiRoot: "${at.url}" } });
await bot.telegram.sendMessage(4242, "Hello from Node");`,
    },
    {
      title: "Point python-telegram-bot here",
      lang: "python",
      code: `import asyncio
from telegram import Bot

async def main():
    async with Bot("${TOKEN}", base_url="${at.url}/bot") as bot:
        await bot.send_message(4242, "Hello from Python")

asyncio.run(main())`,
    },
    {
      title: "Point aiogram here",
      lang: "python",
      code: `import asyncio
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer

async def main():
    session = AiohttpSession(api=TelegramAPIServer.from_base("${at.url}"))
    async with Bot("${TOKEN}", session=session) as bot:
        await bot.send_message(4242, "Hello from aiogram")

asyncio.run(main())`,
    },
  ];
}
