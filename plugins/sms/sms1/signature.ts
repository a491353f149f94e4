import { createHmac } from "node:crypto";

/**
 * `X-Twilio-Signature`: HMAC-SHA1 over the address and the parameters of the form, sorted by name, with the auth token.
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export function signForm(
  url: string,
  fields: readonly (readonly [name: string, value: string])[],
  token: string,
): string {
  const sorted = fields.toSorted(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  const text = url + sorted.map(([name, value]) => name + value).join("");
  return createHmac("sha1", token).update(text).digest("base64");
}
