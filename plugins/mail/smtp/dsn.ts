/**
 * Delivery status notifications: RFC 3464, in a `multipart/report` of RFC 6522.
 *
 * ```
 * text/plain                 for people
 * message/delivery-status    Reporting-MTA, then a block for each recipient
 * text/rfc822-headers        head of the message
 * ```
 */

/** Content of a notification. */
export interface DsnContent {
  /** Name of the reporting server. */
  readonly server: string;
  /** Return path of the message. */
  readonly sender: string;
  readonly recipients: readonly string[];
  /** `failed`, `delayed` or `delivered`: RFC 3464 section 2.3.3. */
  readonly action: "failed" | "delayed" | "delivered";
  /** RFC 3463, such as `5.1.1`. */
  readonly status: string;
  /** Reply of the receiving server. */
  readonly diagnostic: string;
  /** Head of the message. */
  readonly head: string;
  readonly arrivedAt: Date;
  readonly now: Date;
  /** Not in the texts. */
  readonly boundary: string;
}

const TITLES = {
  failed: "Failure",
  delayed: "Delay",
  delivered: "Success",
} as const;

/** Composes a notification; lines end in CRLF. */
export function composeDsn(content: DsnContent): string {
  const { server, sender, recipients, action, status, diagnostic, boundary } = content;
  const blocks = recipients.flatMap((recipient) => [
    `Final-Recipient: rfc822; ${oneLine(recipient)}`,
    `Action: ${action}`,
    `Status: ${oneLine(status)}`,
    `Diagnostic-Code: smtp; ${oneLine(diagnostic)}`,
    "",
  ]);
  return [
    `From: Mail Delivery System <MAILER-DAEMON@${server}>`,
    `To: <${oneLine(sender)}>`,
    `Subject: Delivery Status Notification (${TITLES[action]})`,
    `Date: ${formatDate(content.now)}`,
    `Message-ID: <${boundary}@${server}>`,
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    `This is the mail system at ${server}. Your message was ${action}:`,
    "",
    ...recipients.map((recipient) => `<${oneLine(recipient)}>: ${oneLine(diagnostic)}`),
    "",
    `--${boundary}`,
    "Content-Type: message/delivery-status",
    "",
    `Reporting-MTA: dns; ${server}`,
    `Arrival-Date: ${formatDate(content.arrivedAt)}`,
    "",
    ...blocks,
    `--${boundary}`,
    "Content-Type: text/rfc822-headers",
    "",
    ...content.head.split(/\r?\n/).filter((line) => line !== ""),
    "",
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

function formatDate(date: Date): string {
  return date.toUTCString().replace("GMT", "+0000");
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}
