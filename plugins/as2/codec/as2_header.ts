/**
 * Header fields of AS2: RFC 4130 section 6, and the receipt options of RFC 3798 section 2.2.
 *
 *     AS2-name = quoted-string / atomic, 1 to 128 printable characters
 *     Disposition-Notification-Options = parameter *( ";" parameter )
 *     parameter = name "=" ( "required" / "optional" ) "," value *( "," value )
 *
 * @module
 */
import { compact } from "../../../core/compact.ts";
import type { ReceiptRequest } from "../model.ts";

/** Returns the name of a partner, without its quotes (section 6.2). */
export function readAs2Name(value: string): string {
  const text = value.trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(text);
  return quoted === null ? text : quoted[1]!.replace(/\\(.)/gs, "$1");
}

/** Decodes a header value, which has one character for each octet, as UTF-8 if valid. */
export function readOctetText(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  try {
    const octets = Uint8Array.from(value, (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(octets);
  } catch {
    return value;
  }
}

/** Looks up a header field, in any case. */
export interface HeaderLookup {
  get(name: string): string | null;
}

/** Reads the receipt request. */
export function readReceiptRequest(headers: HeaderLookup): ReceiptRequest {
  const notifyTo = headers.get("disposition-notification-to");
  const options = headers.get("disposition-notification-options");
  const asyncUrl = headers.get("receipt-delivery-option");
  const parameters = readOptions(options ?? "");
  const protocol = parameters.get("signed-receipt-protocol");
  const micalg = parameters.get("signed-receipt-micalg");
  const signs = protocol?.values.some(isPkcs7) ?? false;
  return {
    requested: notifyTo !== null,
    signed_requested: notifyTo !== null && signs,
    ...compact({
      async_url: asyncUrl ?? undefined,
      notify_to: notifyTo ?? undefined,
      options: options ?? undefined,
      protocol: protocol?.values.join(", "),
      signed_importance: protocol?.importance,
      mic_algs: micalg?.values,
    }),
  };
}

/** Returns the signature format of AS2; some senders write it with an `x-`. */
export function isPkcs7(protocol: string): boolean {
  return /^(application\/)?(x-)?pkcs7-signature$/i.test(protocol.trim());
}

interface ReceiptOption {
  readonly importance: string;
  readonly values: string[];
}

function readOptions(text: string): ReadonlyMap<string, ReceiptOption> {
  const found = new Map<string, ReceiptOption>();
  for (const part of text.split(";").slice(0, 50)) {
    const equals = part.indexOf("=");
    if (equals < 0) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    const words = part.slice(equals + 1).split(",").slice(0, 50)
      .map((word) => word.trim().replace(/^"(.*)"$/, "$1")).filter((word) => word !== "");
    const first = words[0]?.toLowerCase() ?? "";
    const stated = first === "required" || first === "optional";
    // Some senders omit the importance: its place then holds a value.
    if (!found.has(name)) {
      found.set(name, {
        importance: stated ? first : "optional",
        values: stated ? words.slice(1) : words,
      });
    }
  }
  return found;
}
