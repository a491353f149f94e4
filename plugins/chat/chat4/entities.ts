/** Formats of a text, found by each parse mode: https://core.telegram.org/bots/api#messageentity */
import { mentionedUser, readLink } from "./links.ts";
import { fail } from "./refusals.ts";

/** A part of a text with a format: https://core.telegram.org/bots/api#messageentity */
export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
  readonly custom_emoji_id?: string;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly unix_time?: number;
  readonly date_time_format?: string;
}

/** A text without marks. */
export interface Formatted {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** Position as the vendor counts it. */
export function bytesAt(text: string, index: number): number {
  return new TextEncoder().encode(text.slice(0, index)).length;
}

/** Refuses a text. */
export function cannot(reason: string): never {
  return fail(`can't parse entities: ${reason}`);
}

/** Returns what a link adds to its text; `undefined` if it is none. */
export function linkMembers(url: string): Pick<Entity, "type" | "url" | "user"> | undefined {
  const id = mentionedUser(url);
  if (id !== undefined) {
    return { type: "text_mention", user: { id, is_bot: false, first_name: `User ${id}` } };
  }
  const link = readLink(url);
  return "url" in link ? { type: "text_link", url: link.url } : undefined;
}

/** Returns the entities in the vendor's order: by their begin, and longer ones first. */
export function inOrder(entities: readonly Entity[]): readonly Entity[] {
  return entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
}

/** Checks a format of a time: https://core.telegram.org/bots/api#date-time-entity-formatting */
export function isTimeFormat(format: string): boolean {
  return /^(?:[rR]|[tTdDwW]*)$/.test(format);
}
