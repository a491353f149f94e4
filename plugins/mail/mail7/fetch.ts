/** Calls that read: https://developers.brevo.com/reference/gettransacemailslist */
import type { CapturedEvent } from "../../../core/events/event.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { MailMessage } from "../model.ts";
import { decodeUuid } from "./ids.ts";
import type { Env } from "./options.ts";
import {
  answer,
  missing,
  REFUSALS,
  refuse,
  toAccount,
  toContent,
  toEmail,
  vendorRefusal,
} from "./reply.ts";

/** Value of `provider` on the events of this provider. */
const PROVIDER = "mail7";
const DAY_MS = 24 * 60 * 60 * 1000;

type MailEvent = CapturedEvent<MailMessage>;

/** `GET /v3/account` */
export function getAccount(): Response {
  return answer(toAccount());
}

/** `GET /v3/smtp/emails`: one of `email`, `templateId` and `messageId` must be given. */
export function listEmails(call: IngressCall, env: Env): Response {
  const { query } = call;
  const wanted = ["email", "templateId", "messageId"].map((name) => query.get(name));
  if (wanted.every((value) => value === null)) {
    return refuse(missing("email, templateId or messageId"));
  }
  const [email, templateId, messageId] = wanted;
  const found = held(env).filter((event) =>
    (email === null || hasRecipient(event, email!)) &&
    (templateId === null || String(event.meta.template_id) === templateId) &&
    (messageId === null || event.meta.message_id === messageId) && isWithin(event, query)
  );
  return page(call, found, (events) => ({
    count: found.length,
    transactionalEmails: events.map(toEmail),
  }));
}

/** `GET /v3/smtp/emails/{uuid}` */
export function getEmail(call: IngressCall, { ctx }: Env): Response {
  const id = decodeUuid(call.params.uuid ?? "");
  const event = id === undefined ? undefined : ctx.events.get(id);
  if (event?.plugin !== ctx.plugin || event.provider !== PROVIDER) {
    return refuse(REFUSALS.unknownEmail);
  }
  return answer(toContent(event as MailEvent));
}

/** `GET /v3/smtp/statistics/events`: every message has the events requested and delivered. */
export function listEvents(call: IngressCall, env: Env): Response {
  const { query } = call;
  const [email, messageId, tag, kind] = ["email", "messageId", "tags", "event"].map((name) =>
    query.get(name)
  );
  const found = held(env).filter((event) =>
    (!email || hasRecipient(event, email)) &&
    (!messageId || event.meta.message_id === messageId) &&
    (!tag || (Array.isArray(event.meta.tags) && event.meta.tags.includes(tag))) &&
    isWithin(event, query)
  );
  const entries = found.flatMap((event) =>
    recipientsOf(event).flatMap((recipient) =>
      ["delivered", "requests"].filter((name) => !kind || name === kind).map((name) => ({
        email: recipient,
        date: event.received_at.toISOString(),
        subject: event.payload.subject ?? "",
        messageId: event.meta.message_id,
        event: name,
        tag: Array.isArray(event.meta.tags) ? event.meta.tags[0] ?? "" : "",
        from: event.payload.from.email,
      }))
    )
  );
  return page(call, entries, (events) => ({ events }));
}

function held({ ctx: { plugin, events } }: Env): readonly MailEvent[] {
  return events.list({ plugin, provider: PROVIDER, type: "mail.message" }) as MailEvent[];
}

/** Newest first, unless `sort` overrides it. */
function page<T>(
  { query }: IngressCall,
  items: readonly T[],
  body: (items: readonly T[]) => unknown,
): Response {
  const [limit, offset] = [Number(query.get("limit") ?? 500), Number(query.get("offset") ?? 0)];
  if (!Number.isInteger(limit) || limit < 0 || limit > 5000) {
    return refuse(vendorRefusal(400, "out_of_range", "Limit exceeds max value"));
  }
  if (!Number.isInteger(offset) || offset < 0) {
    return refuse(vendorRefusal(400, "out_of_range", "Offset is not valid"));
  }
  const sorted = query.get("sort") === "asc" ? items.toReversed() : items;
  return answer(body(sorted.slice(offset, offset + limit)));
}

function isWithin({ received_at }: MailEvent, query: URLSearchParams): boolean {
  const [start, end] = ["startDate", "endDate"].map((name) => Date.parse(query.get(name) ?? ""));
  const ms = received_at.getTime();
  return !(ms < start!) && !(ms >= end! + DAY_MS);
}

function recipientsOf({ payload: { to = [], cc = [], bcc = [] } }: MailEvent): readonly string[] {
  return [...to, ...cc, ...bcc].map(({ email }) => email);
}

function hasRecipient(event: MailEvent, email: string): boolean {
  return recipientsOf(event).some((own) => own.toLowerCase() === email.toLowerCase());
}
