import type { CapturedEvent } from "../../../core/plugin.ts";
import type { SmsMessage } from "../model.ts";

/** The subject of the checks of a text message: the message, and what its vendor was told besides. */
export interface SmsSubject extends SmsMessage {
  readonly provider: string;
  readonly meta: CapturedEvent["meta"];
}

/** Reads a message for its checks. */
export function readSubject({ payload, provider, meta }: CapturedEvent): SmsSubject {
  return { ...payload as SmsMessage, provider, meta };
}

/** Returns whether the body is the hexadecimal form of bytes, as Vonage takes them. */
export function isBinary({ provider, meta }: SmsSubject): boolean {
  return provider === "sms3" && meta.type === "binary";
}
