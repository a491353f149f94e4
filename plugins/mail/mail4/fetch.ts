/** Calls that read: https://postmarkapp.com/developer/api/messages-api */
import type { CapturedEvent } from "../../../core/events/event.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, type Result } from "../../../core/result.ts";
import { composeEml } from "../eml.ts";
import type { MailMessage } from "../model.ts";
import { tokenOf } from "./account.ts";
import { fail } from "./fields.ts";
import { decodeMessageId } from "./ids.ts";
import type { Env } from "./options.ts";
import { REFUSALS, type VendorRefusal, vendorRefusal } from "./refusals.ts";
import { answer, refuse, streamOf, toDetails, toOutbound, toServer, toStream } from "./reply.ts";

/** Value of `provider` on the events of this provider. */
const PROVIDER = "mail4";
/** Largest page, and last reachable position. */
const [MAX_COUNT, MAX_REACH] = [500, 10_000];

type MailEvent = CapturedEvent<MailMessage>;

/** `GET /messages/outbound`, newest first. */
export function searchMessages(call: IngressCall, env: Env): Response {
  const page = readPage(call.query);
  if (!page.ok) return refuse(page.refusal);
  const fits = toFilter(call.query);
  const { plugin, events } = env.ctx;
  const found = (events.list({ plugin, provider: PROVIDER, type: "mail.message" }) as MailEvent[])
    .filter(fits);
  return answer({ TotalCount: found.length, Messages: cut(found, page.value).map(toOutbound) });
}

/** `GET /messages/outbound/{id}/details` */
export async function getDetails(call: IngressCall, env: Env): Promise<Response> {
  const event = findMessage(call, env);
  if (event === undefined) return refuse(REFUSALS.unknownMessage);
  return answer(toDetails(event, await sourceOf(event)));
}

/** `GET /messages/outbound/{id}/dump` */
export async function getDump(call: IngressCall, env: Env): Promise<Response> {
  const event = findMessage(call, env);
  if (event === undefined) return refuse(REFUSALS.unknownMessage);
  return answer({ Body: await sourceOf(event) });
}

/** `GET /server` */
export function getServer(call: IngressCall): Response {
  return answer(toServer(tokenOf(call)));
}

/** `GET /message-streams` */
export function listStreams(_call: IngressCall, { ctx, values }: Env): Response {
  const streams = ["outbound", "broadcast", ...values.streams].map((id) => toStream(id, ctx.now()));
  return answer({ MessageStreams: streams, TotalCount: streams.length });
}

/** `GET /deliverystats`: nothing is delivered, so nothing bounces. */
export function getDeliveryStats(): Response {
  return answer({ InactiveMails: 0, Bounces: [{ Name: "All", Count: 0 }] });
}

/** `GET /bounces` */
export function listBounces(call: IngressCall): Response {
  const page = readPage(call.query);
  return page.ok ? answer({ TotalCount: 0, Bounces: [] }) : refuse(page.refusal);
}

/** Without attachments, as at the vendor. */
async function sourceOf({ id, payload, received_at }: MailEvent): Promise<string> {
  const about = { id, receivedAt: received_at, attachments: [] };
  return new TextDecoder().decode(await composeEml(payload, about));
}

function findMessage({ params }: IngressCall, { ctx }: Env): MailEvent | undefined {
  const id = decodeMessageId(params.id ?? "");
  const event = id === undefined ? undefined : ctx.events.get(id);
  return event?.plugin === ctx.plugin && event.provider === PROVIDER
    ? event as MailEvent
    : undefined;
}

/** A page of a list. */
interface Page {
  readonly count: number;
  readonly offset: number;
}

/** Returns the items of a page. */
export function cut<T>(items: readonly T[], { count, offset }: Page): readonly T[] {
  return items.slice(offset, offset + count);
}

/** Reads `count` and `offset`, which the vendor requires. */
export function readPage(query: URLSearchParams, code = 700): Result<Page, VendorRefusal> {
  const number = (name: string): number => {
    const text = query.get(name) ?? "";
    if (!/^\d{1,9}$/.test(text)) {
      fail(vendorRefusal(code, `The parameter '${name}' is required, and must be a number.`));
    }
    return Number(text);
  };
  return attempt(() => {
    const page = { count: number("count"), offset: number("offset") };
    if (page.count > MAX_COUNT) {
      fail(vendorRefusal(code, `The parameter 'count' must be at most ${MAX_COUNT}.`));
    }
    if (page.count + page.offset > MAX_REACH) {
      fail(
        vendorRefusal(code, `The sum of 'count' and 'offset' must be at most ${MAX_REACH}.`),
      );
    }
    return page;
  });
}

/** Conditions by the vendor's name; SDKs spell them in other cases. */
const CONDITIONS: Readonly<Record<string, (event: MailEvent, value: string) => boolean>> = {
  recipient: ({ payload: { to = [], cc = [], bcc = [] } }, value) =>
    [...to, ...cc, ...bcc].some(({ email }) => isSame(email, value)),
  fromemail: ({ payload }, value) => isSame(payload.from.email, value),
  tag: ({ meta }, value) => meta.tag === value,
  // Every message here has the status sent.
  status: (_event, value) => value.toLowerCase() !== "queued",
  subject: ({ payload }, value) =>
    (payload.subject ?? "").toLowerCase().includes(value.toLowerCase()),
  messagestream: ({ meta }, value) => streamOf(meta) === value,
  fromdate: ({ received_at }, value) => received_at.getTime() >= Date.parse(value),
  todate: ({ received_at }, value) => received_at.getTime() < endOf(value),
};

function toFilter(query: URLSearchParams): (event: MailEvent) => boolean {
  const conditions = [...query].map(([name, value]) => {
    if (name.startsWith("metadata_")) return hasMetadata(name.slice(9), value);
    const condition = CONDITIONS[name.toLowerCase()];
    return condition && ((event: MailEvent) => condition(event, value));
  }).filter((condition) => condition !== undefined);
  return (event) => conditions.every((fits) => fits(event));
}

function hasMetadata(name: string, value: string): (event: MailEvent) => boolean {
  return ({ meta }) =>
    typeof meta.metadata === "object" && meta.metadata !== null &&
    Object.entries(meta.metadata).some(([own, text]) => own === name && text === value);
}

/** A date without a time includes the whole day. */
function endOf(value: string): number {
  return Date.parse(value) + (value.includes("T") ? 1 : 86_400_000);
}

function isSame(email: string, value: string): boolean {
  return email.toLowerCase() === value.toLowerCase();
}
