import { textTopic } from "../../../core/checks/texts.ts";
import { type CapturedEvent, type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { textsOfChat } from "../texts.ts";
import { blocksTopic } from "./blocks.ts";
import { cardTextsTopic } from "./card_texts.ts";
import { cardsTopic } from "./cards.ts";
import { discordTopic } from "./discord.ts";
import { componentsTopic } from "./discord_components.ts";
import { telegramTopic } from "./telegram.ts";
import { textsTopic } from "./texts.ts";

/** Checks of chat messages. */
export const CHECKS: PluginChecks = pluginChecks<CapturedEvent<ChatMessage>>({
  read: (event) => event as CapturedEvent<ChatMessage>,
  topics: [
    blocksTopic,
    cardsTopic,
    cardTextsTopic,
    componentsTopic,
    discordTopic,
    telegramTopic,
    textsTopic,
    // All but the first are inside the structured contents.
    textTopic(
      "chat",
      (event) =>
        textsOfChat(event).map(({ text }, at) => ({ part: at === 0 ? "text" : "contents", text })),
    ),
  ],
});
