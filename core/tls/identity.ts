import { ConfigError, reasonOf } from "../errors.ts";
import type { Inspection, KeyedCertificate } from "./generate.ts";
import { readIfThere, writePrivate, writePrivateOnce } from "./private_file.ts";

/** A server certificate with its key, PEM. */
export interface Certificate {
  /** The leaf, followed by the CA that signed it if it was generated. */
  readonly cert: string;
  /** PKCS #8, or the format of the file. */
  readonly key: string;
  /** CA to trust, if the certificate was generated. */
  readonly ca?: string;
}

/** Source of the service's certificate. */
export interface TlsIdentity {
  /** Generated or read on first use. Rejects with `ConfigError` if files are unusable. */
  certificate(): Promise<Certificate>;
  /**
   * Returns the certificate for a name below one of `deepHosts`, which the other certificate cannot
   * cover; `undefined` for any other name.
   */
  certificateFor?(name: string): Promise<Certificate | undefined>;
}

/** Options of the certificate. */
export interface TlsIdentityOptions {
  /** Names and addresses to certify besides `localhost`, `127.0.0.1` and `::1`. */
  readonly hosts?: readonly string[];
  /**
   * Name suffixes with their dot, such as `.example.com`; any number of labels may precede them.
   */
  readonly deepHosts?: readonly string[];
  /** A certificate chain and key of the user, PEM files; nothing is generated then. */
  readonly files?: { readonly certFile: string; readonly keyFile: string };
  /** Folder for the generated files, so that a CA must be trusted only once; absent to keep them in memory. */
  readonly folder?: string;
  /** Called if the folder is unusable and they stay in memory. If absent, that is an error. */
  readonly onUnkept?: (folder: string, reason: string) => void;
  readonly now?: () => Date;
}

const ALWAYS = ["localhost", "127.0.0.1", "::1"];
const AUTHORITY_DAYS = 3650;
/** Platforms distrust server certificates with a longer validity. */
const LEAF_DAYS = 397;
/** Maximum number of certificates for single names; the oldest go. */
const MAX_SINGLE = 100;
/** RFC 1035 section 2.3.4, and letters that need no escape anywhere. */
const HOST = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/;
/** Remaining validity at which a certificate is renewed, so that it does not expire during a run. */
const RENEW_MS = 14 * 24 * 60 * 60 * 1000;

/** File with only the CA, for clients to trust. */
export const CA_FILE = "ca.pem";
/** CA with its key, and server certificate with its key. */
const AUTHORITY_FILE = "ca_with_key.pem";
const LEAF_FILE = "server_with_key.pem";

/** A certificate from files, or one generated for this installation and signed by its own CA. */
export function createTlsIdentity(options: TlsIdentityOptions = {}): TlsIdentity {
  const { deepHosts = [], now = () => new Date() } = options;
  const single = new Map<string, Promise<Certificate>>();
  let made: Promise<Obtained> | undefined;
  const obtained = (): Promise<Obtained> => {
    made ??= obtain(options);
    // A retry may succeed.
    made.catch(() => made = undefined);
    return made;
  };
  return {
    certificate: async () => (await obtained()).certificate,
    async certificateFor(given) {
      const name = given.toLowerCase();
      if (!HOST.test(name) || !deepHosts.some((end) => name.endsWith(end))) return undefined;
      const { authority } = await obtained();
      if (authority === undefined) return undefined;
      let own = single.get(name);
      if (own === undefined) {
        single.set(name, own = obtainSingle(name, authority, now()));
        own.catch(() => single.delete(name));
        if (single.size > MAX_SINGLE) single.delete(single.keys().next().value!);
      }
      return await own;
    },
  };
}

/** A certificate, and the CA that signed it if it was generated. */
interface Obtained {
  readonly certificate: Certificate;
  readonly authority?: KeyedCertificate;
}

async function obtain(options: TlsIdentityOptions): Promise<Obtained> {
  const { files, folder, onUnkept } = options;
  if (files !== undefined) return { certificate: await readFiles(files) };
  try {
    return await make(options, folder);
  } catch (error) {
    if (folder === undefined || onUnkept === undefined) throw error;
    // An unwritable home, as in a container, is no reason to refuse TLS.
    onUnkept(folder, reasonOf(error));
    return await make(options, undefined);
  }
}

async function make(options: TlsIdentityOptions, folder: string | undefined): Promise<Obtained> {
  const now = (options.now ?? (() => new Date()))();
  const hosts = [...new Set([...ALWAYS, ...options.hosts ?? []])];
  const authority = await obtainAuthority(folder, now);
  return {
    certificate: join(await obtainLeaf(authority, { folder, hosts, now }), authority),
    authority,
  };
}

/** Certifies one name; never kept, as that takes a millisecond. */
async function obtainSingle(
  name: string,
  authority: KeyedCertificate,
  now: Date,
): Promise<Certificate> {
  const { issueCertificate } = await making();
  const about = { name: "Standin", days: LEAF_DAYS, hosts: [name], now };
  return join(await issueCertificate(authority, about), authority);
}

function join(leaf: KeyedCertificate, authority: KeyedCertificate): Certificate {
  return { cert: leaf.cert + authority.cert, key: leaf.key, ca: authority.cert };
}

async function readFiles(
  { certFile, keyFile }: { certFile: string; keyFile: string },
): Promise<Certificate> {
  // In sequence, so that the report is always about the same file if both are missing.
  const cert = await readPem(certFile);
  const key = await readPem(keyFile);
  if (!cert.includes("-----BEGIN CERTIFICATE-----")) {
    throw new ConfigError(`Cannot use TLS certificate "${certFile}": expected a PEM certificate`);
  }
  if (!/-----BEGIN (?:EC |RSA )?PRIVATE KEY-----/.test(key)) {
    throw new ConfigError(
      `Cannot use TLS key "${keyFile}": expected a PEM private key without a password`,
    );
  }
  try {
    // Only a listener shows whether the two are usable, and belong together.
    Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key }).close();
  } catch (error) {
    throw new ConfigError(
      `Cannot use TLS certificate "${certFile}" with key "${keyFile}": ${reasonOf(error)}`,
    );
  }
  return { cert, key };
}

async function readPem(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw new ConfigError(`Cannot read TLS file "${path}": ${reasonOf(error)}`);
  }
}

async function obtainAuthority(folder: string | undefined, now: Date): Promise<KeyedCertificate> {
  const authority = await keptAuthority(folder, now) ?? await newAuthority(folder, now);
  // Clients read this file: it must exist, and match the CA in use.
  if (folder !== undefined && await readIfThere(`${folder}/${CA_FILE}`) !== authority.cert) {
    await writePrivate(folder, CA_FILE, authority.cert);
  }
  return authority;
}

/** Loaded on first use: the libraries take much of the memory. */
function making(): Promise<typeof import("./generate.ts")> {
  return import("./generate.ts");
}

async function keptAuthority(
  folder: string | undefined,
  now: Date,
): Promise<KeyedCertificate | undefined> {
  const kept = await readKept(folder, AUTHORITY_FILE);
  if (kept === undefined) return undefined;
  const { inspectCertificate } = await making();
  return isGood(await inspectCertificate(kept.cert, kept.cert), now) ? kept : undefined;
}

async function newAuthority(folder: string | undefined, now: Date): Promise<KeyedCertificate> {
  const { createAuthority } = await making();
  const authority = await createAuthority({
    // Distinguishes it in a list of trusted authorities.
    name: `Standin local CA ${now.toISOString().slice(0, 10)}`,
    days: AUTHORITY_DAYS,
    now,
  });
  if (folder === undefined) return authority;
  const text = authority.cert + authority.key;
  if (!await writePrivateOnce(folder, AUTHORITY_FILE, text)) {
    // Another process was first, or the file is unusable.
    const other = await keptAuthority(folder, now);
    if (other !== undefined) return other;
    await writePrivate(folder, AUTHORITY_FILE, text);
  }
  return authority;
}

async function obtainLeaf(
  authority: KeyedCertificate,
  about: { folder: string | undefined; hosts: readonly string[]; now: Date },
): Promise<KeyedCertificate> {
  const { folder, hosts, now } = about;
  const { inspectCertificate, issueCertificate, toCertifiedHost } = await making();
  const kept = await readKept(folder, LEAF_FILE);
  if (kept !== undefined) {
    const found = await inspectCertificate(kept.cert, authority.cert);
    if (isGood(found, now) && hosts.every((host) => found.hosts.has(toCertifiedHost(host)))) {
      return kept;
    }
  }
  const leaf = await issueCertificate(authority, {
    name: "Standin",
    days: LEAF_DAYS,
    hosts,
    now,
  });
  if (folder !== undefined) await writePrivate(folder, LEAF_FILE, leaf.cert + leaf.key);
  return leaf;
}

function isGood(found: Inspection | undefined, now: Date): found is Inspection {
  return found !== undefined && found.issued && found.notAfter.getTime() - now.getTime() > RENEW_MS;
}

/** Returns `undefined` for a missing or damaged file, which is then created again. */
async function readKept(
  folder: string | undefined,
  name: string,
): Promise<KeyedCertificate | undefined> {
  if (folder === undefined) return undefined;
  const text = await readIfThere(`${folder}/${name}`);
  const parts = /(-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----\n)([^]*)/.exec(
    text ?? "",
  );
  if (parts === null || !parts[2]!.includes("-----END PRIVATE KEY-----")) return undefined;
  return { cert: parts[1]!, key: parts[2]! };
}
