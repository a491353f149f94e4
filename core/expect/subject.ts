import type { CapturedEvent } from "../events/event.ts";
import { toHeaderMap } from "../events/view.ts";
import type { ExtractFrom } from "../extract/load.ts";

/** Names that a path may begin with; with any other name it begins in the payload. */
export const ROOTS: readonly string[] = [
  ...["id", "plugin", "provider", "namespace", "type", "received_at", "summary", "summary_parts"],
  ...["meta", "payload", "raw", "text", "codes", "links", "tokens"],
];

/** Those of them that need a look through the event's text. */
const EXTRACTED: ReadonlySet<string> = new Set(["text", "codes", "links", "tokens"]);

/** Whether a name needs a look through the event's text. */
export function isExtracted(name: string): boolean {
  return EXTRACTED.has(name);
}

/** What stands under a name of `ROOTS`. Made when asked for: a payload may be taken apart by being looked at. */
export function rootOf(event: CapturedEvent, name: string, extract: ExtractFrom): unknown {
  switch (name) {
    case "received_at":
      return event.received_at.toISOString();
    case "raw":
      return rawOf(event);
    case "text":
    case "codes":
    case "links":
    case "tokens":
      return extract(event)[name];
    default:
      return event[name as Exclude<keyof CapturedEvent, "received_at" | "raw">];
  }
}

/** The request as conditions see it. Header names in lower case: how they are spelled depends on the HTTP version. */
export function rawOf({ raw }: Pick<CapturedEvent, "raw">): Record<string, unknown> {
  const { body, headers, ...facts } = raw;
  const lower = headers?.map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    ...facts,
    ...(lower === undefined ? {} : { headers: toHeaderMap(lower) }),
    ...(raw.text ? { body_text: new TextDecoder().decode(body) } : {}),
  };
}
