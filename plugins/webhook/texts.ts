import type { CapturedEvent, EventText } from "../../core/plugin.ts";
import type { WebhookRequest } from "./model.ts";

/** Maximum number of texts searched for codes and links. */
const MAX_TEXTS = 500;

/** Returns the values of the query, then the text of the body, or the fields of its form. */
export function textsOfRequest(event: CapturedEvent): EventText[] {
  const { query, text, form, parts = [], json } = (event as CapturedEvent<WebhookRequest>).payload;
  const fields = form ?? {};
  const body = json !== undefined
    ? stringsOf(json)
    : form !== undefined
    ? linesOf(fields)
    : text === undefined
    ? parts.flatMap((part) => part.text ?? [])
    : [text];
  return [...linesOf(query), ...body].slice(0, MAX_TEXTS)
    .map((text) => ({ kind: "plain", text }));
}

function linesOf(values: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(values).flatMap(([name, list]) => list.map((value) => `${name}: ${value}`));
}

/** Texts and numbers of JSON, each after its name. */
function stringsOf(json: unknown, name = ""): string[] {
  const waiting: (readonly [name: string, value: unknown])[] = [[name, json]];
  const found: string[] = [];
  while (waiting.length > 0 && found.length < MAX_TEXTS) {
    const [name, value] = waiting.pop()!;
    if (typeof value === "string" || typeof value === "number") {
      found.push(name === "" ? String(value) : `${name}: ${value}`);
    } else if (typeof value === "object" && value !== null) {
      const entries = Array.isArray(value)
        ? value.slice(0, MAX_TEXTS).map((item) => [name, item] as const)
        : Object.entries(value).slice(0, MAX_TEXTS);
      for (const entry of entries.toReversed()) waiting.push(entry);
    }
  }
  return found;
}
