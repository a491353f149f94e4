/** Events as rows, and the arguments that select them. */
import { compact } from "../compact.ts";
import type { Arguments } from "./tool.ts";
import { shownName } from "../options/suggest.ts";
import { ToolError } from "./api.ts";
import { isObject } from "./message.ts";

/** Parameters that select events, the same in every tool. */
export const SELECTION: readonly string[] = [
  ...["plugin", "provider", "namespace", "type", "search", "since", "after"],
  ...["checks", "text", "has"],
];

/**
 * Returns the query parameters: the arguments, with the filters of the plugin. Throws `ToolError`.
 */
export function toValues({ filters, ...args }: Arguments): Record<string, unknown> {
  const own = isObject(filters) ? filters : {};
  for (const [name, value] of Object.entries(own)) {
    if (["string", "number", "boolean"].includes(typeof value)) continue;
    throw new ToolError(
      `Cannot use filter ${shownName(name)}: expected text, a number, true or false`,
    );
  }
  return { ...own, ...args };
}

/** Returns the parts of an event that distinguish it, with the id for reading the rest. */
export function toRow(event: unknown): object {
  if (!isObject(event)) return {};
  const { id, type, provider, namespace, received_at, summary, summary_parts, extracted } = event;
  const { snippet: _snippet, ...parts } = isObject(summary_parts) ? summary_parts : {};
  return {
    id,
    type,
    provider,
    received_at,
    summary,
    ...parts,
    ...compact({ namespace, extracted }),
  };
}

/** Returns a list as rows. */
export function toRows(events: unknown): object[] {
  return Array.isArray(events) ? events.map(toRow) : [];
}
