/** Presentation of chat messages in reports. */
import type { CapturedEvent, PluginReport, ReportPart, ReportRun } from "../../core/plugin.ts";
import { linesOf, type Markup, runsOf } from "./formatted.ts";
import type { ChatMessage } from "./model.ts";
import { textsOfChat } from "./texts.ts";

/** The message, or its blocks or cards instead; then these as sent. */
export const REPORT: PluginReport = {
  parts(event) {
    const message = (event as CapturedEvent<ChatMessage>).payload;
    const { channel, author, contents = [], ts, thread_ts: thread } = message;
    const markup = markupOf(event);
    const text = textOf(event, markup);
    const parts: ReportPart[] = [
      ...(wordsOf(text) === ""
        ? []
        : [{ kind: "message", from: author.name ?? author.id, text } as const]),
      {
        kind: "facts",
        rows: [
          ["Channel", channel.name ?? channel.id],
          ["Author", author.name ?? author.id],
          ["Message", ts],
          ["Thread", thread],
          ["Change", message.change?.kind],
          ["Reaction", message.change?.reaction],
        ],
      },
    ];
    for (const { blob, filename: name, content_type: type } of message.files ?? []) {
      parts.push({ kind: "file", name, type, blob });
    }
    for (const { format, json } of contents) {
      const source = JSON.stringify(json, null, 2) ?? "";
      parts.push({ kind: "text", label: format, text: source, folded: true });
    }
    return parts;
  },
};

/** Formats that replace the text; all others are shown below it. */
const REPLACING = /^(?:chat1\.blocks$|chat2\.)/;

/** The same rule as in the chat tab. */
function markupOf({ provider, meta }: CapturedEvent): Markup {
  const mode = typeof meta.parse_mode === "string" ? meta.parse_mode : "";
  if (provider === "chat4") return /^markdown/i.test(mode) ? "markdown" : "plain";
  if (provider !== "chat1" || meta.markdown_text !== undefined) return "markdown";
  return meta.mrkdwn === false ? "plain" : "mrkdwn";
}

/**
 * Blocks or cards replace the text, which is then only for notifications or derived from them.
 * Attachments follow the text. All their other texts are included.
 */
function textOf(event: CapturedEvent, markup: Markup): readonly ReportRun[] {
  const message = (event as CapturedEvent<ChatMessage>).payload;
  const own = linesOf(message, markup);
  const isShown = own.length === 0 ||
    message.contents?.some(({ format }) => REPLACING.test(format)) !== true;
  const lines = [...(isShown ? [runsOf(message.text, markup)] : []), ...own];
  const whole = lines.map(wordsOf).join("\n");
  const rest = textsOfChat(event).slice(1).map(({ text }) => runsOf(text, markup))
    .filter((runs) => !whole.includes(wordsOf(runs)));
  return [...lines, ...rest].flatMap((line, at) => at === 0 ? line : [{ text: "\n" }, ...line]);
}

function wordsOf(runs: readonly ReportRun[]): string {
  return runs.map(({ text }) => text).join("");
}
