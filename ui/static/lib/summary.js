/** One-line summaries of items. */

import { plainText } from "./chat_markup.js";

/** @import { EventRecord } from "./types.d.ts" */

/** Plugins whose items have no title; the beginning of their text is shown. */
const UNTITLED = new Set(["sms", "chat"]);

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
  return (UNTITLED.has(plugin) ? snippet : title) || title || summary;
}

/**
 * Returns the sender and other facts, shown below the subject.
 * @param {EventRecord} event
 */
export function aboutText({ plugin, type, summary_parts: { from, to = [], title, snippet } }) {
  const more = UNTITLED.has(plugin) ? plugin === "chat" ? title : to.join(", ") : snippet;
  return [from, more].filter(Boolean).join(" · ") || type;
}
