import type { Static } from "@sinclair/typebox";
import { Base64Text, type LongText, Utf8Text } from "../bytes/long_text.ts";
import { compact } from "../compact.ts";
import type { ExtractFrom } from "../extract/load.ts";
import { Type } from "../shape_type.ts";
import type { CapturedEvent, HeaderPairs, RawRecord } from "./event.ts";

/** JSON shape of a raw record. */
export const RawShape = Type.Object({
  transport: Type.String({ description: "http, tcp, udp, smtp, ftp or ssh" }),
  text: Type.Boolean({ description: "Whether the body is text" }),
  size: Type.Integer({ description: "Size of the body in bytes, even if the body is omitted" }),
  peer_addr: Type.Optional(Type.String({ description: "Address and port of the sender" })),
  http_version: Type.Optional(Type.String({ description: "1.0, 1.1 or 2" })),
  method: Type.Optional(Type.String({ description: "HTTP method" })),
  path: Type.Optional(Type.String({ description: "As sent, query included" })),
  headers: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()), {
    description: "Header fields by name, with all values of each",
  })),
  client_certificate: Type.Optional(Type.Object({
    subject: Type.String(),
    issuer: Type.String(),
    serial: Type.String(),
    not_before: Type.String(),
    not_after: Type.String(),
    fingerprint: Type.String({ description: "SHA-256, upper-case hex with colons" }),
  }, { description: "Shown in the TLS handshake; none of it has been verified" })),
  body: Type.Optional(Type.String({ description: "Base64; omitted in lists", format: "byte" })),
  body_text: Type.Optional(Type.String({ description: "The body decoded, if it is text" })),
}, { $id: "events.Raw" });

/** JSON shape of codes and links found in the text of an event. */
export const ExtractedShape = Type.Object({
  codes: Type.Array(Type.String(), { description: "One-time codes, the most likely first" }),
  links: Type.Array(Type.String(), { description: "Addresses, in order" }),
  tokens: Type.Array(Type.String(), {
    description:
      "Values in links that identify the recipient, and other words that can only be tokens",
  }),
}, { $id: "events.Extracted", description: "Found in the text of the event, if it has any" });

/** Properties of every event, however much of it is shown. */
export const EVENT_HEAD = {
  id: Type.String({ description: "Sorts by time of capture" }),
  plugin: Type.String({ description: "Plugin that captured it" }),
  provider: Type.String({ description: "Provider that captured it" }),
  namespace: Type.Optional(
    Type.String({ description: "Namespace of its sender, if one is named or a rule derives one" }),
  ),
  type: Type.String({ description: "Kind of item, such as mail.message" }),
  received_at: Type.String({ description: "Time of capture", format: "date-time" }),
  summary: Type.String({ description: "One line, at most 200 characters" }),
  summary_parts: Type.Object({
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.Array(Type.String())),
    title: Type.Optional(Type.String()),
    snippet: Type.Optional(Type.String()),
  }, {
    description: "Parts of the summary: sender, recipients, title, and beginning of the content",
  }),
};

/** JSON shape of the generic event record. */
export const EventShape = Type.Object({
  ...EVENT_HEAD,
  meta: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: "What the provider recorded in addition to the payload",
  })),
  payload: Type.Optional(Type.Unknown({ description: "The item, in the shape of its type" })),
  raw: RawShape,
  url: Type.Optional(
    Type.String({ description: "Page of the event in the browser UI", format: "uri" }),
  ),
  extracted: Type.Optional(ExtractedShape),
}, { $id: "events.Event" });

/** The generic event record, as read. */
export type EventView = Static<typeof EventShape>;

/** The same before it is written: bytes become text only then. */
export type UnwrittenEvent = Omit<EventView, "raw"> & { readonly raw: UnwrittenRaw };

type UnwrittenRaw = Omit<EventView["raw"], "body" | "body_text"> & {
  readonly body?: LongText;
  readonly body_text?: LongText;
};

/** Options of a view: how much of the raw body it includes. */
export type RawDetail = "none" | "body" | "full";

/** The one serialisation of an event, for lists, single fetches and streams. */
export function toEventView(
  event: CapturedEvent,
  options: { url: string; raw: RawDetail; extract?: ExtractFrom | undefined },
): UnwrittenEvent {
  return {
    id: event.id,
    plugin: event.plugin,
    provider: event.provider,
    ...compact({ namespace: event.namespace }),
    type: event.type,
    received_at: event.received_at.toISOString(),
    summary: event.summary,
    summary_parts: toParts(event),
    ...compact({ meta: isEmpty(event.meta) ? undefined : event.meta, payload: event.payload }),
    raw: toRawView(event.raw, options.raw),
    url: options.url,
    ...toExtracted(event, options.extract),
  };
}

/** Returns what `extract` finds in the text of the event; nothing for an event without text. */
export function toExtracted(
  event: CapturedEvent,
  extract: ExtractFrom | undefined,
): { readonly extracted?: Static<typeof ExtractedShape> } {
  const found = extract?.(event);
  if (found === undefined || found.text === "") return {};
  const { codes, links, tokens } = found;
  return { extracted: { codes: [...codes], links: [...links], tokens: [...tokens] } };
}

function toParts({ summary_parts: parts }: CapturedEvent): EventView["summary_parts"] {
  return {
    ...compact({
      from: parts.from || undefined,
      to: parts.to && parts.to.length > 0 ? [...parts.to] : undefined,
      title: parts.title || undefined,
      snippet: parts.snippet || undefined,
    }),
  };
}

function toRawView(raw: RawRecord, detail: RawDetail): UnwrittenRaw {
  return {
    transport: raw.transport,
    text: raw.text,
    size: raw.body.length,
    ...compact({
      peer_addr: raw.peer_addr,
      http_version: raw.http_version,
      method: raw.method,
      path: raw.path,
      headers: raw.headers === undefined ? undefined : toHeaderMap(raw.headers),
      client_certificate: raw.client_certificate,
      body: detail === "none" ? undefined : new Base64Text(raw.body),
      body_text: detail === "full" && raw.text ? new Utf8Text(raw.body) : undefined,
    }),
  };
}

/** Values by name, spelled and ordered as received. */
export function toHeaderMap(pairs: HeaderPairs): Record<string, string[]> {
  // No prototype: a sender may call a header `__proto__`.
  const map: Record<string, string[]> = Object.create(null);
  for (const [name, value] of pairs) (map[name] ??= []).push(value);
  return map;
}

function isEmpty(meta: Readonly<Record<string, unknown>>): boolean {
  for (const _ in meta) return false;
  return true;
}
