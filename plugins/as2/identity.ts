/** The service's own key and certificate, and the partner's certificate. */
import { compact } from "../../core/compact.ts";
import { reasonOf } from "../../core/errors.ts";
import { readIfThere, writePrivate } from "../../core/tls/private_file.ts";
import type { Logger } from "../../core/log.ts";
import type { Certificate } from "./certificate.ts";
import type { PrivateKey } from "./cms_crypto.ts";
import type { IdentityInfo, IdentitySource } from "./model.ts";

/** Source of the identity. */
export interface IdentityOptions {
  /** Files of the user. */
  readonly files?: { readonly cert: string; readonly key: string };
  readonly partnerFile?: string;
  /** Folder of a generated identity; absent to keep it in memory. */
  readonly folder?: string;
  /** Common name of a generated certificate. */
  readonly commonName: string;
  readonly log: Logger;
  now(): Date;
}

/** A key with its certificate. */
export interface KeyPair {
  readonly key: PrivateKey;
  readonly certificate: Certificate;
  readonly pem: string;
}

/** Key that opens messages and signs receipts. */
export interface Identity {
  readonly own?: KeyPair;
  readonly partner?: Certificate;
  readonly info: IdentityInfo;
}

const CERT_FILE = "as2-cert.pem";
const KEY_FILE = "as2-key.pem";

/** Reads configured files at once; generates a missing identity on first use. */
export class IdentityHolder {
  readonly #options: IdentityOptions;
  #own: Promise<Own> | undefined;
  #partner: Promise<Partner> | undefined;

  constructor(options: IdentityOptions) {
    this.#options = options;
  }

  /** Reads the configured files; faults are logged and do not stop the start. */
  async readFiles(): Promise<void> {
    const { files, log } = this.#options;
    if (files !== undefined) {
      const { error } = await this.#obtainOwn();
      if (error !== undefined) log.warn("Cannot use the AS2 identity", { error });
    }
    const { error } = await this.#obtainPartner();
    if (error !== undefined) log.warn("Cannot use the AS2 partner certificate", { error });
  }

  /** Returns the identity, generated if necessary. Never rejects. */
  async obtain(): Promise<Identity> {
    const [own, partner] = await Promise.all([this.#obtainOwn(), this.#obtainPartner()]);
    const error = own.error ?? partner.error;
    return {
      ...compact({ own: own.pair, partner: partner.certificate }),
      info: {
        configured: this.#options.files !== undefined,
        ready: own.pair !== undefined,
        source: own.source,
        ...(own.paths === undefined ? {} : { cert_path: own.paths.cert, key_path: own.paths.key }),
        ...compact({ error }),
        ...(own.pair === undefined
          ? {}
          : { pem: own.pair.pem, certificate: own.pair.certificate.info }),
        ...compact({ partner: partner.certificate?.info }),
      },
    };
  }

  #obtainOwn(): Promise<Own> {
    return this.#own ??= obtainOwn(this.#options);
  }

  #obtainPartner(): Promise<Partner> {
    return this.#partner ??= obtainPartner(this.#options.partnerFile);
  }
}

interface Paths {
  readonly cert: string;
  readonly key: string;
}

interface Own {
  readonly pair?: KeyPair;
  readonly source: IdentitySource;
  readonly paths?: Paths;
  readonly error?: string;
}

interface Partner {
  readonly certificate?: Certificate;
  readonly error?: string;
}

/** Loaded with the first certificate: the libraries take much of the memory. */
function certificates(): Promise<typeof import("./certificate.ts")> {
  return import("./certificate.ts");
}

async function obtainPartner(path: string | undefined): Promise<Partner> {
  if (path === undefined) return {};
  try {
    const { readCertificatePem } = await certificates();
    return { certificate: readCertificatePem(await readFile(path)) };
  } catch (error) {
    return { error: `Cannot read certificate "${path}": ${reasonOf(error)}` };
  }
}

async function obtainOwn(options: IdentityOptions): Promise<Own> {
  const { files, folder, log } = options;
  if (files !== undefined) return await readPair(files, "configured");
  if (folder !== undefined) {
    try {
      return await keepPair(folder, options);
    } catch (error) {
      // An unwritable home, as in a container, is no reason to leave messages unread.
      log.warn("Cannot keep the AS2 key: partners need a new certificate after every start", {
        folder,
        reason: reasonOf(error),
      });
    }
  }
  const { createIdentity } = await certificates();
  const made = await createIdentity({ name: options.commonName, now: options.now() });
  return { pair: await toPair(made.cert, made.key), source: "memory" };
}

async function keepPair(folder: string, options: IdentityOptions): Promise<Own> {
  const paths = { cert: `${folder}/${CERT_FILE}`, key: `${folder}/${KEY_FILE}` };
  const [cert, key] = await Promise.all([readIfThere(paths.cert), readIfThere(paths.key)]);
  // A broken file is left for the user to fix: partners may hold the certificate.
  if (cert !== undefined || key !== undefined) return await readPair(paths, "generated");
  const { createIdentity } = await certificates();
  const made = await createIdentity({ name: options.commonName, now: options.now() });
  await writePrivate(folder, KEY_FILE, made.key);
  await writePrivate(folder, CERT_FILE, made.cert);
  return { pair: await toPair(made.cert, made.key), source: "generated", paths };
}

async function readPair(paths: Paths, source: IdentitySource): Promise<Own> {
  let at = paths.cert;
  try {
    const { readCertificatePem } = await certificates();
    const cert = await readFile(paths.cert);
    readCertificatePem(cert);
    at = paths.key;
    const key = await readFile(paths.key);
    return { pair: await toPair(cert, key), source, paths };
  } catch (error) {
    return { source: "none", paths, error: `Cannot use "${at}": ${reasonOf(error)}` };
  }
}

async function toPair(cert: string, keyPem: string): Promise<KeyPair> {
  const { readCertificatePem } = await certificates();
  const { isKeyOf, readPrivateKey } = await import("./cms_crypto.ts");
  const certificate = readCertificatePem(cert);
  const key = readPrivateKey(keyPem);
  if (!isKeyOf(key, certificate.spki)) {
    throw new TypeError("the key does not belong to the certificate");
  }
  return { key, certificate, pem: cert };
}

async function readFile(path: string): Promise<string> {
  const text = await readIfThere(path);
  if (text === undefined) throw new TypeError("the file does not exist");
  return text;
}
