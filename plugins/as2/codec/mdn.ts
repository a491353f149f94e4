/**
 * Message disposition notifications: RFC 3798 in the form of RFC 4130 section 7.
 *
 *     multipart/report; report-type=disposition-notification
 *       text/plain                          for people
 *       message/disposition-notification    Reporting-UA, Original-Recipient, Final-Recipient, Original-Message-ID,
 *                                           Disposition, Received-Content-MIC
 *
 * A signed one is a multipart/signed (RFC 1847) around it. Every line ends in CRLF.
 */

/** What a receipt says. */
export interface MdnContent {
  readonly reportingUa: string;
  /** Without quotes; empty when the message did not name it. */
  readonly recipient: string;
  /** As received. */
  readonly originalMessageId?: string | undefined;
  readonly disposition: string;
  /** `<base64>, <algorithm>`. */
  readonly mic?: string | undefined;
  /** For people; CRLF or LF between its lines. */
  readonly humanText: string;
  /** Not to occur in the text. */
  readonly boundary: string;
}

/** A MIME entity: its Content-Type, and its body. */
export interface MdnEntity {
  readonly contentType: string;
  readonly body: string;
}

/** The report, unsigned. */
export function composeReport(content: MdnContent): MdnEntity {
  const { boundary, recipient, originalMessageId, mic } = content;
  const address = `rfc822; ${oneLine(recipient)}`;
  const fields = [
    `Reporting-UA: ${oneLine(content.reportingUa)}`,
    ...(recipient === "" ? [] : [`Original-Recipient: ${address}`]),
    // Required, even where the message did not say who it is for (RFC 3798 section 3.2.4).
    `Final-Recipient: ${recipient === "" ? "rfc822; unknown" : address}`,
    ...(originalMessageId === undefined
      ? []
      : [`Original-Message-ID: ${oneLine(originalMessageId)}`]),
    `Disposition: ${content.disposition}`,
    ...(mic === undefined ? [] : [`Received-Content-MIC: ${oneLine(mic)}`]),
  ];
  const lines = [
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    ...content.humanText.split(/\r?\n/),
    `--${boundary}`,
    "Content-Type: message/disposition-notification",
    "Content-Transfer-Encoding: 8bit",
    "",
    ...fields,
    "",
    `--${boundary}--`,
    "",
  ];
  return {
    contentType: `multipart/report; report-type=disposition-notification; boundary="${boundary}"`,
    body: lines.join("\r\n"),
  };
}

/** The bytes that a signature over the report covers. */
export function toSignedText(report: MdnEntity): string {
  return `Content-Type: ${report.contentType}\r\n\r\n${report.body}`;
}

/** Report and signature, put together. `signature` is base64. */
export function composeSigned(
  report: MdnEntity,
  { boundary, micalg, signature }: { boundary: string; micalg: string; signature: string },
): MdnEntity {
  const lines = [
    `--${boundary}`,
    toSignedText(report),
    `--${boundary}`,
    'Content-Type: application/pkcs7-signature; name="smime.p7s"; smime-type=signed-data',
    "Content-Transfer-Encoding: base64",
    'Content-Disposition: attachment; filename="smime.p7s"',
    "",
    ...(signature.match(/.{1,76}/g) ?? []),
    `--${boundary}--`,
    "",
  ];
  return {
    contentType: 'multipart/signed; protocol="application/pkcs7-signature"; ' +
      `micalg=${micalg}; boundary="${boundary}"`,
    body: lines.join("\r\n"),
  };
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
