/** An inbound email, from the payload of a request. */
import { decodeBase64 } from "@std/encoding/base64";
import { unknownName } from "../../core/options/suggest.ts";
import type { MailEvent } from "./report_events.ts";

/** An attachment. */
export interface InboundAttachment {
  readonly filename: string;
  readonly content_type: string;
  /** Content id that the HTML body refers to, without angle brackets. */
  readonly content_id?: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The email. */
export interface InboundMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly InboundAttachment[];
}

const FIELDS = ["from", "to", "subject", "text", "html", "attachments"];
const ATTACHMENT_FIELDS = ["filename", "content_type", "content_id", "content"];

/** A sample payload. */
export const INBOUND_EXAMPLE = {
  from: "Ada <ada@example.org>",
  to: "support@example.com",
  subject: "Where is my order?",
  text: "It has not arrived.",
};

/** Parses a payload. Throws `RangeError` for an invalid one. */
export function readInboundMail(payload: Readonly<Record<string, unknown>>): InboundMail {
  checkNames(payload, FIELDS);
  const { attachments = [] } = payload;
  if (!Array.isArray(attachments)) throw cannot("expected attachments as a list");
  return {
    from: readText(payload, "from"),
    to: readText(payload, "to"),
    subject: readText(payload, "subject", ""),
    text: readText(payload, "text", ""),
    html: readText(payload, "html", ""),
    attachments: attachments.map(readAttachment),
  };
}

/** Returns the reply of a recipient to a captured email. */
export function replyTo({ payload }: MailEvent, body: unknown): InboundMail {
  const { subject = "" } = payload;
  return {
    from: (payload.to?.[0] ?? payload.from).email,
    to: (payload.reply_to?.[0] ?? payload.from).email,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    text: String(body),
    html: "",
    attachments: [],
  };
}

/** Returns the address for inbound email. Throws `RangeError` without one. */
export function inboundOf(inbound: string | undefined, provider: string): string {
  if (inbound !== undefined) return inbound;
  throw cannot(`set [callbacks.inbound] ${provider} (--callbacks-inbound-${provider})`);
}

/** `local@domain` of a mailbox. */
export function addressOf(mailbox: string): string {
  return /<([^<>]*)>$/.exec(mailbox.trim())?.[1] ?? mailbox.trim();
}

function readAttachment(value: unknown): InboundAttachment {
  if (typeof value !== "object" || value === null) throw cannot("expected objects as attachments");
  const given = value as Record<string, unknown>;
  checkNames(given, ATTACHMENT_FIELDS);
  const contentId = readText(given, "content_id", "").replace(/^<(.*)>$/s, "$1");
  if (/[\r\n<>"]/.test(contentId)) throw cannot("expected content_id as local@domain");
  try {
    return {
      filename: readText(given, "filename", "attachment"),
      content_type: readText(given, "content_type", "application/octet-stream"),
      ...(contentId === "" ? {} : { content_id: contentId }),
      bytes: decodeBase64(readText(given, "content")) as Uint8Array<ArrayBuffer>,
    };
  } catch (error) {
    if (error instanceof TypeError) throw cannot("expected the content of attachments in base64");
    throw error;
  }
}

function checkNames(given: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw cannot(unknownName("field", unknown, known));
}

function readText(
  given: Readonly<Record<string, unknown>>,
  name: string,
  fallback?: string,
): string {
  const value = given[name] ?? fallback;
  if (typeof value === "string") return value;
  throw cannot(`expected "${name}" as text`);
}

function cannot(why: string): RangeError {
  return new RangeError(`Cannot send an inbound email: ${why}`);
}
