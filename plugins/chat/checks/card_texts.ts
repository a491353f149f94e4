import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { type Placed, walkObjects } from "./walk.ts";

const FORMAT =
  "https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format";
const MENTION = /<at>([^<]{1,200})<\/at>/g;
/** Markup that Teams shows literally: tags, headings, tables, images, code and quotes. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/<\/?(?:a|b|br|em|h[1-6]|i|img|li|ol|p|strong|table|u|ul)\b[^<>]{0,200}>/i, "HTML"],
  [/^#{1,6} \S/m, "a heading"],
  [/^\|?(?: ?:?-{3,}:? ?\|)+/m, "a table"],
  [/!\[[^\]\n]{0,200}\]\(/, "an image"],
  [/^```/m, "preformatted text"],
  [/^> \S/m, "a quotation"],
];
/** Members with text that Teams formats. */
const TEXTS = ["text"];
const FACT = ["title", "value"];

/** Checks of texts in Adaptive Cards: mentions without an entity, and markup that Teams does not have. */
export const cardTextsTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.card_mention",
      level: "warning",
      about:
        "A text of a card has <at>…</at>, and msteams.entities of the card no mention with that text",
      source: `${FORMAT}#mention-support-within-adaptive-cards`,
    },
    {
      id: "chat.card_markup",
      level: "info",
      about:
        "A text of a card has HTML, or Markdown that Teams does not support: it is shown literally",
      source: `${FORMAT}#format-cards-with-markdown`,
    },
  ],
  *find({ payload: { contents = [] } }) {
    for (const { format, json } of contents) {
      if (format !== "chat2.adaptivecard") continue;
      const mentioned = mentionsOf(json);
      for (const placed of walkObjects(json, "card")) {
        yield undefined;
        yield* ofTexts(placed, mentioned);
      }
    }
  },
};

function mentionsOf(json: unknown): ReadonlySet<unknown> {
  const { msteams } = isJsonObject(json) ? json : {};
  const entities = isJsonObject(msteams) ? msteams.entities : undefined;
  return new Set(
    (Array.isArray(entities) ? entities : []).map((entity) => (entity as { text?: unknown })?.text),
  );
}

function* ofTexts({ value, path }: Placed, mentioned: ReadonlySet<unknown>): Generator<Found> {
  const isFact = /\.facts\[\d+\]$/.test(path);
  for (const member of isFact ? FACT : value.type === "TextBlock" ? TEXTS : []) {
    const text = value[member];
    if (typeof text !== "string") continue;
    const where = { part: "card", path: `${path}.${member}` };
    for (const [found] of text.matchAll(MENTION)) {
      if (mentioned.has(found)) continue;
      yield {
        id: "chat.card_mention",
        message: `msteams.entities has no mention with the text ${JSON.stringify(found)}`,
        where,
      };
    }
    const markup = MARKUP.find(([pattern]) => pattern.test(text));
    if (markup === undefined) continue;
    yield { id: "chat.card_markup", message: `Teams does not show ${markup[1]} in a card`, where };
  }
}
