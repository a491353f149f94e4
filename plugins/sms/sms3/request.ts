/**
 * Messages of both APIs: https://developer.vonage.com/en/api/sms (form or JSON) and
 * https://developer.vonage.com/en/api/messages (JSON). Pure.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm } from "../../../core/codec/form.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";
import { ownValue } from "../../../core/own.ts";
import { attempt, Refused, type Result } from "../../../core/result.ts";
import type { DraftMedia, SmsDraft } from "../capture.ts";
import { invalid, missing, REFUSALS, type VendorRefusal } from "./reply.ts";

/** A message to capture. */
export interface SendRequest {
  readonly draft: SmsDraft;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Credentials in the body, which the SMS API also accepts. */
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
  /** Whether the request has a signature instead of the secret. */
  readonly signed: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const NUMBER = /^\+?\d{7,15}$/;
const MAX_TEXT = 3200;
const TYPES = ["text", "unicode", "binary"];
/** Members of the SMS API that go to `meta`, in snake case. */
const SETTINGS = [
  "type",
  "ttl",
  "status-report-req",
  "callback",
  "message-class",
  "udh",
  "protocol-id",
  "client-ref",
  "account-ref",
  "entity-id",
  "content-id",
];
/** Types of the messages of a channel, and the longest text, in characters. */
interface Channel {
  readonly types: readonly string[];
  readonly maxText?: number;
}

/** As in the models of the vendor's package for Python (vonage-messages), and `reaction` in that for Node. */
const CHANNELS: Readonly<Record<string, Channel>> = {
  sms: { types: ["text"], maxText: MAX_TEXT },
  mms: { types: ["text", "image", "vcard", "audio", "video", "file", "content"] },
  rcs: {
    types: ["text", "image", "video", "file", "card", "carousel", "custom"],
    maxText: 3072,
  },
  whatsapp: {
    types: "text image audio video file template sticker custom reaction".split(" "),
    maxText: 4096,
  },
  viber_service: { types: ["text", "image", "video", "file"], maxText: 1000 },
  messenger: { types: ["text", "image", "audio", "video", "file"], maxText: 640 },
};
/** Longest reference of the client. */
const MAX_REFERENCE = 100;
/** Types of messages that are a link to a file. */
const MEDIA_TYPES = ["image", "audio", "video", "file", "vcard", "sticker"];

/** Reads `POST /sms/json`. */
export function readSms(
  body: Uint8Array,
  contentType: string | null,
): Result<SendRequest, VendorRefusal> {
  return attempt(() => {
    const isJson = /^application\/json\b/i.test(contentType ?? "");
    const fields = isJson && !looksLikeForm(body) ? readObject(body, contentType) : readForm(body);
    const text = (name: string) => {
      const value = fields[name];
      if (value === undefined || value === null || value === "") return undefined;
      // An object may have its own `toString`.
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    };
    const from = text("from") ?? fail(missing("from"));
    const to = readNumber(text("to"));
    const type = text("type") ?? "text";
    if (!TYPES.includes(type)) fail(invalid("type", `must be one of ${TYPES.join(", ")}`));
    const name = type === "binary" ? "body" : "text";
    const content = text(name) ?? fail(missing(name));
    if ([...content].length > MAX_TEXT) {
      fail(invalid(name, `is longer than ${MAX_TEXT} characters`));
    }
    if (type === "binary" && !/^([0-9a-f]{2})+$/i.test(content)) {
      fail(invalid(name, "is not hexadecimal"));
    }
    const settings = SETTINGS.map((name) => [name.replaceAll("-", "_"), text(name)] as const);
    return {
      draft: { from, to, body: content, media: [] },
      meta: compact({ api: "sms", ...Object.fromEntries(settings) }),
      key: text("api_key"),
      secret: text("api_secret"),
      signed: text("sig") !== undefined,
    };
  });
}

/** Reads `POST /v1/messages`. */
export function readMessage(
  body: Uint8Array,
  contentType: string | null,
): Result<SendRequest, VendorRefusal> {
  return attempt(() => {
    const fields = readObject(body, contentType);
    const channel = readText(fields, "channel");
    const { types, maxText = Infinity } = ownValue(CHANNELS, channel) ??
      fail(invalid("channel", `must be one of ${Object.keys(CHANNELS).join(", ")}`));
    const type = readText(fields, "message_type");
    if (!types.includes(type)) {
      fail(invalid("message_type", `must be one of ${types.join(", ")}`));
    }
    const to = readText(fields, "to");
    // Other channels have numbers.
    const number = channel === "messenger" ? to : readNumber(to);
    const { media, caption } = readMedia(fields, type);
    const text = type === "text" ? readText(fields, "text") : caption;
    if (type === "text" && isLonger(text, maxText)) {
      fail(invalid("text", `must be at most ${maxText} characters`));
    }
    const reference = fields.client_ref;
    if (typeof reference === "string" && isLonger(reference, MAX_REFERENCE)) {
      fail(invalid("client_ref", `must be at most ${MAX_REFERENCE} characters`));
    }
    const { message_type, channel: _, to: _to, from: _from, text: _text, ...rest } = fields;
    return {
      draft: {
        from: readText(fields, "from"),
        to: channel === "sms" || channel === "mms" ? number : `${channel}:${number}`,
        body: text,
        media,
      },
      meta: { api: "messages", channel, message_type, ...rest },
      signed: false,
    };
  });
}

interface Media {
  readonly media: readonly DraftMedia[];
  readonly caption: string;
}

/** Reads the files of a message: one in the member of its type, or several in `content`. */
function readMedia(fields: Fields, type: string): Media {
  if (type === "content") {
    const items = fields.content;
    if (!Array.isArray(items) || items.length === 0) return fail(missing("content"));
    const files = items.map((item) => readFile(item, "content"));
    return {
      media: files.flatMap(({ media }) => media),
      caption: files.map(({ caption }) => caption).filter((text) => text !== "").join("\n"),
    };
  }
  return MEDIA_TYPES.includes(type) ? readFile(fields[type], type) : { media: [], caption: "" };
}

function readFile(given: unknown, type: string): Media {
  if (!isJsonObject(given)) return fail(missing(type));
  const { url, caption, name, id } = given;
  // A sticker may also be one that WhatsApp knows.
  if (type === "sticker" && typeof id === "string" && id !== "") return { media: [], caption: "" };
  if (typeof url !== "string" || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return fail(invalid(`${type}.url`, "must be a valid URL"));
  }
  const filename = typeof name === "string" ? name : undefined;
  return {
    media: [{ url, ...compact({ filename }) }],
    caption: typeof caption === "string" ? caption : "",
  };
}

/** Counts characters, not UTF-16 units. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && [...text].length > max;
}

function readText(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === null || value === "") return fail(missing(name));
  return typeof value === "string" ? value : fail(invalid(name, "must be a string"));
}

function readNumber(value: string | undefined): string {
  const to = value ?? fail(missing("to"));
  return NUMBER.test(to) ? to : fail(invalid("to", "address is not numeric"));
}

function readObject(body: Uint8Array, contentType: string | null): Fields {
  const json = readJson(body, contentType);
  return json.ok && isJsonObject(json.value) ? json.value : fail(REFUSALS.badBody);
}

/** The vendor's Python package labels a form as JSON after it has used the Messages API. */
function looksLikeForm(body: Uint8Array): boolean {
  return /^[a-z][a-z_-]{0,30}=/.test(new TextDecoder().decode(body.subarray(0, 64)));
}

function readForm(body: Uint8Array): Fields {
  try {
    return Object.fromEntries(decodeForm(body).pairs);
  } catch (error) {
    if (error instanceof WireError) return fail(REFUSALS.badBody);
    throw error;
  }
}

function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}
