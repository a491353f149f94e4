/**
 * Signed Event Webhook: ECDSA with P-256 and SHA-256 over the timestamp and the body, DER in base64.
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
import { createECDH, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";

/** Returns the key pair that a secret of 32 bytes determines. */
export function toKeyPair(secret: Uint8Array): { privateKey: KeyObject; publicKey: string } {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(secret);
  const point = new Uint8Array(ecdh.getPublicKey());
  const text = (bytes: Uint8Array): string =>
    bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  const privateKey = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      d: text(secret),
      x: text(point.subarray(1, 33)),
      y: text(point.subarray(33)),
    },
  });
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return { privateKey, publicKey: new Uint8Array(spki).toBase64() };
}

/** Signature of a body sent at a time in Unix seconds. */
export function signEvents(
  body: Uint8Array,
  { timestamp, privateKey }: { timestamp: string; privateKey: KeyObject },
): string {
  const prefix = new TextEncoder().encode(timestamp);
  const text = new Uint8Array(prefix.length + body.length);
  text.set(prefix);
  text.set(body, prefix.length);
  return new Uint8Array(sign("sha256", text, privateKey)).toBase64();
}
