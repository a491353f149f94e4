/**
 * Posts to an incoming webhook of either generation: connectors take a MessageCard or a bare text, workflows a message
 * with cards attached. The body decides, not the path.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeText, isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import {
  elementSpans,
  type JsonSpan,
  memberSpans,
  scanJson,
  sliceJson,
} from "../../../core/codec/json_span.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import type { DraftContent } from "../capture.ts";
import { textOfCard } from "./readable_text.ts";
import { REFUSALS, type VendorRefusal } from "./reply.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Post {
  readonly generation: "connector" | "workflow";
  readonly text: string;
  readonly contents: readonly DraftContent[];
  /** Named by the first section of the card. */
  readonly author: { readonly name: string; readonly icon_url: string };
  readonly meta: Readonly<Record<string, unknown>>;
}

const NOBODY = { name: "", icon_url: "" };

/** `application/vnd.microsoft.card.adaptive`, with any vendor's name. */
const ADAPTIVE_CARD = /^application\/vnd\.[^.]+\.card\.adaptive$/i;
/** A MessageCard attached to a message. */
const CONNECTOR_CARD = /^application\/vnd\.[^.]+\.teams\.card\.o365connector$/i;

/** Parses a body of either generation. */
export function readPost(
  body: Uint8Array,
  contentType: string | null,
): Result<Post, VendorRefusal> {
  let text: string | undefined;
  let value: unknown;
  try {
    text = decodeText(body, contentType);
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  if (text === undefined) return failure(REFUSALS.badPayload);
  if (!isJsonObject(value)) {
    const isPlain = /^text\/plain\b/i.test(contentType ?? "");
    return isPlain ? readPlain(text) : failure(REFUSALS.badPayload);
  }
  const root = scanJson(text);
  const isCard = value["@type"] === "MessageCard";
  if (!isCard && (value.type === "message" || Array.isArray(value.attachments))) {
    return readMessage({ text, root, value });
  }
  return readCard({ text, root, value });
}

/** Parses the body for a workflow: any JSON starts it, and its steps decide how to use it. */
export function readWorkflow(
  body: Uint8Array,
  contentType: string | null,
): Result<Post, VendorRefusal> {
  const post = readPost(body, contentType);
  if (post.ok) return success({ ...post.value, generation: "workflow" });
  try {
    const text = decodeText(body, contentType).trim();
    parseJson(text);
    return success({ generation: "workflow", text, contents: [], author: NOBODY, meta: {} });
  } catch (error) {
    if (error instanceof WireError) return failure(REFUSALS.badContent);
    throw error;
  }
}

function readPlain(text: string): Result<Post, VendorRefusal> {
  if (text.trim() === "") return failure(REFUSALS.nothing);
  return success({ generation: "connector", text, contents: [], author: NOBODY, meta: {} });
}

interface Body {
  readonly text: string;
  readonly root: JsonSpan;
  readonly value: Json;
}

/** Parses a MessageCard or a bare text. */
function readCard({ text, root, value }: Body): Result<Post, VendorRefusal> {
  const given = asText(value.text) || asText(value.summary);
  const structured = value["@type"] === "MessageCard" || asText(value.title) !== "" ||
    Array.isArray(value.sections);
  const readable = given || textOfCard(value);
  const isEmpty = readable === "" && !Array.isArray(value.sections);
  // Refuses cards of other kinds, such as an Adaptive Card without its message.
  if (isEmpty || (asText(value.type) !== "" && !structured && given === "")) {
    return failure(REFUSALS.nothing);
  }
  return success({
    generation: "connector",
    text: readable,
    contents: structured ? [{ format: "chat2.messagecard", json: sliceJson(text, root) }] : [],
    author: authorOf(value),
    meta: pick(value, {
      context: "@context",
      ...(asText(value.text) === "" ? {} : { summary: "summary" }),
      theme_color: "themeColor",
      potential_action: "potentialAction",
    }),
  });
}

/** `{"type":"message","attachments":[{contentType,content}]}` */
function readMessage({ text, root, value }: Body): Result<Post, VendorRefusal> {
  const attachments = Array.isArray(value.attachments) ? value.attachments : [];
  const span = memberSpans(text, root).get("attachments");
  const spans = span === undefined ? [] : elementSpans(text, span);
  const contents: DraftContent[] = [];
  const others: string[] = [];
  for (const [index, attachment] of attachments.entries()) {
    if (!isJsonObject(attachment)) return failure(REFUSALS.badPayload);
    const type = asText(attachment.contentType);
    const format = formatOf(type);
    const content = memberSpans(text, spans[index]!).get("content");
    if (format === undefined) others.push(type);
    else if (content === undefined || !isJsonObject(attachment.content)) {
      return failure(REFUSALS.badPayload);
    } else contents.push({ format, json: sliceJson(text, content) });
  }
  const given = asText(value.text) || asText(value.summary);
  if (given === "" && attachments.length === 0) return failure(REFUSALS.nothing);
  const cards = attachments.map((item) => isJsonObject(item) ? item.content : undefined);
  return success({
    generation: "workflow",
    text: given || textOfCard(cards),
    contents,
    author: NOBODY,
    meta: {
      ...(asText(value.text) !== "" && pick(value, { summary: "summary" })),
      ...(others.length > 0 && { other_attachments: others }),
    },
  });
}

function formatOf(contentType: string): DraftContent["format"] | undefined {
  if (ADAPTIVE_CARD.test(contentType)) return "chat2.adaptivecard";
  return CONNECTOR_CARD.test(contentType) ? "chat2.messagecard" : undefined;
}

function authorOf(card: Json): Post["author"] {
  const section = Array.isArray(card.sections) ? card.sections[0] : undefined;
  if (!isJsonObject(section)) return NOBODY;
  return { name: asText(section.activityTitle), icon_url: asText(section.activityImage) };
}

function pick(value: Json, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const [name, source] of Object.entries(names)) {
    if (value[source] !== undefined && value[source] !== null) meta[name] = value[source];
  }
  return meta;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
