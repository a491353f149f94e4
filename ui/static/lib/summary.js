/** What an item says for itself, in a line. */

import { plainText } from "./chat_markup.js";

/** @import { EventRecord } from "./types.d.ts" */

/** Plugins whose items have no title of their own: what they say is the beginning of their text. */
const UNTITLED = new Set(["sms", "chat"]);

/**
 * The item's own words: its subject, its text, its name.
 * @param {EventRecord} event
 */
export function ownText({ plugin, provider, summary, summary_parts: { title, snippet } }) {
  if (plugin === "chat" && snippet) {
    return plainText(snippet, provider === "chat2" ? "markdown" : "mrkdwn");
  }
  return (UNTITLED.has(plugin) ? snippet : title) || title || summary;
}

/**
 * Who it is from and what else is known, to stand below its own words.
 * @param {EventRecord} event
 */
export function aboutText({ plugin, type, summary_parts: { from, to = [], title, snippet } }) {
  const more = UNTITLED.has(plugin) ? plugin === "chat" ? title : to.join(", ") : snippet;
  return [from, more].filter(Boolean).join(" · ") || type;
}
