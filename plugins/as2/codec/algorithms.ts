/** Object identifiers of CMS algorithms, with their names in MIME: RFC 3370, 4055, 5084, 5751, 5754, 8103. */

/** A digest, as `node:crypto` names it. */
export type DigestName =
  | "md5"
  | "sha1"
  | "sha224"
  | "sha256"
  | "sha384"
  | "sha512"
  | "sha3-256"
  | "sha3-384"
  | "sha3-512";

/** Digests by object identifier. */
export const DIGEST_OIDS: ReadonlyMap<string, DigestName> = new Map<string, DigestName>([
  ["1.2.840.113549.2.5", "md5"],
  ["1.3.14.3.2.26", "sha1"],
  ["2.16.840.1.101.3.4.2.4", "sha224"],
  ["2.16.840.1.101.3.4.2.1", "sha256"],
  ["2.16.840.1.101.3.4.2.2", "sha384"],
  ["2.16.840.1.101.3.4.2.3", "sha512"],
  ["2.16.840.1.101.3.4.2.8", "sha3-256"],
  ["2.16.840.1.101.3.4.2.9", "sha3-384"],
  ["2.16.840.1.101.3.4.2.10", "sha3-512"],
]);

/** Object identifiers by digest. */
export const OID_OF_DIGEST: ReadonlyMap<DigestName, string> = new Map(
  [...DIGEST_OIDS].map(([oid, name]) => [name, oid]),
);

/** A signature algorithm. */
export interface SignatureAlgorithm {
  readonly name: string;
  readonly kind: "rsa" | "pss" | "ecdsa" | "eddsa";
  /** Digest that the identifier implies. */
  readonly digest?: DigestName;
}

/** `id-RSASSA-PSS` (RFC 4055 section 3.1). */
export const PSS_OID = "1.2.840.113549.1.1.10";

/** Signature algorithms by object identifier. */
export const SIGNATURE_OIDS: ReadonlyMap<string, SignatureAlgorithm> = new Map<
  string,
  SignatureAlgorithm
>([
  ["1.2.840.113549.1.1.1", { name: "RSA", kind: "rsa" }],
  ["1.2.840.113549.1.1.4", { name: "RSA-MD5", kind: "rsa", digest: "md5" }],
  ["1.2.840.113549.1.1.5", { name: "RSA-SHA1", kind: "rsa", digest: "sha1" }],
  ["1.3.14.3.2.29", { name: "RSA-SHA1", kind: "rsa", digest: "sha1" }],
  ["1.2.840.113549.1.1.14", { name: "RSA-SHA224", kind: "rsa", digest: "sha224" }],
  ["1.2.840.113549.1.1.11", { name: "RSA-SHA256", kind: "rsa", digest: "sha256" }],
  ["1.2.840.113549.1.1.12", { name: "RSA-SHA384", kind: "rsa", digest: "sha384" }],
  ["1.2.840.113549.1.1.13", { name: "RSA-SHA512", kind: "rsa", digest: "sha512" }],
  [PSS_OID, { name: "RSASSA-PSS", kind: "pss" }],
  ["1.2.840.10045.4.1", { name: "ECDSA-SHA1", kind: "ecdsa", digest: "sha1" }],
  ["1.2.840.10045.4.3.1", { name: "ECDSA-SHA224", kind: "ecdsa", digest: "sha224" }],
  ["1.2.840.10045.4.3.2", { name: "ECDSA-SHA256", kind: "ecdsa", digest: "sha256" }],
  ["1.2.840.10045.4.3.3", { name: "ECDSA-SHA384", kind: "ecdsa", digest: "sha384" }],
  ["1.2.840.10045.4.3.4", { name: "ECDSA-SHA512", kind: "ecdsa", digest: "sha512" }],
  ["1.3.101.112", { name: "Ed25519", kind: "eddsa" }],
]);

/** A content cipher. */
export interface CipherAlgorithm {
  readonly name: string;
  readonly kind: "aes-cbc" | "aes-gcm" | "des3" | "des" | "rc2";
  /** Octets of the key, if the identifier fixes them. */
  readonly keyBytes?: number;
}

/** Content ciphers by object identifier. */
export const CIPHER_OIDS: ReadonlyMap<string, CipherAlgorithm> = new Map<string, CipherAlgorithm>([
  ["2.16.840.1.101.3.4.1.2", { name: "AES-128-CBC", kind: "aes-cbc", keyBytes: 16 }],
  ["2.16.840.1.101.3.4.1.22", { name: "AES-192-CBC", kind: "aes-cbc", keyBytes: 24 }],
  ["2.16.840.1.101.3.4.1.42", { name: "AES-256-CBC", kind: "aes-cbc", keyBytes: 32 }],
  ["2.16.840.1.101.3.4.1.6", { name: "AES-128-GCM", kind: "aes-gcm", keyBytes: 16 }],
  ["2.16.840.1.101.3.4.1.26", { name: "AES-192-GCM", kind: "aes-gcm", keyBytes: 24 }],
  ["2.16.840.1.101.3.4.1.46", { name: "AES-256-GCM", kind: "aes-gcm", keyBytes: 32 }],
  ["1.2.840.113549.3.7", { name: "3DES-CBC", kind: "des3", keyBytes: 24 }],
  ["1.3.14.3.2.7", { name: "DES-CBC", kind: "des", keyBytes: 8 }],
  ["1.2.840.113549.3.2", { name: "RC2-CBC", kind: "rc2" }],
]);

/** Key transport algorithms by object identifier. */
export const KEY_TRANSPORT_OIDS: ReadonlyMap<string, "RSA" | "RSAES-OAEP"> = new Map<
  string,
  "RSA" | "RSAES-OAEP"
>([
  ["1.2.840.113549.1.1.1", "RSA"],
  ["1.2.840.113549.1.1.7", "RSAES-OAEP"],
]);

/** `id-alg-zlibCompress` (RFC 3274 section 2). */
export const ZLIB_OID = "1.2.840.113549.1.9.16.3.8";

/** Returns the digest that a MIME or AS2 parameter names in any spelling: `sha1`, `SHA-256`, `rsa-md5`. */
export function digestByName(spelled: string): DigestName | undefined {
  const plain = spelled.toLowerCase().replace(/["\s_-]/g, "").replace(/^rsa/, "");
  const name = plain.replace(/^sha3/, "sha3-") as DigestName;
  if (plain === "sha384") return "sha384";
  return OID_OF_DIGEST.has(name) ? name : undefined;
}

/** Returns the MIME name of a digest (RFC 5751 section 3.4.3.2). */
export function micalgOf(digest: DigestName): string {
  return digest.replace(/^sha(\d{3})$/, "sha-$1");
}
