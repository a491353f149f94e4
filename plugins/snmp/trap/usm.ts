/**
 * The User-based Security Model: keys (RFC 3414 section 2.6 and appendix A.2), authentication (section 6; RFC 7860 for
 * SHA-2), and privacy by DES (section 8) and AES (RFC 3826; 192 and 256 bits as draft-blumenthal-aes-usm-04 extends keys).
 */
import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { concat } from "../../../core/bytes/concat.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { unknownName } from "../../../core/options/suggest.ts";
import type { Security } from "./codec/message_v3.ts";

/** Hash of an authentication protocol, and octets of it that are sent. */
const AUTH_PROTOCOLS = {
  md5: { hash: "md5", sent: 12 },
  sha: { hash: "sha1", sent: 12 },
  sha224: { hash: "sha224", sent: 16 },
  sha256: { hash: "sha256", sent: 24 },
  sha384: { hash: "sha384", sent: 32 },
  sha512: { hash: "sha512", sent: 48 },
} as const;

/** Octets of the key of a privacy protocol. */
const PRIV_PROTOCOLS = { des: 16, aes: 16, aes192: 24, aes256: 32 } as const;

type AuthProtocol = keyof typeof AUTH_PROTOCOLS;
type PrivProtocol = keyof typeof PRIV_PROTOCOLS;

/** A user of the settings. */
export interface UsmUser {
  readonly name: string;
  readonly auth: AuthProtocol;
  readonly auth_password: string;
  readonly priv?: PrivProtocol;
  readonly priv_password?: string;
}

const KEYS = ["name", "auth", "auth_password", "priv", "priv_password"] as const;

/** Reads a user of the settings. Throws `TypeError` or `RangeError` with the key and what is valid. */
export function readUser(table: Readonly<Record<string, unknown>>): UsmUser {
  for (const key of Object.keys(table)) {
    if (!(KEYS as readonly string[]).includes(key)) {
      throw new TypeError(unknownName("key", key, KEYS));
    }
  }
  const { name, auth = "sha", auth_password, priv, priv_password } = table;
  if (typeof name !== "string" || !/^.{1,32}$/su.test(name)) {
    throw new TypeError("expected name with 1 to 32 characters");
  }
  checkWord(auth, { key: "auth", words: Object.keys(AUTH_PROTOCOLS) });
  const user = {
    name,
    auth: auth as AuthProtocol,
    auth_password: readPassword(auth_password, "auth_password"),
  };
  if (priv === undefined && priv_password === undefined) return user;
  checkWord(priv ?? "aes", { key: "priv", words: Object.keys(PRIV_PROTOCOLS) });
  return {
    ...user,
    priv: (priv ?? "aes") as PrivProtocol,
    priv_password: readPassword(priv_password ?? auth_password, "priv_password"),
  };
}

function checkWord(
  value: unknown,
  { key, words }: { readonly key: string; readonly words: readonly string[] },
): void {
  if (typeof value === "string" && words.includes(value)) return;
  throw new RangeError(`expected ${key} to be one of ${words.join(", ")}`);
}

/** RFC 3414 section 11.2. */
function readPassword(value: unknown, key: string): string {
  if (typeof value === "string" && value.length >= 8 && value.length <= 1024) return value;
  throw new RangeError(`expected ${key} with 8 to 1024 characters`);
}

/** Keys of a user for one engine. */
interface LocalKeys {
  readonly auth: Uint8Array;
  readonly priv?: Uint8Array;
}

/** Maximum number of engines whose keys are kept; each sender of traps is one. */
const MAX_ENGINES = 1000;

/** The users of a receiver, with their keys. */
export class Users {
  readonly #users: ReadonlyMap<string, UsmUser>;
  readonly #master = new Map<string, Uint8Array>();
  readonly #local = new Map<string, LocalKeys>();

  constructor(users: readonly UsmUser[]) {
    this.#users = new Map(users.map((user) => [user.name, user]));
  }

  /** Returns a user by name. */
  get(name: string): UsmUser | undefined {
    return this.#users.get(name);
  }

  /** Returns the keys of a user for an engine. */
  keysOf(user: UsmUser, engineId: Uint8Array): LocalKeys {
    const key = `${engineId.toHex()} ${user.name}`;
    const known = this.#local.get(key);
    if (known !== undefined) return known;
    const { hash } = AUTH_PROTOCOLS[user.auth];
    const localize = (password: string): Uint8Array => {
      const master = this.#masterOf(password, hash);
      return digest(hash, concat([master, engineId, master]));
    };
    const { priv, priv_password } = user;
    const keys: LocalKeys = {
      auth: localize(user.auth_password),
      ...(priv !== undefined && priv_password !== undefined && {
        priv: extend(localize(priv_password), hash).subarray(0, PRIV_PROTOCOLS[priv]),
      }),
    };
    this.#local.set(key, keys);
    const [oldest] = this.#local.keys();
    if (this.#local.size > MAX_ENGINES) this.#local.delete(oldest!);
    return keys;
  }

  /** The hash of the password, repeated to one mebibyte: slow on purpose, so it is kept. */
  #masterOf(password: string, hash: string): Uint8Array {
    const key = `${hash} ${password}`;
    let master = this.#master.get(key);
    if (master === undefined) {
      const octets = new TextEncoder().encode(password);
      const all = new Uint8Array(1_048_576);
      for (let at = 0; at < all.length; at += octets.length) {
        all.set(octets.subarray(0, all.length - at), at);
      }
      master = digest(hash, all);
      this.#master.set(key, master);
    }
    return master;
  }
}

function digest(hash: string, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash(hash).update(bytes).digest());
}

/** Keys longer than the hash: each further part is the hash of all before it. */
function extend(key: Uint8Array, hash: string): Uint8Array {
  let whole = key;
  while (whole.length < PRIV_PROTOCOLS.aes256) whole = concat([whole, digest(hash, whole)]);
  return whole;
}

/** Octets of the authentication of a user's messages. */
export function authenticationBytes({ auth }: UsmUser): number {
  return AUTH_PROTOCOLS[auth].sent;
}

/** Authenticates a message whose authentication field is zero. */
export function authenticate(message: Uint8Array, user: UsmUser, { auth }: LocalKeys): Uint8Array {
  const { hash, sent } = AUTH_PROTOCOLS[user.auth];
  return new Uint8Array(createHmac(hash, auth).update(message).digest()).subarray(0, sent);
}

/** Inputs of privacy besides the key. */
interface PrivacyAbout extends Pick<Security, "boots" | "time"> {
  /** `msgPrivacyParameters`, 8 octets. */
  readonly salt: Uint8Array;
}

/** Decrypts a scoped PDU. Throws `WireError` for parameters of a wrong length. */
export function decrypt(
  data: Uint8Array,
  { priv: protocol }: UsmUser,
  { key, about }: { readonly key: Uint8Array; readonly about: PrivacyAbout },
): Uint8Array {
  if (about.salt.length !== 8) {
    throw new WireError("syntax", "Cannot decrypt the scoped PDU: expected a salt of 8 octets");
  }
  if (protocol !== "des") return cfb(data, { key, iv: aesIv(about), decrypts: true });
  if (data.length % 8 !== 0 || data.length === 0) {
    throw new WireError("syntax", "Cannot decrypt the scoped PDU: DES has blocks of 8 octets");
  }
  const { key: triple, iv } = desKeys(key, about.salt);
  const cipher = createDecipheriv("des-ede3-cbc", triple, iv);
  cipher.setAutoPadding(false);
  return concat([cipher.update(data), cipher.final()]);
}

/** Encrypts a scoped PDU. */
export function encrypt(
  data: Uint8Array,
  { priv: protocol }: UsmUser,
  { key, about }: { readonly key: Uint8Array; readonly about: PrivacyAbout },
): Uint8Array {
  if (protocol !== "des") return cfb(data, { key, iv: aesIv(about), decrypts: false });
  const { key: triple, iv } = desKeys(key, about.salt);
  const cipher = createCipheriv("des-ede3-cbc", triple, iv);
  cipher.setAutoPadding(false);
  const padded = concat([data, new Uint8Array((8 - data.length % 8) % 8)]);
  return concat([cipher.update(padded), cipher.final()]);
}

/** Three equal keys make triple DES single DES, which the platform lacks. */
function desKeys(key: Uint8Array, salt: Uint8Array): { key: Uint8Array; iv: Uint8Array } {
  const single = key.subarray(0, 8);
  return {
    key: concat([single, single, single]),
    iv: salt.map((octet, at) => octet ^ key[8 + at]!),
  };
}

/** RFC 3826 section 3.1.2.1. */
function aesIv({ boots, time, salt }: PrivacyAbout): Uint8Array {
  const iv = new Uint8Array(16);
  const view = new DataView(iv.buffer);
  view.setUint32(0, boots);
  view.setUint32(4, time);
  iv.set(salt, 8);
  return iv;
}

/**
 * AES in CFB mode with 128-bit segments, built from single blocks because the platform lacks the
 * mode.
 */
function cfb(
  data: Uint8Array,
  { key, iv, decrypts }: {
    readonly key: Uint8Array;
    readonly iv: Uint8Array;
    readonly decrypts: boolean;
  },
): Uint8Array {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null);
  cipher.setAutoPadding(false);
  const output = new Uint8Array(data.length);
  let before = iv;
  for (let at = 0; at < data.length; at += 16) {
    const stream = cipher.update(before);
    const end = Math.min(at + 16, data.length);
    for (let i = at; i < end; i++) output[i] = data[i]! ^ stream[i - at]!;
    before = (decrypts ? data : output).subarray(at, end);
  }
  // Closes the cipher, which holds no more data.
  cipher.final();
  return output;
}
