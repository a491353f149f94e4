/** Calls that read: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/events */
import type { CapturedEvent } from "../../../core/events/event.ts";
import { ownValue } from "../../../core/own.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { formatAddress } from "../capture.ts";
import type { Address, MailMessage } from "../model.ts";
import { domainOf } from "./account.ts";
import { decodeStorageKey, encodeStorageKey } from "./ids.ts";
import type { Env } from "./options.ts";
import { answer, REFUSALS, refuse, vendorRefusal } from "./reply.ts";

/** Value of `provider` on the events of this provider. */
const PROVIDER = "mail5";
/** Default and maximum number of entries per page. */
const [LIMIT, MAX_LIMIT] = [100, 300];

type MailEvent = CapturedEvent<MailMessage>;

/** `GET /v3/{domain}/events`, newest first: each message was accepted, and delivered, for each of its recipients. */
export function listEvents(call: IngressCall, env: Env): Response {
  const { query } = call;
  const limit = Number(query.get("limit") ?? LIMIT);
  const offset = readPage(call.params.page);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT || offset === undefined) {
    return refuse(vendorRefusal(400, "Bad request"));
  }
  const entries = held(env, domainOf(call)).flatMap((event) => entriesOf(event, env))
    .filter((entry) => fits(entry, query));
  if (query.get("ascending") === "yes") entries.reverse();
  const page = (at: number) =>
    `${env.ctx.ingressUrl()}/v3/${domainOf(call)}/events/${btoa(`page:${Math.max(0, at)}`)}`;
  return answer({
    items: entries.slice(offset, offset + limit),
    paging: {
      first: page(0),
      last: page(entries.length - limit),
      next: page(offset + limit),
      previous: page(offset - limit),
    },
  });
}

/** `GET /v3/domains/{domain}/messages/{key}` */
export function getMessage(call: IngressCall, env: Env): Response {
  const id = decodeStorageKey(call.params.key ?? "");
  const event = id === undefined ? undefined : env.ctx.events.get(id);
  if (event?.plugin !== env.ctx.plugin || event.provider !== PROVIDER) {
    return refuse(REFUSALS.unknownMessage);
  }
  const { payload: mail, meta } = event as MailEvent;
  const headers = Object.entries(mail.headers ?? {}).flatMap(([name, values]) =>
    values.map((value) => [name, value])
  );
  return answer({
    From: formatAddress(mail.from),
    To: list(mail.to),
    Subject: mail.subject ?? "",
    "Message-Id": meta.message_id,
    sender: mail.from.email,
    from: formatAddress(mail.from),
    recipients: recipientsOf(mail).join(", "),
    subject: mail.subject ?? "",
    "body-plain": mail.text ?? "",
    "body-html": mail.html ?? "",
    "stripped-text": mail.text ?? "",
    "stripped-html": mail.html ?? "",
    "stripped-signature": "",
    "message-headers": headers,
    "content-id-map": {},
    attachments: (mail.attachments ?? []).map(({ filename, size, content_type }) => ({
      name: filename ?? "",
      size,
      "content-type": content_type ?? "application/octet-stream",
      url: env.ctx.eventUrl(event.id),
    })),
  });
}

/**
 * `GET /v3/domains` and `GET /v4/domains`: domains in the settings, and sending domains of
 * messages.
 */
export function listDomains(_call: IngressCall, env: Env): Response {
  const names = new Set(env.values.domains);
  for (const { meta } of held(env)) if (typeof meta.domain === "string") names.add(meta.domain);
  const items = [...names].map(toDomain);
  return answer({ total_count: items.length, items });
}

/** `GET /v3/domains/{domain}` and `GET /v4/domains/{domain}` */
export function getDomain(call: IngressCall): Response {
  return answer({
    domain: toDomain(domainOf(call)),
    receiving_dns_records: [],
    sending_dns_records: [],
  });
}

function toDomain(name: string) {
  return {
    id: name,
    name,
    state: "active",
    type: "custom",
    is_disabled: false,
    wildcard: false,
    spam_action: "disabled",
    require_tls: false,
    skip_verification: false,
    smtp_login: `postmaster@${name}`,
    web_prefix: "email",
    web_scheme: "https",
    created_at: "Thu, 01 Jan 2026 00:00:00 UTC",
  };
}

function held({ ctx: { plugin, events } }: Env, domain?: string): readonly MailEvent[] {
  const own = events.list({ plugin, provider: PROVIDER, type: "mail.message" }) as MailEvent[];
  return domain === undefined ? own : own.filter(({ meta }) => meta.domain === domain);
}

type Entry = ReturnType<typeof toEntry>;

function entriesOf(event: MailEvent, env: Env): readonly Entry[] {
  return recipientsOf(event.payload).flatMap((recipient) =>
    (["delivered", "accepted"] as const).map((kind) => toEntry(event, { kind, recipient, env }))
  );
}

/** Returns an event as the vendor's log and its webhooks have it. */
export function toEntry(
  { id, payload: mail, meta, received_at }: MailEvent,
  { kind, recipient, env }: { kind: string; recipient: string; env: Env },
) {
  const key = encodeStorageKey(id);
  const options = meta.options as Readonly<Record<string, string>> | undefined;
  return {
    event: kind,
    id: `${kind}-${id}-${recipient}`,
    timestamp: received_at.getTime() / 1000 + (kind === "delivered" ? 0.001 : 0),
    "log-level": "info",
    recipient,
    "recipient-domain": recipient.slice(recipient.lastIndexOf("@") + 1),
    method: "HTTP",
    tags: Array.isArray(meta.tags) ? meta.tags : [],
    campaigns: [],
    "user-variables": meta.variables ?? {},
    flags: {
      "is-routed": false,
      "is-authenticated": true,
      "is-system-test": false,
      "is-test-mode": options?.testmode === "yes" || options?.testmode === "true",
    },
    envelope: { sender: mail.from.email, targets: recipient, transport: "smtp" },
    message: {
      headers: {
        to: list(mail.to),
        from: formatAddress(mail.from),
        subject: mail.subject ?? "",
        "message-id": String(meta.message_id ?? "").replace(/^<|>$/g, ""),
      },
      attachments: (mail.attachments ?? []).map(({ filename, size, content_type }) => ({
        filename: filename ?? "",
        size,
        "content-type": content_type ?? "application/octet-stream",
      })),
      size: (mail.text ?? "").length + (mail.html ?? "").length,
    },
    storage: { key, url: `${env.ctx.ingressUrl()}/v3/domains/${meta.domain}/messages/${key}` },
    ...(kind === "delivered" && {
      "delivery-status": {
        code: 250,
        message: "OK",
        description: "",
        "attempt-no": 1,
        "mx-host": "standin.invalid",
        tls: true,
        utf8: true,
        "certificate-verified": true,
        "session-seconds": 0,
      },
    }),
  };
}

/** Texts of an entry by the name of a filter. */
const FILTERS: Readonly<Record<string, (entry: Entry) => readonly string[]>> = {
  event: ({ event }) => [event],
  recipient: ({ recipient }) => [recipient],
  recipients: ({ recipient }) => [recipient],
  from: ({ message }) => [message.headers.from],
  to: ({ message }) => [message.headers.to],
  subject: ({ message }) => [message.headers.subject],
  "message-id": ({ message }) => [message.headers["message-id"]],
  tags: ({ tags }) => tags.map(String),
};

/** A filter can have alternatives: `accepted OR delivered`. */
function fits(entry: Entry, query: URLSearchParams): boolean {
  const begin = toSeconds(query.get("begin"));
  const end = toSeconds(query.get("end"));
  const [from, to] = begin !== undefined && end !== undefined && begin > end
    ? [end, begin]
    : [begin, end];
  if (from !== undefined && entry.timestamp < from) return false;
  if (to !== undefined && entry.timestamp > to) return false;
  return [...query].every(([name, value]) => {
    const texts = ownValue(FILTERS, name)?.(entry);
    if (texts === undefined) return true;
    const words = value.split(/\s(?:OR|or)\s/).map((word) =>
      word.trim().replace(/^["<]|[">]$/g, "").toLowerCase()
    );
    return texts.some((text) => words.some((word) => text.toLowerCase().includes(word)));
  });
}

/** An epoch in seconds, or a date of RFC 2822. */
function toSeconds(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

function readPage(token: string | undefined): number | undefined {
  if (token === undefined) return 0;
  try {
    const digits = /^page:(\d{1,9})$/.exec(atob(token))?.[1];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
}

function recipientsOf({ to = [], cc = [], bcc = [] }: MailMessage): readonly string[] {
  return [...to, ...cc, ...bcc].map(({ email }) => email);
}

function list(addresses: readonly Address[] = []): string {
  return addresses.map(formatAddress).join(", ");
}
