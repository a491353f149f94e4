/**
 * Message disposition notifications: RFC 3798 in the form of RFC 4130 section 7.
 *
 *     multipart/report; report-type=disposition-notification
 *       text/plain                          for people
 *       message/disposition-notification    Reporting-UA, Original-Recipient, Final-Recipient, Original-Message-ID,
 *                                           Disposition, Received-Content-MIC
 *
 * A signed one is wrapped in a multipart/signed (RFC 1847). Every line ends in CRLF.
 */

/** Content of a receipt. */
export interface MdnContent {
  readonly reportingUa: string;
  /** Without quotes; empty if the message did not name it. */
  readonly recipient: string;
  /** As received. */
  readonly originalMessageId?: string | undefined;
  readonly disposition: string;
  /** `<base64>, <algorithm>`. */
  readonly mic?: string | undefined;
  /** Readable text; CRLF or LF between its lines. */
  readonly humanText: string;
  /** Must not occur in the text. */
  readonly boundary: string;
}

/** A MIME entity: its Content-Type and its body. */
export interface MdnEntity {
  readonly contentType: string;
  readonly body: string;
}

/** Builds the report, unsigned. */
export function composeReport(content: MdnContent): MdnEntity {
  const { boundary, recipient, originalMessageId, mic } = content;
  const address = `rfc822; ${oneLine(recipient)}`;
  const fields = [
    `Reporting-UA: ${oneLine(content.reportingUa)}`,
    ...(recipient === "" ? [] : [`Original-Recipient: ${address}`]),
    // Required, even if the message did not name its recipient (RFC 3798 section 3.2.4).
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

/** Returns the bytes that a signature over the report covers. */
export function toSignedText(report: MdnEntity): string {
  return `Content-Type: ${report.contentType}\r\n\r\n${report.body}`;
}

/** Joins report and signature. `signature` is base64. */
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
