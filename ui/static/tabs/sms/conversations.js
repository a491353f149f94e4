/** Messages grouped by their two numbers. */

/** @import { Conversation, SmsView } from "./types.d.ts" */

/**
 * @param {readonly SmsView[]} views newest first
 * @returns {readonly Conversation[]} the most recently used first
 */
export function toConversations(views) {
  /** @type {Map<string, { them: string, us: string, newest: SmsView, messages: SmsView[] }>} */
  const found = new Map();
  for (const view of views) {
    const { them, us } = partiesOf(view);
    const id = JSON.stringify([us, them]);
    const known = found.get(id);
    if (known === undefined) found.set(id, { them, us, newest: view, messages: [view] });
    else known.messages.push(view);
  }
  return [...found].map(([id, { messages, ...about }]) => ({
    id,
    ...about,
    messages: messages.reverse(),
  }));
}

/**
 * Returns the outside number, and the application's own.
 * @param {SmsView} view
 */
export function partiesOf({ message }) {
  const sender = message.from ?? message.messaging_service ?? "";
  return message.direction === "inbound"
    ? { them: sender, us: message.to }
    : { them: message.to, us: sender };
}

/**
 * Splits a body into its segments.
 * @param {string} body
 * @param {readonly number[]} ends
 * @returns {readonly string[]}
 */
export function cutAt(body, ends) {
  const cuts = [0, ...ends, body.length];
  return cuts.slice(1).map((end, i) => body.slice(cuts[i], end));
}

/**
 * Returns a character with its number.
 * @param {string} character
 */
export function nameOf(character) {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
