/** Events that all HTTP mail vendors report: for each recipient of a message. */
import { defineOptions, optionalText, type OptionSet, text } from "../../core/options/spec.ts";
import type { CallbackKind, CapturedEvent, OutgoingCall } from "../../core/plugin.ts";
import type { MailMessage } from "./model.ts";

/** A captured email. */
export type MailEvent = CapturedEvent<MailMessage>;

const recipient = optionalText("Recipient that the callback is about; by default every recipient");

/** Parameters of most reports. */
const RECIPIENT = defineOptions({ recipient });
/** Parameters of a report with a reason. */
export const withReason = (reason: string) =>
  defineOptions({ recipient, reason: text("Reason that the receiving server gives", reason) });
/** Parameters of a click. */
export const CLICK = defineOptions({
  recipient,
  url: text("Link that was followed", "https://example.com/"),
});
/** Parameters of a reply. */
export const REPLY = defineOptions({ body: text("Text of the reply", "Thank you") });

/** Returns a function that declares reports, all documented on one page of the vendor. */
export function reportKinds(
  source: string,
): (label: string, about: string, params?: OptionSet) => CallbackKind {
  return (label, about, params = RECIPIENT) => ({ label, about, source, params });
}

/** User agent of a browser, for reports of opened emails. */
export const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/**
 * Returns the recipients of a report. Throws `RangeError` for one that the email was not sent to.
 */
export function recipientsOf(
  { payload: { to = [], cc = [], bcc = [] } }: MailEvent,
  wanted: unknown,
): readonly { readonly email: string; readonly index: number }[] {
  const all = [...to, ...cc, ...bcc].map(({ email }, index) => ({ email, index }));
  if (typeof wanted !== "string") return all;
  const found = all.filter(({ email }) => email.toLowerCase() === wanted.toLowerCase());
  if (found.length > 0) return found;
  const known = all.map(({ email }) => email).join(", ");
  throw new RangeError(`Cannot report about "${wanted}": recipients are ${known}`);
}

/** Returns the address for reports. Throws `RangeError` without one. */
export function webhookOf(webhook: string | undefined, provider: string): string {
  if (webhook !== undefined) return webhook;
  throw new RangeError(
    `Cannot report events: set [callbacks.webhooks] ${provider} (--callbacks-webhook-${provider})`,
  );
}

/** Returns whether an event is an email. */
export function isMail(event: CapturedEvent): event is MailEvent {
  return event.type === "mail.message";
}

/** `name <local@domain>`, or the address alone. */
export function formatMailbox({ email, name }: MailMessage["from"]): string {
  return name === undefined ? email : `${name} <${email}>`;
}

/** A report as JSON, for vendors that do not name themselves in a header field. */
export function jsonReport(name: string, url: string, value: unknown): OutgoingCall {
  return {
    name,
    url,
    headers: [["Content-Type", "application/json"], ["User-Agent", "standin"]],
    body: new TextEncoder().encode(JSON.stringify(value)),
  };
}
