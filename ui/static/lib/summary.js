/** One-line summaries of items. */

import { plainText } from "./chat_markup.js";
import { formatSize } from "./format.js";

/** @import { EventRecord } from "./types.d.ts" */

/** Plugins whose items have no title; the beginning of their text is shown. */
const UNTITLED = new Set(["sms", "chat"]);
/** Plugins whose snippets repeat the title, a path or a key. */
const NAMED = new Set(["files", "s3"]);

/**
 * Returns the markup of a chat provider's texts.
 * @param {string} provider
 * @returns {"mrkdwn" | "markdown" | "plain"}
 */
export function markupOfProvider(provider) {
  if (provider === "chat1") return "mrkdwn";
  return provider === "chat4" ? "plain" : "markdown";
}

/**
 * Returns the subject, text or name of an item.
 * @param {EventRecord} event
 */
export function ownText({ plugin, provider, summary, summary_parts: { title, snippet } }) {
  const markup = plugin === "chat" ? markupOfProvider(provider) : "plain";
  if (snippet && markup !== "plain") return plainText(snippet, markup);
  if (plugin === "mail" && !title?.trim()) return "(no subject)";
  return (UNTITLED.has(plugin) ? snippet : title) || title || summary;
}

/**
 * Returns the sender and other facts, shown below the subject.
 * @param {EventRecord} event
 */
export function aboutText({ plugin, type, summary_parts: { from, to = [], title, snippet } }) {
  const more = UNTITLED.has(plugin)
    ? plugin === "chat" ? title : to.join(", ")
    : NAMED.has(plugin) && snippet && title
    ? withoutTitle(snippet, title)
    : snippet;
  return [from, more].filter(Boolean).join(" · ") || type;
}

/**
 * Returns the snippet of a file or object without its name, which the title already has: `stored, 5 B`.
 * @param {string} snippet such as `stored s3://box/a.txt (5 bytes)`
 * @param {string} title
 */
function withoutTitle(snippet, title) {
  const at = snippet.indexOf(title);
  const verb = /^([a-z]+(?: [a-z]+)?) (?:s3:\/\/)?$/.exec(snippet.slice(0, Math.max(0, at)))?.[1];
  const rest = /^(?: \((?:(\d+) bytes|(.+))\))?$/.exec(snippet.slice(at + title.length));
  if (verb === undefined || rest === null) return snippet;
  const size = rest[1] === undefined ? rest[2] : formatSize(Number(rest[1]));
  return [verb, size].filter(Boolean).join(", ");
}
