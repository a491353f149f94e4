/** The stream of a channel: messages with their replies nested below. */

/** @import { ChatView, Thread } from "./types.d.ts" */

/**
 * @param {readonly ChatView[]} views newest first
 * @returns {readonly Thread[]} oldest first; a thread stands where its first message does
 */
export function toThreads(views) {
  /** @type {Map<string, { root?: ChatView, replies: ChatView[] }>} */
  const found = new Map();
  for (const view of views.toReversed()) {
    const thread = found.get(view.thread_key) ?? { replies: [] };
    found.set(view.thread_key, thread);
    // If two posts share a ts, the replies belong to the older one.
    if (view.reply || thread.root !== undefined) thread.replies.push(view);
    else thread.root = view;
  }
  return [...found].map(([key, thread]) => ({ key, ...thread })).sort((a, b) =>
    startOf(a) < startOf(b) ? -1 : 1
  );
}

/** Event ids sort by time. @param {Thread} thread */
function startOf({ root, replies }) {
  return root?.id ?? replies[0]?.id ?? "";
}
