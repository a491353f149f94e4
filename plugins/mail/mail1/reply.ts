/**
 * Responses of the Send API v3.1 and of the message resource that its links point to. Pure: the caller supplies ids.
 */
import { vendorJson } from "../../../core/http/reply.ts";
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import type { Address, MailMessage } from "../model.ts";
import type { VendorRefusal } from "./refusals.ts";

/** Base address of the message resource. */
export const RESOURCE = "/v3/REST/message";

export interface RecipientIds {
  readonly uuid: string;
  /** Sixteen digits, below 2^53, so that no client loses precision; 0 in sandbox mode. */
  readonly id: number;
}

/** A recipient in the response of v3. */
export interface SentV3 extends RecipientIds {
  readonly email: string;
}

export interface Identifiers {
  /** Returns a new UUID, lower case. */
  newId(): string;
}

/** A recorded message: one id per recipient, in the order To, Cc, Bcc. */
export interface Accepted {
  readonly customId: string;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly ids: readonly RecipientIds[];
  /** Address of a message of the given id. */
  href(id: number): string;
}

/** Ids of a message that was only validated. */
export const SANDBOX_IDS: RecipientIds = { uuid: "", id: 0 };

/** Returns a refusal of the whole call. */
export function refuse(refusal: VendorRefusal, ids: Identifiers): Response {
  return answer(toBody(refusal, ids), refusal.status, ids);
}

/** Returns the response to a call with several entries: by default 400 if one of them is refused. */
export function answerEntries(
  entries: readonly Readonly<Record<string, unknown>>[],
  options: Identifiers & { readonly status?: number },
): Response {
  const failed = entries.some((entry) => entry.Status === "error");
  return answer({ Messages: entries }, options.status ?? (failed ? 400 : 200), options);
}

/** Entry of a recorded message. */
export function acceptedEntry(accepted: Accepted): Readonly<Record<string, unknown>> {
  const { to, cc, ids } = accepted;
  const recipients = (addresses: readonly Address[], from: number) =>
    addresses.map((address, index) => {
      const { uuid, id } = ids[from + index] ?? SANDBOX_IDS;
      return {
        Email: address.email,
        MessageUUID: uuid,
        MessageID: id,
        MessageHref: accepted.href(id),
      };
    });
  return {
    Status: "success",
    CustomID: accepted.customId,
    To: recipients(to, 0),
    Cc: recipients(cc, to.length),
    Bcc: recipients(accepted.bcc, to.length + cc.length),
  };
}

/** Entry of a refused message. */
export function refusedEntry(
  refusals: readonly VendorRefusal[],
  options: Identifiers,
): Readonly<Record<string, unknown>> {
  return { Status: "error", Errors: refusals.map((refusal) => toBody(refusal, options)) };
}

/** `GET /v3/REST/message/{id}`: the message of one recipient. */
export function answerMessage(
  event: CapturedEvent<MailMessage>,
  about: {
    readonly ids: RecipientIds;
    readonly address: string;
    readonly showAddress: boolean;
    readonly showSubject: boolean;
  },
): Response {
  const { payload: message } = event;
  const data = {
    ArrivedAt: event.received_at.toISOString().replace(/\.\d+/, ""),
    AttachmentCount: message.attachments?.length ?? 0,
    AttemptCount: 0,
    CampaignID: 0,
    ContactAlt: about.showAddress ? about.address : "",
    ContactID: 0,
    Delay: 0,
    DestinationID: 0,
    FilterTime: 0,
    ID: about.ids.id,
    IsClickTracked: event.meta.track_clicks === "enabled",
    IsHTMLPartIncluded: message.html !== undefined,
    IsOpenTracked: event.meta.track_opens === "enabled",
    IsTextPartIncluded: message.text !== undefined,
    IsUnsubTracked: false,
    MessageSize: event.raw.body.length,
    SenderID: 0,
    SpamassassinScore: 0,
    SpamassRules: "",
    StateID: 0,
    StatePermanent: false,
    Status: "sent",
    Subject: about.showSubject ? message.subject ?? "" : "",
    UUID: about.ids.uuid,
  };
  return answerRest({ Count: 1, Data: [data], Total: 1 }, 200);
}

/** Returns a refusal in the form of the called path. */
export function refuseAt(path: string, refusal: VendorRefusal, ids: Identifiers): Response {
  return isV3(path) ? refuseV3(refusal) : refuse(refusal, ids);
}

/** Returns whether a path is one of the resources or the Send API of v3, which refuse alike. */
export function isV3(path: string): boolean {
  return path.startsWith("/v3/");
}

/** Returns the response of the Send API v3. */
export function answerV3(sent: readonly SentV3[]): Response {
  const Sent = sent.map(({ email, id, uuid }) => ({
    Email: email,
    MessageID: id,
    MessageUUID: uuid,
  }));
  return answerRest({ Sent }, 200);
}

/** Returns a refusal in the form of v3, which has no member for the property concerned. */
export function refuseV3({ status, message, relatedTo: [at] }: VendorRefusal): Response {
  return refuseRest(status, at === undefined ? message : `${at}: ${message}`);
}

/** Returns a refusal in the form of the vendor's REST resources, which is not that of the Send API. */
export function refuseRest(status: number, message: string): Response {
  return answerRest({ ErrorInfo: "", ErrorMessage: message, StatusCode: status }, status);
}

function toBody(
  { status, code, message, relatedTo }: VendorRefusal,
  { newId }: Identifiers,
): Readonly<Record<string, unknown>> {
  return {
    ErrorIdentifier: newId(),
    ...compact({ ErrorCode: code }),
    StatusCode: status,
    ErrorMessage: message,
    ...(relatedTo.length > 0 && { ErrorRelatedTo: relatedTo }),
  };
}

function answer(body: unknown, status: number, { newId }: Identifiers): Response {
  const response = answerRest(body, status);
  response.headers.set("X-MJ-Request-GUID", newId());
  return response;
}

/** Returns a response of the resources. */
export function answerRest(body: unknown, status: number): Response {
  const headers = { "Content-Type": "application/json; charset=UTF-8" };
  return vendorJson(body, { status, headers });
}
