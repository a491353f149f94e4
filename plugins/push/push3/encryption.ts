/**
 * Decrypts the payload of a push: RFC 8291 over RFC 8188 (`aes128gcm`), and the draft before it (`aesgcm`,
 * draft-ietf-webpush-encryption-04).
 *
 * ```
 * aes128gcm = salt (16) / record size (4) / length of key id (1) / key id: the sender's public key (65) / one record
 * record    = AES-128-GCM(payload / 0x02 / 0x00 ...) / tag (16)
 *
 * aesgcm    = AES-128-GCM(length of padding (2) / 0x00 ... / payload) / tag (16); salt and key are in the header
 * ```
 */
import { createCipheriv, createDecipheriv, createECDH, createHmac } from "node:crypto";
import { concat } from "../../../core/bytes/concat.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { POINT_BYTES } from "./base64url.ts";
import type { SubscriptionKeys } from "./subscription.ts";

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 4 + 1;
/** RFC 8188 section 2: smaller ones are invalid. */
const MIN_RECORD = 18;

const encoder = new TextEncoder();

/** Parameters in the header of an `aesgcm` request. */
export interface AesgcmHeader {
  readonly salt: Uint8Array;
  /** The sender's public key. */
  readonly senderKey: Uint8Array;
  /** Record size; 4096 unless sent. */
  readonly recordSize: number;
}

/** Decrypts a body in `aes128gcm`. Throws `WireError` with the reason why a user agent would discard it. */
export function decryptAes128gcm(body: Uint8Array, keys: SubscriptionKeys): Uint8Array {
  if (body.length < HEADER_BYTES) {
    throw new WireError("truncated", `its header has ${body.length} of ${HEADER_BYTES} bytes`);
  }
  const salt = body.subarray(0, SALT_BYTES);
  const recordSize = new DataView(body.buffer, body.byteOffset).getUint32(SALT_BYTES);
  const keyLength = body[SALT_BYTES + 4]!;
  if (keyLength !== POINT_BYTES) {
    throw new WireError("syntax", `its key id has ${keyLength} bytes; expected a key of 65`);
  }
  if (recordSize < MIN_RECORD) {
    throw new WireError("syntax", `its record size is ${recordSize}; expected at least 18`);
  }
  const senderKey = body.subarray(HEADER_BYTES, HEADER_BYTES + POINT_BYTES);
  const record = body.subarray(HEADER_BYTES + POINT_BYTES);
  // RFC 8291 section 4: exactly one record.
  if (record.length > recordSize) {
    throw new WireError("syntax", "it has more than one record, which user agents discard");
  }
  const padded = open(
    record,
    recordKeys({
      salt,
      auth: keys.auth,
      secret: agree(keys.privateKey, senderKey),
      publicKeys: [keys.publicKey, senderKey],
    }),
  );
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) {
    throw new WireError("syntax", "its record does not end with the delimiter of the last one");
  }
  return padded.subarray(0, end);
}

/** Encrypts a payload in `aes128gcm` for a subscription, as an application server does. */
export function encryptAes128gcm(
  payload: Uint8Array,
  to: Pick<SubscriptionKeys, "publicKey" | "auth">,
  { privateKey, salt }: { readonly privateKey: Uint8Array; readonly salt: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const sender = createECDH("prime256v1");
  sender.setPrivateKey(privateKey);
  const senderKey = new Uint8Array(sender.getPublicKey());
  const { key, nonce } = recordKeys({
    salt,
    auth: to.auth,
    secret: agree(privateKey, to.publicKey),
    publicKeys: [to.publicKey, senderKey],
  });
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const record = [cipher.update(payload), cipher.update(new Uint8Array([2])), cipher.final()];
  const recordSize = new Uint8Array([0, 0, 16, 0]);
  const header = [salt, recordSize, new Uint8Array([POINT_BYTES]), senderKey];
  return concat([...header, ...record, cipher.getAuthTag()]);
}

/** Content encryption key and nonce of the only record (RFC 8291 section 3.4). */
function recordKeys(
  { salt, auth, secret, publicKeys }: {
    readonly salt: Uint8Array;
    readonly auth: Uint8Array;
    readonly secret: Uint8Array;
    /** Public keys of the user agent, then of the sender. */
    readonly publicKeys: readonly [Uint8Array, Uint8Array];
  },
): { readonly key: Uint8Array; readonly nonce: Uint8Array } {
  const ikm = hkdf(auth, secret, {
    info: concat([encoder.encode("WebPush: info\0"), ...publicKeys]),
    bytes: 32,
  });
  return {
    key: hkdf(salt, ikm, { info: encoder.encode("Content-Encoding: aes128gcm\0"), bytes: 16 }),
    nonce: hkdf(salt, ikm, { info: encoder.encode("Content-Encoding: nonce\0"), bytes: 12 }),
  };
}

/** Decrypts a body in `aesgcm`. Throws `WireError` with the reason why a user agent would discard it. */
export function decryptAesgcm(
  body: Uint8Array,
  keys: SubscriptionKeys,
  { salt, senderKey, recordSize }: AesgcmHeader,
): Uint8Array {
  if (salt.length !== SALT_BYTES) {
    throw new WireError("syntax", `its salt has ${salt.length} bytes; expected 16`);
  }
  // A full record means that another follows.
  if (body.length >= recordSize + TAG_BYTES) {
    throw new WireError("syntax", "it has more than one record, which user agents discard");
  }
  const ikm = hkdf(keys.auth, agree(keys.privateKey, senderKey), {
    info: encoder.encode("Content-Encoding: auth\0"),
    bytes: 32,
  });
  const length = new Uint8Array([0, POINT_BYTES]);
  const context = concat([
    encoder.encode("P-256\0"),
    length,
    keys.publicKey,
    length,
    senderKey,
  ]);
  const padded = open(body, {
    key: hkdf(salt, ikm, {
      info: concat([encoder.encode("Content-Encoding: aesgcm\0"), context]),
      bytes: 16,
    }),
    nonce: hkdf(salt, ikm, {
      info: concat([encoder.encode("Content-Encoding: nonce\0"), context]),
      bytes: 12,
    }),
  });
  const padding = padded.length < 2 ? Infinity : padded[0]! * 256 + padded[1]!;
  if (padding > padded.length - 2) {
    throw new WireError("syntax", "its padding is longer than the record");
  }
  return padded.subarray(2 + padding);
}

function agree(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  try {
    return new Uint8Array(pair.computeSecret(publicKey));
  } catch {
    throw new WireError("syntax", "the sender's key is not a point of P-256");
  }
}

/** RFC 5869, for outputs of at most 32 bytes. */
function hkdf(
  salt: Uint8Array,
  ikm: Uint8Array,
  { info, bytes }: { readonly info: Uint8Array; readonly bytes: number },
): Uint8Array {
  const key = createHmac("sha256", salt).update(ikm).digest();
  const output = createHmac("sha256", key).update(info).update(new Uint8Array([1])).digest();
  return new Uint8Array(output).subarray(0, bytes);
}

function open(
  record: Uint8Array,
  { key, nonce }: { readonly key: Uint8Array; readonly nonce: Uint8Array },
): Uint8Array {
  if (record.length <= TAG_BYTES) {
    throw new WireError("truncated", `its record has ${record.length} bytes; expected at least 17`);
  }
  const end = record.length - TAG_BYTES;
  const cipher = createDecipheriv("aes-128-gcm", key, nonce);
  cipher.setAuthTag(record.subarray(end));
  try {
    const text = cipher.update(record.subarray(0, end));
    cipher.final();
    return new Uint8Array(text);
  } catch {
    throw new WireError("syntax", "it was not encrypted for the keys of this subscription");
  }
}
