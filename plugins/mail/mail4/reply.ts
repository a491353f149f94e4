/**
 * Responses of the Postmark API: https://postmarkapp.com/developer/api/email-api and its
 * neighbours.
 */
import { vendorJson } from "../../../core/http/reply.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import { formatAddress } from "../capture.ts";
import type { Address, MailMessage } from "../model.ts";
import { encodeMessageId } from "./ids.ts";
import type { VendorRefusal } from "./refusals.ts";
import type { Bulk, Template } from "./store.ts";

/** Returns a successful response. */
export function answer(body: unknown): Response {
  return vendorJson(body);
}

/** Returns a refusal in the vendor's form; a header repeats its code. */
export function refuse({ status, ...body }: VendorRefusal): Response {
  const headers = { "X-PM-ApiErrorCode": String(body.ErrorCode) };
  return vendorJson(body, { status, headers });
}

/** One sent message. */
export function toSent(
  { eventId, to, at, test }: { eventId: string; to: string; at: Date; test: boolean },
) {
  return {
    ...(to !== "" && { To: to }),
    SubmittedAt: toTimestamp(at),
    MessageID: encodeMessageId(eventId),
    ErrorCode: 0,
    Message: test ? "Test job accepted" : "OK",
  };
}

/** One refused message of a batch. */
export function toRefused({ ErrorCode, Message }: VendorRefusal) {
  return { ErrorCode, Message };
}

/**
 * Response to a bulk request. Two of the vendor's clients read its id under different names:
 * postmark-python as the API page has it, and postmark.js as its authors found it
 * (https://github.com/ActiveCampaign/postmark.js/pull/196).
 */
export function toBulk({ id, at }: Bulk) {
  return { ID: id, Id: id, Status: "Accepted", SubmittedAt: toTimestamp(at) };
}

/** State of a bulk request. */
export function toBulkStatus({ id, subject, total, at }: Bulk) {
  return {
    Id: id,
    SubmittedAt: toTimestamp(at),
    TotalMessages: total,
    PercentageCompleted: 100,
    Status: "Completed",
    Subject: subject,
  };
}

/** One message of a search. */
export function toOutbound({ id, payload: mail, meta, received_at }: CapturedEvent<MailMessage>) {
  const { to = [], cc = [], bcc = [] } = mail;
  return {
    ...(meta.tag !== undefined && { Tag: meta.tag }),
    MessageID: encodeMessageId(id),
    MessageStream: streamOf(meta),
    To: to.map(toRecipient),
    Cc: cc.map(toRecipient),
    Bcc: bcc.map(toRecipient),
    Recipients: [...to, ...cc, ...bcc].map(({ email }) => email),
    ReceivedAt: toTimestamp(received_at),
    From: formatAddress(mail.from),
    Subject: mail.subject ?? "",
    Attachments: (mail.attachments ?? []).map(({ filename }) => filename ?? ""),
    Status: "Sent",
    TrackOpens: meta.track_opens === true,
    TrackLinks: meta.track_links ?? "None",
    Metadata: meta.metadata ?? {},
    Sandboxed: false,
  };
}

/** One message with its content and source. */
export function toDetails(event: CapturedEvent<MailMessage>, source: string) {
  const found = toOutbound(event);
  const at = toTimestamp(event.received_at);
  return {
    TextBody: event.payload.text ?? "",
    HtmlBody: event.payload.html ?? "",
    Body: source,
    ...found,
    MessageEvents: found.Recipients.map((Recipient) => ({
      Recipient,
      Type: "Delivered",
      ReceivedAt: at,
      Details: {
        DeliveryMessage: "smtp;250 2.0.0 OK",
        DestinationServer: "standin.invalid",
        DestinationIP: "127.0.0.1",
      },
    })),
  };
}

/** Stream of a message. */
export function streamOf(meta: Readonly<Record<string, unknown>>): string {
  return typeof meta.message_stream === "string" ? meta.message_stream : "outbound";
}

/** A template as a list shows it. */
export function toTemplateEntry({ id, name, alias, type, layout }: Template) {
  return {
    Active: true,
    TemplateId: id,
    Name: name,
    Alias: alias,
    TemplateType: type,
    LayoutTemplate: layout,
  };
}

/** A template with its content. */
export function toTemplate(template: Template) {
  const { subject, html, text } = template;
  return {
    ...toTemplateEntry(template),
    AssociatedServerId: 1,
    Subject: template.type === "Layout" ? null : subject,
    HtmlBody: html || null,
    TextBody: text || null,
  };
}

/** `GET /server`: https://postmarkapp.com/developer/api/server-api */
export function toServer(token: string) {
  return {
    ID: 1,
    Name: "Standin",
    ApiTokens: token === "" ? [] : [token],
    Color: "Blue",
    SmtpApiActivated: true,
    RawEmailEnabled: false,
    DeliveryType: "Sandbox",
    ServerLink: "https://postmarkapp.com/servers/1/streams",
    InboundAddress: "standin@inbound.postmarkapp.com",
    InboundHookUrl: "",
    BounceHookUrl: "",
    OpenHookUrl: "",
    DeliveryHookUrl: "",
    ClickHookUrl: "",
    PostFirstOpenOnly: false,
    InboundDomain: "",
    InboundHash: "standin",
    InboundSpamThreshold: 0,
    TrackOpens: false,
    TrackLinks: "None",
    IncludeBounceContentInHook: false,
    EnableSmtpApiErrorHooks: false,
  };
}

/** One entry of `GET /message-streams`: https://postmarkapp.com/developer/api/message-streams-api */
export function toStream(id: string, createdAt: Date) {
  const broadcast = id === "broadcast";
  return {
    ID: id,
    ServerID: 1,
    Name: id,
    Description: null,
    MessageStreamType: broadcast ? "Broadcasts" : "Transactional",
    CreatedAt: toTimestamp(createdAt),
    UpdatedAt: null,
    ArchivedAt: null,
    ExpectedPurgeDate: null,
    SubscriptionManagementConfiguration: {
      UnsubscribeHandlingType: broadcast ? "Postmark" : "None",
    },
  };
}

/** `2014-02-17T07:25:01.4178645Z`: seven digits after the point. */
function toTimestamp(date: Date): string {
  return date.toISOString().replace("Z", "0000Z");
}

function toRecipient({ email, name }: Address) {
  return { Email: email, Name: name ?? null };
}

export { toVendorRefusal } from "./refusals.ts";
