/** Formatted text of chat messages: the markup of texts, and the texts of blocks, attachments and cards in order. */
import type { ReportRun } from "../../core/plugin.ts";
import type { ChatMessage } from "./model.ts";

/** Markup of a text: Slack's mrkdwn, or the Markdown of cards and of Discord; none for texts with entities. */
export type Markup = "mrkdwn" | "markdown" | "plain";

/** Maximum number of values visited in one message, and how deep they may nest: senders choose. */
const MAX_VALUES = 2000;
const MAX_DEPTH = 20;
/** Longest text that is formatted, in characters; longer ones are shown as they are. */
const MAX_LENGTH = 20_000;

/**
 * A mark must end on its line, and has no effect inside a word. Code comes first, because marks have no effect in it.
 */
const PATTERNS: Readonly<Record<Exclude<Markup, "plain">, RegExp>> = {
  // docs.slack.dev/messaging/formatting-message-text
  mrkdwn: new RegExp(
    "`(?<code>[^`\\n]+)`|<(?<angle>[^<>\\n]{1,4000})>|" +
      [["strong", "\\*"], ["em", "_"], ["strike", "~"]].map(([name, mark]) =>
        `(?<![\\p{L}\\p{N}])${mark}(?<${name}>[^\\s${mark}](?:[^${mark}\\n]*[^\\s${mark}])?)${mark}(?![\\p{L}\\p{N}])`
      ).join("|"),
    "gu",
  ),
  // learn.microsoft.com/adaptive-cards/authoring-cards/text-features
  markdown: new RegExp(
    "`(?<code>[^`\\n]+)`|\\[(?<label>[^\\[\\]\\n]{1,1000})\\]\\((?<href>[^()\\s]{1,2000})\\)|" +
      "\\*\\*(?<strong>[^*\\n]+)\\*\\*|~~(?<strike>[^~\\n]+)~~|" +
      "(?<![\\p{L}\\p{N}])_(?<em>[^_\\n]+)_(?![\\p{L}\\p{N}])",
    "gu",
  ),
};

/** Returns a text as spans without marks; the address follows the text of a link. */
export function runsOf(text: string, markup: Markup): readonly ReportRun[] {
  if (markup === "plain" || text.length > MAX_LENGTH) return [{ text }];
  const plain = markup === "mrkdwn" ? unescape : (part: string) => part;
  const runs: ReportRun[] = [];
  let end = 0;
  for (const match of text.matchAll(PATTERNS[markup])) {
    const before = text.slice(end, match.index);
    if (before !== "") runs.push({ text: plain(before) });
    runs.push(toRun(match.groups ?? {}, plain));
    end = match.index + match[0].length;
  }
  if (end < text.length) runs.push({ text: plain(text.slice(end)) });
  return runs;
}

function toRun(
  { code, angle, label, href, strong, em, strike }: Readonly<Record<string, string | undefined>>,
  plain: (text: string) => string,
): ReportRun {
  if (code !== undefined) return { look: "code", text: plain(code) };
  if (angle !== undefined) return { text: plain(toReference(angle)) };
  if (href !== undefined) return { text: label === href ? href : `${label} (${href})` };
  if (strong !== undefined) return { look: "strong", text: plain(strong) };
  return strike !== undefined
    ? { look: "strike", text: plain(strike) }
    : { look: "em", text: plain(em ?? "") };
}

/** `<@U1>`, `<#C1|name>`, `<!here>`, `<address|label>` */
function toReference(inner: string): string {
  const [target = "", label = ""] = inner.split("|", 2);
  const sign = /^[@#]/.exec(target)?.[0];
  if (sign !== undefined) return `${sign}${label || target.slice(1)}`;
  if (target.startsWith("!")) return label || `@${target.slice(1)}`;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) return `<${inner}>`;
  return label === "" || label === target ? target : `${label} (${target})`;
}

function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Members with readable text. Those of the first set are headings. */
const HEADINGS = new Set(["title", "activityTitle"]);
const TEXTS = new Set(
  [
    "text",
    "pretext",
    "value",
    "activitySubtitle",
    "activityText",
    "footer",
    "altText",
    "alt_text",
    "description",
  ],
);

/** Returns the lines of blocks, attachments and cards, in document order. */
export function linesOf(
  { contents = [] }: Pick<ChatMessage, "contents">,
  markup: Markup,
): readonly (readonly ReportRun[])[] {
  const lines: (readonly ReportRun[])[] = [];
  let left = MAX_VALUES;
  const visit = (value: unknown, depth: number, heading: boolean): void => {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH || left-- <= 0) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth + 1, heading);
      return;
    }
    const about = value as Readonly<Record<string, unknown>>;
    const special = buttonOf(about) ?? factOf(about, markup);
    if (special !== undefined) {
      lines.push(special);
      return;
    }
    const isHeading = heading || about.type === "header" ||
      String(about.weight).toLowerCase() === "bolder";
    for (const [key, inner] of Object.entries(about)) {
      if (typeof inner !== "string") visit(inner, depth + 1, isHeading);
      else if (HEADINGS.has(key) || (TEXTS.has(key) && isHeading)) {
        lines.push([{ look: "strong", text: inner }]);
      } else if (TEXTS.has(key) && inner !== "") lines.push(runsOf(inner, markup));
    }
  };
  for (const { json } of contents) visit(json, 0, false);
  return lines;
}

/** A button of Slack or an action of a card, as `[Roll back]`. */
function buttonOf({ type, text, title }: Readonly<Record<string, unknown>>) {
  if (type !== "button" && !String(type).startsWith("Action.")) return undefined;
  const inner = typeof text === "object" && text !== null ? Reflect.get(text, "text") : undefined;
  const label = inner ?? title;
  return typeof label === "string" ? [{ look: "code", text: label } as const] : undefined;
}

/** A fact of a card or a field of an attachment, in one line. */
function factOf(
  { name, title, value }: Readonly<Record<string, unknown>>,
  markup: Markup,
): readonly ReportRun[] | undefined {
  const label = name ?? title;
  if (typeof label !== "string" || typeof value !== "string") return undefined;
  return [{ look: "strong", text: `${label} ` }, ...runsOf(value, markup)];
}
