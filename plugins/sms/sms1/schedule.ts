/** Scheduled messages: https://www.twilio.com/docs/messaging/features/message-scheduling */
import type { SmsEvent } from "../views.ts";
import type { Change } from "./store.ts";

const MINUTE_MS = 60_000;
/** https://www.twilio.com/docs/api/errors/35115, which has shortened it from 15 minutes. */
const EARLIEST_MS = 5 * MINUTE_MS;
const LATEST_MS = 35 * 24 * 60 * MINUTE_MS;
/** ISO 8601 in UTC; SDKs write fractions, or none. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]00:?00)$/;

/** Schedule parameters of a new message. */
export interface Scheduling {
  readonly type: unknown;
  readonly sendAt: unknown;
  /** Messaging service. Without one, the vendor ignores the schedule and sends at once. */
  readonly service: string | undefined;
}

/** Returns the time to send; `undefined` for a time that the vendor does not support. */
export function readSchedule(
  { type, sendAt, service }: Scheduling,
  now: Date,
): "now" | "later" | undefined {
  if (type !== "fixed" || service === undefined) return "now";
  const instant = typeof sendAt === "string" && INSTANT.test(sendAt) ? Date.parse(sendAt) : NaN;
  const aheadMs = instant - now.getTime();
  return aheadMs >= EARLIEST_MS && aheadMs <= LATEST_MS ? "later" : undefined;
}

/** Returns the state of a scheduled message at `now`. */
export function statusOf(event: SmsEvent, change: Change | undefined, now: Date): string {
  const { payload: { status = "queued" }, meta } = event;
  if (change?.canceled) return "canceled";
  if (change?.status !== undefined) return change.status;
  if (status !== "scheduled") return status;
  return now.getTime() < Date.parse(String(meta.send_at)) ? "scheduled" : "queued";
}
