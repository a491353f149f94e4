import { ConfigError, reasonOf } from "../errors.ts";
import type { Inspection, KeyedCertificate } from "./generate.ts";
import { readIfThere, writePrivate, writePrivateOnce } from "./private_file.ts";

/** A server certificate with its key, PEM. */
export interface Certificate {
  /** The leaf, followed by the CA that signed it if it is one of ours. */
  readonly cert: string;
  /** PKCS #8, or as the file has it. */
  readonly key: string;
  /** CA to trust, if the certificate was made here. */
  readonly ca?: string;
}

/** Where the service's certificate comes from. */
export interface TlsIdentity {
  /** Made or read on first use. Rejects with `ConfigError` when files cannot be used. */
  certificate(): Promise<Certificate>;
}

/** How to come by a certificate. */
export interface TlsIdentityOptions {
  /** Names and addresses to certify beside `localhost`, `127.0.0.1` and `::1`. */
  readonly hosts?: readonly string[];
  /** A certificate chain and key of the user's own, PEM files; nothing is made then. */
  readonly files?: { readonly certFile: string; readonly keyFile: string };
  /** Where what is made is kept, so that a CA needs to be trusted once only; in memory without. */
  readonly folder?: string;
  /** Told why nothing can be kept in the folder; it is in memory then. Without it that is an error. */
  readonly onUnkept?: (folder: string, reason: string) => void;
  readonly now?: () => Date;
}

const ALWAYS = ["localhost", "127.0.0.1", "::1"];
const AUTHORITY_DAYS = 3650;
/** Platforms distrust server certificates that are valid for longer. */
const LEAF_DAYS = 397;
/** Renewed when it has less than this to go, so that it does not run out in mid-run. */
const RENEW_MS = 14 * 24 * 60 * 60 * 1000;

/** File with the CA alone, for clients to trust. */
export const CA_FILE = "ca.pem";
/** CA with its key, and server certificate with its key. */
const AUTHORITY_FILE = "ca_with_key.pem";
const LEAF_FILE = "server_with_key.pem";

/** A certificate from files, or one made for this installation and signed by its own CA. */
export function createTlsIdentity(options: TlsIdentityOptions = {}): TlsIdentity {
  let made: Promise<Certificate> | undefined;
  return {
    certificate() {
      made ??= obtain(options);
      // What failed once may work the next time.
      made.catch(() => made = undefined);
      return made;
    },
  };
}

async function obtain(options: TlsIdentityOptions): Promise<Certificate> {
  const { files, folder, onUnkept } = options;
  if (files !== undefined) return await readFiles(files);
  try {
    return await make(options, folder);
  } catch (error) {
    if (folder === undefined || onUnkept === undefined) throw error;
    // A home that cannot be written to, as in a container, is no reason to refuse TLS.
    onUnkept(folder, reasonOf(error));
    return await make(options, undefined);
  }
}

async function make(options: TlsIdentityOptions, folder: string | undefined): Promise<Certificate> {
  const now = (options.now ?? (() => new Date()))();
  const hosts = [...new Set([...ALWAYS, ...options.hosts ?? []])];
  const authority = await obtainAuthority(folder, now);
  const leaf = await obtainLeaf(authority, { folder, hosts, now });
  return { cert: leaf.cert + authority.cert, key: leaf.key, ca: authority.cert };
}

async function readFiles(
  { certFile, keyFile }: { certFile: string; keyFile: string },
): Promise<Certificate> {
  // One behind the other, so that where both are missing it is always the same one that is told of.
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
    // Only a listener tells whether the two are of use, and of each other.
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
  // Clients read this file: it must be there, and be the one that is used.
  if (folder !== undefined && await readIfThere(`${folder}/${CA_FILE}`) !== authority.cert) {
    await writePrivate(folder, CA_FILE, authority.cert);
  }
  return authority;
}

/** Loaded when a certificate is first needed: the libraries are a large part of what would be held in memory. */
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
    // Told apart in a list of trusted authorities, should there be several.
    name: `Standin local CA ${now.toISOString().slice(0, 10)}`,
    days: AUTHORITY_DAYS,
    now,
  });
  if (folder === undefined) return authority;
  const text = authority.cert + authority.key;
  if (!await writePrivateOnce(folder, AUTHORITY_FILE, text)) {
    // Another process was first, or the file is of no use any more.
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

/** `undefined` for a file that is absent or damaged: it is made anew. */
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
