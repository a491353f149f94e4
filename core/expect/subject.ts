import type { Finding } from "../checks/model.ts";
import type { CapturedEvent } from "../events/event.ts";
import { toHeaderMap } from "../events/view.ts";
import type { ExtractFrom } from "../extract/load.ts";

/** First names of paths; any other name begins in the payload. */
export const ROOTS: readonly string[] = [
  ...["id", "plugin", "provider", "namespace", "type", "received_at", "summary", "summary_parts"],
  ...["meta", "payload", "raw", "text", "codes", "links", "tokens", "checks"],
];

/** Names that need a search of the event's text. */
const EXTRACTED: ReadonlySet<string> = new Set(["text", "codes", "links", "tokens"]);

/** Returns whether a name needs a search of the event's text. */
export function isExtracted(name: string): boolean {
  return EXTRACTED.has(name);
}

/** What the values of names are computed with. */
export interface Sources {
  readonly extract: ExtractFrom;
  /** Findings of an event, once computed. */
  readonly findings: (event: CapturedEvent) => readonly Finding[];
  /** The request of an event. */
  readonly raw: (event: CapturedEvent) => Readonly<Record<string, unknown>>;
}

/** Returns the value of a name in `ROOTS`, on demand: reading a payload may parse it. */
export function rootOf(
  event: CapturedEvent,
  name: string,
  { extract, findings, raw }: Sources,
): unknown {
  switch (name) {
    case "received_at":
      return event.received_at.toISOString();
    case "raw":
      return raw(event);
    case "text":
    case "codes":
    case "links":
    case "tokens":
      return extract(event)[name];
    case "checks":
      return findings(event);
    default:
      return event[name as Exclude<keyof CapturedEvent, "received_at" | "raw">];
  }
}

/** The request for conditions. Header names are in lower case, because their spelling depends on the HTTP version. */
export function rawOf({ raw }: Pick<CapturedEvent, "raw">): Record<string, unknown> {
  const { body, headers, ...facts } = raw;
  const lower = headers?.map(([name, value]) => [name.toLowerCase(), value] as const);
  const about: Record<string, unknown> = {
    ...facts,
    ...(lower === undefined ? {} : { headers: toHeaderMap(lower) }),
  };
  if (!raw.text) return about;
  // Decoded on demand: a body may be long.
  let decoded: Decoded | undefined;
  return Object.defineProperty(about, "body_text", {
    enumerable: true,
    get: () => (decoded ??= decodedOf(body)).text,
  });
}

interface Decoded {
  readonly text: string;
}

/** By body, while it is in use: many expectations may inspect the same events at the same time. */
const decodedBodies = new WeakMap<Uint8Array, WeakRef<Decoded>>();

function decodedOf(body: Uint8Array): Decoded {
  const known = decodedBodies.get(body)?.deref();
  if (known !== undefined) return known;
  const decoded = { text: new TextDecoder().decode(body) };
  decodedBodies.set(body, new WeakRef(decoded));
  return decoded;
}
