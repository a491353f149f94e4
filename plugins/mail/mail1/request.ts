/**
 * Reads the body of `POST /v3.1/send` (Mailjet Send API v3.1) into drafts or refusals.
 *
 * Three passes: types (one wrong type refuses the whole call), `Globals` merged under every message, then the rules
 * of each message on its own, so that one bad message does not stop the others.
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import { attempt, failure, Refused, type Result, success } from "../../../core/result.ts";
import { overlayHeaders, toAddress } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { checkMessage } from "./checks.ts";
import {
  type Mailbox,
  type Message,
  openFields,
  readFlag,
  readMessage,
  templateOf,
} from "./message.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";

/** Maximum number of messages in one call. */
const MAX_MESSAGES = 50;

export interface Outgoing {
  readonly draft: MailDraft;
  readonly customId: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** One member of `Messages`, or its refusals. */
export type Entry = Result<Outgoing, readonly VendorRefusal[]>;

export interface SendRequest {
  readonly sandbox: boolean;
  readonly entries: readonly Entry[];
}

/** Reads a parsed body; never throws. */
export function readSend(body: unknown): Result<SendRequest, VendorRefusal> {
  if (!isJsonObject(body)) return failure(REFUSALS.malformed);
  return attempt(() => readCall(openFields(body)));
}

function readCall(at: JsonFields): SendRequest {
  const messages = at.array("Messages", "Messages");
  if (messages === undefined) throw new Refused(REFUSALS.missing("Messages"));
  if (messages.length === 0) throw new Refused(REFUSALS.emptyArray("Messages"));
  if (messages.length > MAX_MESSAGES) {
    throw new Refused(REFUSALS.tooMany("Messages", MAX_MESSAGES));
  }
  const sandbox = readFlag(at, "SandboxMode") ?? false;
  const strict = readFlag(at, "AdvanceErrorHandling");
  const common = at.value("Globals");
  const globals = common === undefined ? {} : readMessage(common, "Globals");
  const entries = messages
    .map((message) => overlay(globals, readMessage(message, "Messages")))
    .map((message) => toEntry(message, { sandbox, strict }));
  return { sandbox, entries };
}

/** Merges the properties of a message over those of `Globals`; the two maps are merged by name. */
function overlay(globals: Message, message: Message): Message {
  const { headers, variables } = globals;
  return {
    ...globals,
    ...message,
    ...(headers && { headers: overlayHeaders(headers, message.headers ?? []) }),
    ...(variables && { variables: { ...variables, ...message.variables } }),
  };
}

/** Checks a message, and converts it to a draft. */
export function toEntry(
  message: Message,
  call: { readonly sandbox: boolean; readonly strict: boolean | undefined },
): Entry {
  const refusals = checkMessage(message);
  if (refusals.length > 0) return failure(refusals);
  return success({
    draft: toDraft(message),
    customId: message.customId ?? "",
    meta: toMeta(message, call),
  });
}

function toDraft(message: Message): MailDraft {
  return {
    from: toMailAddress(message.from),
    to: (message.to ?? []).map(toMailAddress),
    cc: (message.cc ?? []).map(toMailAddress),
    bcc: (message.bcc ?? []).map(toMailAddress),
    reply_to: message.replyTo === undefined ? [] : [toMailAddress(message.replyTo)],
    subject: message.subject ?? "",
    text: message.textPart ?? "",
    html: message.htmlPart ?? "",
    headers: message.headers ?? [],
    attachments: [...message.attachments ?? [], ...message.inlinedAttachments ?? []]
      .map((file) => file.draft),
  };
}

/** Documented properties without a place in the message model, by neutral names. */
function toMeta(
  message: Message,
  call: { readonly sandbox: boolean; readonly strict: boolean | undefined },
): Readonly<Record<string, unknown>> {
  const { sender, templateErrorReporting } = message;
  return compact({
    custom_id: message.customId,
    event_payload: message.eventPayload,
    custom_campaign: message.customCampaign,
    template_id: templateOf(message),
    template_language: message.templateLanguage,
    template_error_reporting: templateErrorReporting && toMailAddress(templateErrorReporting),
    template_error_deliver: message.templateErrorDeliver,
    variables: message.variables,
    priority: message.priority,
    track_opens: message.trackOpens,
    track_clicks: message.trackClicks,
    url_tags: message.urlTags,
    monitoring_category: message.monitoringCategory,
    deduplicate_campaign: message.deduplicateCampaign,
    statistics_contacts_list_id: message.statisticsContactsListId,
    sender: sender && toMailAddress(sender),
    advance_error_handling: call.strict,
    sandbox_mode: call.sandbox || undefined,
  });
}

function toMailAddress(mailbox: Mailbox | undefined): Address {
  return toAddress(mailbox?.email ?? "", mailbox?.name);
}
