/** Public keys as their TXT records: RFC 6376 section 3.6.1, and RFC 8463 section 4 for Ed25519. */
import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import { failure, type Result, success } from "../../../../core/result.ts";
import { parseTags, withoutSpace } from "./tags.ts";

/** A key that signatures are verified with. */
export interface DkimKey {
  readonly type: "rsa" | "ed25519";
  readonly key: KeyObject;
  /** Length of an RSA key; 256 for Ed25519. */
  readonly bits: number;
  /** Letters of `t=`. */
  readonly flags: readonly string[];
}

/** Octets of an Ed25519 key. */
const ED25519_LENGTH = 32;

/** Parses a record. Returns the reason for an unusable one. */
export function parseKey(record: string): Result<DkimKey, string> {
  const tags = parseTags(record);
  if (tags === undefined) return failure("it is not a list of tags such as v=DKIM1; k=rsa; p=...");
  const version = tags.get("v");
  if (version !== undefined && (version !== "DKIM1" || [...tags.keys()][0] !== "v")) {
    return failure("v is not DKIM1, or not the first tag");
  }
  const words = (name: string) => tags.get(name)?.split(":").map((word) => word.trim());
  if (words("h")?.includes("sha256") === false) return failure("h does not contain sha256");
  const services = words("s") ?? ["*"];
  if (!services.includes("*") && !services.includes("email")) return failure("s is not for mail");
  const type = tags.get("k") ?? "rsa";
  if (type !== "rsa" && type !== "ed25519") return failure(`k=${type} is neither rsa nor ed25519`);
  const data = tags.get("p");
  if (data === undefined) return failure("p is missing");
  if (data === "") return failure("p is empty: the key is revoked");
  const key = keyOf(type, Buffer.from(withoutSpace(data), "base64"));
  if (key?.asymmetricKeyType !== type) return failure(`p is not a Base64 ${type} key`);
  const bits = type === "rsa" ? key.asymmetricKeyDetails?.modulusLength ?? 0 : 256;
  return success({ type, key, bits, flags: words("t") ?? [] });
}

function keyOf(type: DkimKey["type"], bytes: Buffer): KeyObject | undefined {
  try {
    if (type === "ed25519") {
      if (bytes.length !== ED25519_LENGTH) return undefined;
      const x = bytes.toString("base64url");
      return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
    }
    try {
      return createPublicKey({ key: bytes, format: "der", type: "spki" });
    } catch {
      // The RFC's grammar says RSAPublicKey; its examples, and all signers, use
      // SubjectPublicKeyInfo.
      return createPublicKey({ key: bytes, format: "der", type: "pkcs1" });
    }
  } catch {
    return undefined;
  }
}

/** Name of the record of a selector. */
export function keyName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`.toLowerCase();
}

/** Throws `TypeError` or `RangeError` for a setting that is not a name with a record. */
export function checkKeySetting(name: string, record: string): void {
  if (!/^[^\s.]+(?:\.[^\s.]+)*\._domainkey\.[^\s.]+(?:\.[^\s.]+)*$/i.test(name)) {
    throw new TypeError(`"${name}": expected a name such as "selector._domainkey.example.org"`);
  }
  const key = parseKey(record);
  if (!key.ok) throw new RangeError(`"${name}": expected a DKIM key; ${key.refusal}`);
}
