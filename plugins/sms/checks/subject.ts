import { placeIn } from "../../../core/checks/place.ts";
import type { CapturedEvent, CheckPlace } from "../../../core/plugin.ts";
import type { SmsMessage } from "../model.ts";

/**
 * The subject of the checks of a text message: the message, and further parameters of its request.
 */
export interface SmsSubject extends SmsMessage {
  readonly provider: string;
  readonly meta: CapturedEvent["meta"];
}

/** Reads a message for its checks. */
export function readSubject({ payload, provider, meta }: CapturedEvent): SmsSubject {
  return { ...payload as SmsMessage, provider, meta };
}

/** Returns whether the body is bytes in hexadecimal, as Vonage accepts them. */
export function isBinary({ provider, meta }: SmsSubject): boolean {
  return provider === "sms3" && meta.type === "binary";
}

/** Returns the place of a text from `start` on. */
export function placeFrom(body: string, start: number): CheckPlace {
  return placeIn("body", body, { start, end: body.length });
}
