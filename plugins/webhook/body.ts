/**
 * Parses bodies of any kind: text, JSON, forms and multiparts. Unparsable content is only in the
 * raw body.
 */
import { concat } from "../../core/bytes/concat.ts";
import { WireError } from "../../core/bytes/decoder.ts";
import { runToEnd, type Steps } from "../../core/bytes/steps.ts";
import { isText } from "../../core/bytes/text.ts";
import { decodeForm } from "../../core/codec/form.ts";
import { parseJson } from "../../core/codec/json_lenient.ts";
import { findDecoder } from "../../core/codec/mime/charset.ts";
import { type Entity, parseEntity } from "../../core/codec/mime/entity.ts";
import { parseParameterized } from "../../core/codec/mime/parameters.ts";
import { decodeTransfer } from "../../core/codec/mime/transfer.ts";
import { Warnings } from "../../core/codec/mime/warnings.ts";
import { compact } from "../../core/compact.ts";
import type { WebhookPart, WebhookRequest } from "./model.ts";

/** Longest body, in bytes, that an event also has as text. */
const MAX_TEXT = 1_048_576;
/** Longest part, in bytes, that an event has as text. */
const MAX_PART_TEXT = 65_536;
/** Maximum number of parsed parts. */
const MAX_PARTS = 200;

/** The readable content of a body. */
export interface BodyContent
  extends Pick<WebhookRequest, "content_type" | "text" | "json" | "form" | "parts"> {
  /** Faults of the body, one sentence each. */
  readonly warnings: readonly string[];
}

/** Parses a body by its media type. Never fails. */
export function readContent(body: Uint8Array, contentType: string | null): BodyContent {
  const warnings = new Warnings();
  const type = parseParameterized(contentType ?? "", warnings);
  const content_type = type.value.toLowerCase() || undefined;
  const content = body.length === 0
    ? {}
    : content_type?.startsWith("multipart/")
    ? readMultipart(body, contentType!, warnings)
    : readText(body, { type: content_type, charset: type.parameters.get("charset"), warnings });
  return { ...compact({ content_type }), ...content, warnings: warnings.list };
}

function readText(
  body: Uint8Array,
  { type = "", charset, warnings }: {
    type: string | undefined;
    charset: string | undefined;
    warnings: Warnings;
  },
): Pick<BodyContent, "text" | "json" | "form"> {
  const decoder = charset === undefined ? undefined : findDecoder(charset);
  if (body.length > MAX_TEXT || (decoder === undefined && !isText(body))) return {};
  const text = (decoder ?? new TextDecoder()).decode(body);
  const isJson = /[/+]json$/.test(type);
  try {
    if (type === "application/x-www-form-urlencoded") {
      return { text, form: byName(decodeForm(body).pairs) };
    }
    if (isJson || /^\s*[[{]/.test(text)) return { text, json: parseJson(text) };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    // Other text may begin like JSON.
    if (isJson || type.startsWith("application/x-www")) warnings.add(error.message);
  }
  return { text };
}

function readMultipart(
  body: Uint8Array,
  contentType: string,
  warnings: Warnings,
): Pick<BodyContent, "form" | "parts"> {
  const parts = splitBody(body, contentType, warnings);
  const fields = parts.flatMap(({ about: { name, filename, text } }) =>
    name !== undefined && filename === undefined && text !== undefined
      ? [[name, text] as const]
      : []
  );
  return {
    ...(fields.length > 0 && { form: byName(fields) }),
    ...(parts.length > 0 && { parts: parts.map(({ about }) => about) }),
  };
}

/** One part, with its bytes decoded. */
export interface BodyPart {
  readonly about: WebhookPart;
  readonly bytes: Uint8Array;
}

/** Returns the leaves of a multipart body, in order. */
export function splitBody(
  body: Uint8Array,
  contentType: string,
  warnings: Warnings = new Warnings(),
): readonly BodyPart[] {
  const head = new TextEncoder().encode(
    `content-type: ${contentType.replace(/[\r\n]/g, " ")}\r\n\r\n`,
  );
  return runToEnd(readParts(concat([head, body]), warnings));
}

function* readParts(message: Uint8Array, warnings: Warnings): Steps<BodyPart[]> {
  const entity = yield* parseEntity(message, warnings, { maxParts: MAX_PARTS });
  const parts: BodyPart[] = [];
  for (const leaf of leavesOf(entity)) {
    const bytes = yield* decodeTransfer(leaf.body, leaf.encoding, warnings);
    parts.push({ about: describe(leaf, bytes), bytes });
  }
  return parts;
}

function leavesOf({ parts }: Entity): readonly Entity[] {
  return parts.flatMap((part) => part.parts.length > 0 ? leavesOf(part) : [part]);
}

function describe({ contentType, disposition }: Entity, bytes: Uint8Array): WebhookPart {
  const name = disposition.parameters.get("name");
  const filename = disposition.parameters.get("filename") ?? contentType.parameters.get("name");
  const isShort = bytes.length <= MAX_PART_TEXT && filename === undefined && isText(bytes);
  return {
    ...compact({ name, filename }),
    content_type: contentType.value,
    size: bytes.length,
    ...(isShort && { text: new TextDecoder().decode(bytes) }),
  };
}

/** Groups values by name, in order. */
export function byName(
  pairs: Iterable<readonly [name: string, value: string]>,
): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = found.get(name);
    if (known === undefined) found.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries(found);
}
