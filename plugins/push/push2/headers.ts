/**
 * Request headers of the APNs provider API
 * (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns). Each has the
 * vendor's name and a neutral one.
 *
 * ```
 * :method POST   :path /3/device/<token>   authorization bearer <JWT> apns-topic  apns-push-type  apns-id (UUID)
 * apns-expiration (epoch seconds)  apns-priority (1, 5, 10)  apns-collapse-id
 * ```
 */
import { compact } from "../../../core/compact.ts";
import type { HeaderPairs } from "../../../core/events/event.ts";
import type { PushDelivery, PushExpiry, PushPriority } from "../model.ts";
import type { VendorRefusal } from "./reply.ts";

/** Prefixes of header names: the vendor's and the neutral one. */
const PREFIXES = ["apns-", "push2-"] as const;

const NAMES = [
  "id",
  "topic",
  "push-type",
  "expiration",
  "priority",
  "collapse-id",
  "request-id",
  "channel-id",
] as const;
type Name = typeof NAMES[number];

/** The documented push types. */
const PUSH_TYPES: ReadonlySet<string> = new Set([
  "alert",
  "background",
  "complication",
  "controls",
  "fileprovider",
  "liveactivity",
  "location",
  "mdm",
  "pushtotalk",
  "voip",
  "widgets",
]);

const PRIORITIES: Readonly<Record<string, PushPriority>> = { 10: "high", 5: "normal", 1: "low" };

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Longest collapse id, in bytes. */
const MAX_COLLAPSE_ID = 64;
/** 9999-12-31T23:59:59Z: later moments have no RFC 3339 form. */
const LAST_SECOND = 253_402_300_799;

/** The headers of a request as sent; an empty one counts as absent. */
export type PushHeaders = { readonly [N in Name]?: string | undefined };

/** Headers by name in either spelling. */
const FIELDS: ReadonlyMap<string, Name> = new Map(
  NAMES.flatMap((name) => PREFIXES.map((prefix) => [`${prefix}${name}`, name] as const)),
);

/** Returns the headers by their name without prefix, or `"duplicate"` when one was sent more than once. */
export function readHeaders(pairs: HeaderPairs): PushHeaders | "duplicate" {
  const found: { [N in Name]?: string } = {};
  const spellings = new Set<string>();
  for (const [spelled, sent] of pairs) {
    const spelling = spelled.toLowerCase();
    const name = FIELDS.get(spelling);
    if (name === undefined) continue;
    if (spellings.has(spelling)) return "duplicate";
    spellings.add(spelling);
    const value = sent.trim();
    if (value === "") continue;
    // HTTP/2 joins repeated fields by commas; only a collapse id may contain a comma itself.
    if (name !== "collapse-id" && value.includes(",")) return "duplicate";
    if (found[name] !== undefined && found[name] !== value) return "duplicate";
    found[name] = value;
  }
  return found;
}

/** Returns the id even of an invalid request: clients match responses by it. */
export function requestId(pairs: HeaderPairs): string | undefined {
  for (const prefix of PREFIXES) {
    const value = pairs.find(([name]) => name.toLowerCase() === `${prefix}id`)?.[1].trim();
    // Other characters could not be sent back.
    if (value !== undefined && /^[\x20-\x7e]+$/.test(value)) return value;
  }
  return undefined;
}

/** Returns every header of the vendor's family, by name as sent. */
export function familyHeaders(pairs: HeaderPairs): Readonly<Record<string, string>> {
  const family: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    if (PREFIXES.some((prefix) => lower.startsWith(prefix))) family[lower] = value;
  }
  return family;
}

/** Returns the first fault of the headers. */
export function checkHeaders(headers: PushHeaders): VendorRefusal | undefined {
  const { id, expiration, priority } = headers;
  const request = headers["request-id"];
  if ([id, request].some((one) => one !== undefined && !UUID.test(one))) return "BadMessageId";
  if (expiration !== undefined && !/^\d{1,15}$/.test(expiration)) return "BadExpirationDate";
  if (priority !== undefined && !Object.hasOwn(PRIORITIES, priority)) return "BadPriority";
  const type = headers["push-type"];
  if (type !== undefined && !PUSH_TYPES.has(type)) return "InvalidPushType";
  const bytes = new TextEncoder().encode(headers["collapse-id"]).length;
  return bytes > MAX_COLLAPSE_ID ? "BadCollapseId" : undefined;
}

/** Delivery as the headers request it. Expects checked headers. */
export function toDelivery(headers: PushHeaders): PushDelivery {
  const { expiration, priority } = headers;
  return compact({
    priority: PRIORITIES[priority ?? ""],
    priority_raw: priority,
    collapse_key: headers["collapse-id"],
    expiry: expiration === undefined ? undefined : toExpiry(expiration),
  });
}

function toExpiry(raw: string): PushExpiry {
  const epoch = Number(raw);
  return {
    ...(epoch > 0 && epoch <= LAST_SECOND && { at: new Date(epoch * 1000).toISOString() }),
    immediate: epoch === 0,
    raw,
  };
}
