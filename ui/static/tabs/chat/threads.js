/** The stream of a channel: messages with their changes and replies nested below. */

/** @import { ChatView, Thread } from "./types.d.ts" */
/** @typedef {{ root?: ChatView, replies: ChatView[], changes: Map<string, ChatView[]> }} Gathered */

/**
 * @param {readonly ChatView[]} views newest first
 * @returns {readonly Thread[]} oldest first; a thread is placed at its first message
 */
export function toThreads(views) {
  /** @type {Map<string, Gathered>} */
  const found = new Map();
  for (const view of views.toReversed()) {
    /** @type {Gathered} */
    const thread = found.get(view.thread_key) ?? { replies: [], changes: new Map() };
    found.set(view.thread_key, thread);
    const { change, ts = "" } = view.message;
    if (change !== undefined) {
      thread.changes.set(ts, [...thread.changes.get(ts) ?? [], view]);
    } else if (view.reply || thread.root !== undefined) {
      // If two posts share a ts, the replies belong to the older one.
      thread.replies.push(view);
    } else thread.root = view;
  }
  return [...found].map(([key, thread]) => ({ key, ...thread })).sort((a, b) =>
    startOf(a) < startOf(b) ? -1 : 1
  );
}

/**
 * Returns the changes whose messages are not among those shown, oldest first.
 * @param {Thread} thread
 * @returns {readonly ChatView[]}
 */
export function lostChanges({ root, replies, changes }) {
  const shown = new Set([root, ...replies].map((view) => view?.message.ts));
  return [...changes].flatMap(([ts, views]) => shown.has(ts) ? [] : views);
}

/** Event ids sort by time. @param {Thread} thread */
function startOf({ root, replies, changes }) {
  return root?.id ?? replies[0]?.id ?? [...changes.values()][0]?.[0]?.id ?? "";
}
