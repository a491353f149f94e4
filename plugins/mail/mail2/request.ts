/**
 * Reads the body of `POST /v3/mail/send` (SendGrid v3) into one draft per personalization, or into all its violations.
 */
import { type JsonFields, Violations } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { overlayHeaders } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { type Content, readAttachments, readContent } from "./content.ts";
import { openFields, readMap } from "./fields.ts";
import {
  noteNoFrom,
  type Personalization,
  readCustomArgs,
  readFrom,
  readHeaders,
  readPersonalizations,
  readReplyTo,
  readSendAt,
  readSubject,
  readSubstitutions,
} from "./recipients.ts";
import { REFUSALS, type VendorRefusal } from "./reply.ts";
import { isSandbox, readSettings } from "./settings.ts";

/** Bytes of a message: bodies, and attachments decoded. */
const MAX_MESSAGE = 30 * 1024 * 1024;
/** Bytes of the custom arguments of a message, as JSON. */
const MAX_CUSTOM_ARGS = 10_000;

const TOO_MANY_ARGS =
  "The combined size of both global and personalization custom arguments may not exceed 10,000 bytes per personalization.";

export interface Outgoing {
  readonly draft: MailDraft;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface SendRequest {
  readonly sandbox: boolean;
  readonly messages: readonly Outgoing[];
}

/** Maximum number of violations listed: a hostile body can hold millions. */
const MAX_LISTED = 1000;

/** Reads a parsed body; never throws. */
export function readSend(
  body: unknown,
  { nowMs, contentType = null }: { readonly nowMs: number; readonly contentType?: string | null },
): Result<SendRequest, VendorRefusal> {
  if (!isJsonObject(body)) return failure(unreadable(contentType));
  const violations = new Violations(MAX_LISTED);
  const request = readRequest(openFields(body, violations), nowMs);
  if (violations.found.length > 0) return failure({ status: 400, violations: violations.found });
  if (isTooLarge(request)) return failure(REFUSALS.tooLarge);
  return success({
    sandbox: request.sandbox,
    messages: request.personalizations.map((one) => toOutgoing(one, request)),
  });
}

/** Returns the refusal of an unreadable body: of its type, unless it claims to be JSON or claims nothing. */
export function unreadable(contentType: string | null): VendorRefusal {
  return contentType === null || /\bjson\b/i.test(contentType)
    ? REFUSALS.badRequest
    : REFUSALS.notJson;
}

interface Request {
  readonly personalizations: readonly Personalization[];
  readonly from: Address;
  readonly replyTo: readonly Address[];
  readonly subject: string | undefined;
  readonly content: Content;
  readonly attachments: MailDraft["attachments"];
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly customArgs: Readonly<Record<string, string>> | undefined;
  readonly substitutions: Readonly<Record<string, string>> | undefined;
  readonly dynamicTemplateData: Readonly<Record<string, unknown>> | undefined;
  readonly sendAt: number | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sandbox: boolean;
}

function readRequest(at: JsonFields, nowMs: number): Request {
  const personalizations = readPersonalizations(at, nowMs);
  const from = readFrom(at);
  if (at.value("from") === undefined) noteNoFrom(at);
  const replyTo = readReplyTo(at);
  const subject = readSubject(at);
  const settings = readSettings(at);
  const hasTemplate = typeof settings.template_id === "string" && settings.template_id !== "";
  const content = readContent(at, { hasTemplate });
  const attachments = readAttachments(at);
  const request: Request = {
    personalizations,
    from: from ?? { email: "" },
    replyTo,
    subject,
    content,
    attachments: content.others.length === 0 ? attachments : [...attachments, ...content.others],
    headers: readHeaders(at),
    customArgs: readCustomArgs(at),
    substitutions: readSubstitutions(at),
    dynamicTemplateData: readMap(at, "dynamic_template_data"),
    sendAt: readSendAt(at, nowMs),
    settings,
    sandbox: isSandbox(settings),
  };
  if (at.value("subject") === undefined && !hasTemplate) noteNoSubject(request, at);
  noteCombinations(request, at);
  return request;
}

function noteNoSubject({ personalizations }: Request, at: JsonFields): void {
  const everyHasOne = personalizations.length > 0 &&
    personalizations.every(({ subject }) => subject !== undefined);
  if (everyHasOne) return;
  at.report(
    "subject",
    "The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.",
  );
}

/** Rules for members of the request and of its personalizations together. */
function noteCombinations(request: Request, at: JsonFields): void {
  const { template_id: templateId } = request.settings;
  const isDynamic = typeof templateId === "string" && templateId.startsWith("d-");
  // Those of the request are checked once, not again for each of a thousand personalizations.
  const commonIsTooLarge = areTooLarge(request.customArgs);
  if (commonIsTooLarge) at.report("custom_args", TOO_MANY_ARGS);
  for (let i = 0; i < request.personalizations.length; i++) {
    const { substitutions, customArgs } = request.personalizations[i]!;
    if (isDynamic && substitutions !== undefined) {
      at.report(
        `personalizations.${i}.substitutions`,
        "Substitutions may not be used with dynamic templating",
      );
    }
    if (commonIsTooLarge || customArgs === undefined) continue;
    if (areTooLarge({ ...request.customArgs, ...customArgs })) {
      at.report(`personalizations.${i}.custom_args`, TOO_MANY_ARGS);
    }
  }
}

function areTooLarge(customArgs: Readonly<Record<string, string>> | undefined): boolean {
  return customArgs !== undefined && isLonger(JSON.stringify(customArgs), MAX_CUSTOM_ARGS);
}

const encoder = new TextEncoder();

/** Counts bytes only if the number of UTF-16 units does not decide: each takes one to three bytes of UTF-8. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false;
  return text.length > maxBytes || encoder.encode(text).length > maxBytes;
}

function isTooLarge({ content, attachments }: Request): boolean {
  const attached = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return isLonger(content.text + content.html, MAX_MESSAGE - attached);
}

function toOutgoing(one: Personalization, request: Request): Outgoing {
  const { content } = request;
  return {
    draft: {
      from: one.from ?? request.from,
      to: one.to,
      cc: one.cc,
      bcc: one.bcc,
      reply_to: request.replyTo,
      subject: one.subject ?? request.subject ?? "",
      text: content.text,
      html: content.html,
      headers: overlayHeaders(fieldsOf(request.headers), fieldsOf(one.headers)),
      attachments: request.attachments,
    },
    meta: toMeta(one, request),
  };
}

function fieldsOf(headers: Readonly<Record<string, string>> | undefined): MailDraft["headers"] {
  return headers === undefined ? NO_FIELDS : Object.entries(headers);
}

const NO_FIELDS: MailDraft["headers"] = [];

function toMeta(one: Personalization, request: Request): Readonly<Record<string, unknown>> {
  const meta: Record<string, unknown> = {};
  const add = (name: string, value: unknown): void => {
    if (value !== undefined) meta[name] = value;
  };
  for (const name in request.settings) add(name, request.settings[name]);
  add("custom_args", merge(request.customArgs, one.customArgs));
  add("substitutions", merge(request.substitutions, one.substitutions));
  add("dynamic_template_data", merge(request.dynamicTemplateData, one.dynamicTemplateData));
  add("send_at", one.sendAt ?? request.sendAt);
  add("sandbox", request.sandbox || undefined);
  return meta;
}

/** Returns the members of both; `own` overrides `common`. `undefined` without any. */
function merge(
  common: Readonly<Record<string, unknown>> | undefined,
  own: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (own === undefined || isEmpty(own)) {
    return common === undefined || isEmpty(common) ? undefined : common;
  }
  return common === undefined || isEmpty(common) ? own : { ...common, ...own };
}

function isEmpty(members: object): boolean {
  for (const _ in members) return false;
  return true;
}
