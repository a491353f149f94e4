/** Form fields of the message resource (https://www.twilio.com/docs/messaging/api/message-resource). */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm, type FormFields } from "../../../core/codec/form.ts";
import { compact } from "../../../core/compact.ts";
import { decodeFormData } from "../../../core/http/form_data.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import type { DraftMedia, SmsDraft } from "../capture.ts";
import { refusalOfMagic, VALID_EVERYWHERE } from "./magic.ts";
import { readMediaLink } from "./media_link.ts";
import { badFrom, badMedia, badParameter, badTo, REFUSALS, type VendorRefusal } from "./reply.ts";

export interface CreateRequest {
  readonly draft: SmsDraft;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Documented fields that go to `meta`. */
const SETTINGS = [
  "StatusCallback",
  "ApplicationSid",
  "MaxPrice",
  "ProvideFeedback",
  "Attempt",
  "ValidityPeriod",
  "ForceDelivery",
  "ContentRetention",
  "AddressRetention",
  "SmartEncoded",
  "TrafficType",
  "ShortenUrls",
  "ScheduleType",
  "SendAt",
  "SendAsMms",
  "ContentSid",
  "ContentVariables",
  "RiskCheck",
  "FallbackFrom",
  "MessageIntent",
] as const;

const MAX_BODY_CHARACTERS = 1600;
const MAX_MEDIA = 10;

const NUMBER = /^\+?\d{3,15}$/;
/** `whatsapp:+15558675310`, `messenger:<id>` */
const CHANNEL = /^[a-z][a-z0-9_-]*:.+$/is;
/** Channels whose addresses reach no other channel. */
const CLOSED_CHANNEL = /^(whatsapp|messenger):/i;
const SERVICE = /^MG[0-9a-f]{32}$/i;
/** https://www.twilio.com/docs/glossary/what-alphanumeric-sender-id */
const SENDER_ID = /^(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11}$/;

/** Returns the form fields of a call, urlencoded or multipart. */
export async function readFields(call: IngressCall): Promise<Result<FormFields, VendorRefusal>> {
  const type = call.headers.get("content-type") ?? "";
  try {
    if (!/^multipart\/form-data\b/i.test(type)) return success(decodeForm(call.body));
    return success(await decodeFormData(call.body, type));
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) {
      return failure(badParameter("body", error.message));
    }
    throw error;
  }
}

/** Reads `POST Messages.json`. Blank values count as missing. */
export function readCreate(form: FormFields): Result<CreateRequest, VendorRefusal> {
  const to = given(form, "To");
  const { from, service } = readSender(form);
  const body = form.first("Body") ?? "";
  const links = form.all("MediaUrl").map((link) => link.trim()).filter((link) => link !== "");
  if (to === undefined) return failure(REFUSALS.noTo);
  if (!isAddress(to)) return failure(badTo(to));
  if (from === undefined && service === undefined) return failure(REFUSALS.noFrom);
  if (from !== undefined && !isAddress(from) && !SENDER_ID.test(from)) {
    return failure(badFrom(from));
  }
  const pair = refusalOfMagic(to, from) ?? refusalOfPair(to, from);
  if (pair !== undefined) return failure(pair);
  if (body.trim() === "" && links.length === 0 && given(form, "ContentSid") === undefined) {
    return failure(REFUSALS.noBody);
  }
  if (isLong(body)) return failure(REFUSALS.longBody);
  if (links.length > MAX_MEDIA) return failure(REFUSALS.manyMedia);
  const media: DraftMedia[] = [];
  for (const link of links) {
    const item = readMediaLink(link);
    if (item === undefined) return failure(badMedia(link));
    media.push(item);
  }
  const draft: SmsDraft = { to, from, messaging_service: service, body, media };
  return success({ draft, meta: readSettings(form) });
}

/**
 * The service of a message may also be its `From`:
 * https://www.twilio.com/en-us/changelog/content-templates-messaging-services-optional
 */
function readSender(form: FormFields): { from?: string; service?: string } {
  const [from, service] = [given(form, "From"), given(form, "MessagingServiceSid")];
  const isService = from !== undefined && SERVICE.test(from);
  return compact({
    from: isService ? undefined : from,
    service: service ?? (isService ? from : undefined),
  });
}

/** Returns the refusal of a sender that cannot write to the recipient. */
function refusalOfPair(to: string, from: string | undefined): VendorRefusal | undefined {
  if (from === undefined) return undefined;
  const [source, target] = [from, to].map((value) =>
    CLOSED_CHANNEL.exec(value)?.[1]?.toLowerCase()
  );
  if (source !== target) return REFUSALS.otherChannel;
  if (source !== undefined) return from === to ? REFUSALS.sameAddress : undefined;
  const [own, other] = [from, to].map((value) => value.replace(/[^\d]/g, ""));
  return own === other && own !== "" && from !== VALID_EVERYWHERE ? REFUSALS.sameNumber : undefined;
}

/** A change to a message: the vendor allows blanking its body and canceling it. */
export interface UpdateRequest {
  readonly redacted: boolean;
  readonly canceled: boolean;
}

/** Reads `POST Messages/{sid}.json`. */
export function readUpdate(form: FormFields): Result<UpdateRequest, VendorRefusal> {
  const body = form.first("Body");
  const status = given(form, "Status");
  if (body !== undefined && body !== "") {
    return failure(badParameter("Body", "it can only be set to an empty string"));
  }
  if (status !== undefined && status !== "canceled") {
    return failure(badParameter("Status", "the only value it can be set to is canceled"));
  }
  return success({ redacted: body !== undefined, canceled: status !== undefined });
}

function given(form: FormFields, name: string): string | undefined {
  const value = form.first(name)?.trim();
  return value === "" ? undefined : value;
}

function isAddress(value: string): boolean {
  return NUMBER.test(value.replace(/[\s.()-]/g, "")) || CHANNEL.test(value);
}

/** Counts characters, not UTF-16 units; the length alone settles most bodies. */
function isLong(body: string): boolean {
  if (body.length <= MAX_BODY_CHARACTERS) return false;
  return body.length > 2 * MAX_BODY_CHARACTERS || [...body].length > MAX_BODY_CHARACTERS;
}

function readSettings(form: FormFields): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const name of SETTINGS) {
    const value = form.first(name);
    if (value !== undefined) meta[toSnakeCase(name)] = value;
  }
  const actions = form.all("PersistentAction");
  if (actions.length > 0) meta.persistent_action = actions;
  return meta;
}

function toSnakeCase(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}
