import type { CapturedEvent, EventText } from "../../core/plugin.ts";
import type { SmsMessage } from "./model.ts";

/** The body. */
export function textsOfSms(event: CapturedEvent): EventText[] {
  return [{ kind: "plain", text: (event as CapturedEvent<SmsMessage>).payload.body }];
}
