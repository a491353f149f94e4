import type { CapturedEvent, EventText } from "../../core/plugin.ts";
import type { ChatMessage } from "./model.ts";

/** Members of blocks, attachments and cards that hold readable text or links. */
const READ = new Set([
  ...["text", "title", "subtitle", "value", "fallback", "pretext", "name", "summary", "label"],
  ...["url", "uri", "title_link", "activityTitle", "activitySubtitle", "activityText"],
]);
/** Maximum number of values visited in one message. */
const MAX_VALUES = 2000;

/** Returns the text, then the texts of blocks, attachments and cards. */
export function textsOfChat(event: CapturedEvent): EventText[] {
  const { text, contents = [], change } = (event as CapturedEvent<ChatMessage>).payload;
  // A deletion repeats the earlier text, and a reaction has none.
  if (change !== undefined && change.kind !== "edit") return [];
  const found = new Set([text]);
  const open: unknown[] = contents.map(({ json }) => json);
  // Breadth-first with a limit, because senders choose the depth of nesting.
  for (let next = 0; next < Math.min(open.length, MAX_VALUES); next++) {
    const value = open[next];
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "string" && READ.has(key)) found.add(inner);
      else if (typeof inner === "object" && open.length < MAX_VALUES) open.push(inner);
    }
  }
  return [...found].map((part) => ({ kind: "plain", text: part }));
}
