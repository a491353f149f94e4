import { placeIn } from "../../../core/checks/place.ts";
import type { CapturedEvent, CheckTopic } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";

const FORMATTING = "https://docs.slack.dev/messaging/formatting-message-text";
/** Maximum length of a text that the vendor recommends, in characters. */
const RECOMMENDED = 4000;

/** Checks of texts: notifications, mentions, and the vendor's markup. */
export const textsTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.fallback",
      level: "warning",
      about: "A message with blocks has no text: notifications and screen readers get nothing",
      source: "https://docs.slack.dev/reference/methods/chat.postMessage",
    },
    {
      id: "chat.mention",
      level: "warning",
      about: "A name after @ has no effect: a mention is <@U…>, <!here> or <!subteam^S…>",
      source: FORMATTING,
    },
    {
      id: "chat.markdown",
      level: "info",
      about:
        "Markdown where the vendor has its own markup: double asterisks and links in brackets are shown literally",
      source: FORMATTING,
    },
    {
      id: "chat.length",
      level: "warning",
      about: `The text has more than ${RECOMMENDED} characters, after which the vendor may cut it`,
      source: "https://docs.slack.dev/reference/methods/chat.postMessage",
    },
  ],
  *find({ payload: { text, contents = [], change }, provider, meta, raw, type }) {
    if (provider !== "chat1" || type === "chat.view") return;
    if (change !== undefined && change.kind !== "edit") return;
    const hasBlocks = contents.some(({ format }) => format === "chat1.blocks");
    // Without its own text, the plugin derives one from the blocks.
    if (
      hasBlocks &&
      !/"text"\s*:\s*"[^"]|(^|&)text=[^&]/.test(topLevel(new TextDecoder().decode(raw.body)))
    ) {
      yield {
        id: "chat.fallback",
        message: "The message has blocks, but no text",
        where: { part: "blocks", path: "blocks" },
      };
    }
    const characters = [...text];
    const { length } = characters;
    if (length > RECOMMENDED) {
      yield {
        id: "chat.length",
        message: `The text has ${length} characters`,
        where: () => {
          const start = characters.slice(0, RECOMMENDED).join("").length;
          return placeIn("text", text, { start, end: text.length });
        },
      };
    }
    if (meta.mrkdwn === false || meta.markdown_text !== undefined) return;
    for (
      const { 0: found, index } of text.matchAll(/(?<![\w<!@/.])@[a-z][\w.-]{1,30}(?![\w@.]*@)/gi)
    ) {
      yield {
        id: "chat.mention",
        message: `${found} notifies nobody`,
        where: () => placeIn("text", text, { start: index, end: index + found.length }),
      };
    }
    for (
      const { 0: found, index } of text.matchAll(
        /\*\*[^*\n]{1,200}\*\*|\[[^\]\n]{1,200}\]\(https?:[^)\s]{1,500}\)/g,
      )
    ) {
      yield {
        id: "chat.markdown",
        message: "Write *bold* and <address|text>",
        where: () => placeIn("text", text, { start: index, end: index + found.length }),
      };
    }
  },
};

/** Top-level members of the request. */
function topLevel(body: string): string {
  if (!body.startsWith("{")) return body;
  try {
    const { text } = JSON.parse(body) as { text?: unknown };
    return typeof text === "string" ? JSON.stringify({ text }) : "";
  } catch {
    return body;
  }
}
