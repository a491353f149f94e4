import type { CapturedEvent, EventText } from "../../core/plugin.ts";
import type { MailMessage } from "./model.ts";

/** Subject and bodies. */
export function textsOfMail(event: CapturedEvent): EventText[] {
  const { subject, text, html } = (event as CapturedEvent<MailMessage>).payload;
  return [
    ...(subject === undefined ? [] : [{ kind: "plain", text: subject } as const]),
    ...(text === undefined ? [] : [{ kind: "plain", text } as const]),
    ...(html === undefined ? [] : [{ kind: "html", text: html } as const]),
  ];
}
