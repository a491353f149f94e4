import { join } from "@std/path/join";
import { identityFolder, identityOf, vendorHosts } from "../../app/identity.ts";
import { reasonOf } from "../../errors.ts";
import type { Settings } from "../../options/settings.ts";
import type { AnyPlugin } from "../../plugin.ts";
import { inspectCertificate, type Inspection, toCertifiedHost } from "../../tls/generate.ts";
import { CA_FILE } from "../../tls/identity.ts";
import { PROGRAM } from "../base/command.ts";
import type { Finding } from "./finding.ts";
import type { Instance } from "../instance/instance.ts";
import { type CliIo, configFolderOf } from "../base/io.ts";

/** Variables that make clients trust a CA, with the clients that read them. */
const TRUST_VARIABLES: readonly (readonly [name: string, clients: string])[] = [
  ["CURL_CA_BUNDLE", "curl"],
  ["NODE_EXTRA_CA_CERTS", "Node"],
  ["TWILIO_CA_BUNDLE", "twilio for Node"],
  ["DENO_CERT", "Deno"],
  ["REQUESTS_CA_BUNDLE", "requests for Python"],
  ["SSL_CERT_FILE", "OpenSSL, Go, Ruby, Rust, httpx"],
];
const PROXY_VARIABLES: readonly string[] = [
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "https_proxy",
  "http_proxy",
];
const DAY_MS = 24 * 60 * 60 * 1000;
const SOON_DAYS = 14;
const HANDSHAKE_MS = 5000;

/** Subject of the checks. */
export interface TlsCheck {
  readonly plugins: readonly AnyPlugin[];
  readonly settings: Settings;
  readonly io: CliIo;
  /** Absent if none runs. */
  readonly instance: Instance | undefined;
  /** Address of the instance's ingress. */
  readonly ingress: { readonly hostname: string; readonly port: number } | undefined;
}

/** Checks that the certificate is usable, and trusted in this environment. */
export async function checkTls(check: TlsCheck): Promise<readonly Finding[]> {
  const { ingress } = check.settings.core;
  if (!ingress.tls) {
    return [{ mark: "note", text: "The ingress does not accept TLS: it is turned off" }];
  }
  const own = ingress.tls_cert_file === undefined ? [] : await checkOwnFiles(check);
  const ca = await servedCa(check);
  return [
    ...own,
    ...(ca === undefined ? [] : await checkKept(check, ca)),
    ...(ca === undefined ? [] : await checkHandshake(check, ca)),
    ...await checkTrust(check, ca),
    ...checkProxies(check),
  ];
}

/** Checks a certificate of the user: readable, valid in time, and for which names. */
async function checkOwnFiles({ plugins, settings, io }: TlsCheck): Promise<readonly Finding[]> {
  const file = settings.core.ingress.tls_cert_file!;
  let inspected: Inspection | undefined;
  try {
    const { cert } = await identityOf(plugins, settings, { configFolder: configFolderOf(io) })
      .certificate();
    inspected = await inspectCertificate(cert, cert);
  } catch (error) {
    return [{ mark: "bad", text: reasonOf(error) }];
  }
  if (inspected === undefined) {
    return [{
      mark: "note",
      text: `${file} cannot be read, so names and dates are not checked`,
    }];
  }
  const { hosts, notAfter } = inspected;
  const days = Math.floor((notAfter.getTime() - Date.now()) / DAY_MS);
  const lacks = (host: string): boolean => !hosts.has(toCertifiedHost(host));
  const needed = [...new Set(["localhost", settings.core.root.host])].filter(lacks);
  const vendors = vendorHosts(plugins).filter((host) => !host.startsWith("**.")).filter(lacks);
  return [
    days < 0
      ? { mark: "bad", text: `${file} expired on ${notAfter.toISOString().slice(0, 10)}` }
      : {
        mark: days < SOON_DAYS ? "note" : "ok",
        text: `${file} is valid for ${days} more days`,
      },
    needed.length === 0
      ? { mark: "ok", text: `${file} is valid for localhost and the printed host` }
      : {
        mark: "bad",
        text: `${file} is not valid for ${needed.join(", ")}`,
        advice:
          `Use a certificate that is, or remove [ingress] tls_cert_file: ${PROGRAM} generates one`,
      },
    ...(vendors.length === 0 ? [] : [{
      mark: "note" as const,
      text: `${file} is not valid for ${vendors.length} hosts of vendors, so tunnels to them fail`,
    }]),
  ];
}

/** Returns the CA of the instance, or the stored one; none for a certificate from files. */
async function servedCa({ settings, io, instance }: TlsCheck): Promise<string | undefined> {
  if (instance !== undefined) {
    const { status, body } = await instance.get("/tls/ca.pem");
    return status === 200 ? new TextDecoder().decode(body) : undefined;
  }
  if (settings.core.ingress.tls_cert_file !== undefined) return undefined;
  const folder = identityFolder(settings, configFolderOf(io));
  return folder === undefined ? undefined : await readText(join(folder, CA_FILE));
}

/** Checks that the CA file for clients is the served CA. */
async function checkKept(
  { settings, io, instance }: TlsCheck,
  ca: string,
): Promise<readonly Finding[]> {
  const folder = identityFolder(settings, configFolderOf(io));
  if (folder === undefined) {
    return [{
      mark: "note",
      text: "The CA exists only in memory: clients must trust a new one after every start",
    }];
  }
  const file = join(folder, CA_FILE);
  const kept = await readText(file);
  if (kept !== undefined && holds(kept, ca)) {
    return [{ mark: "ok", text: `The CA is kept in ${file}` }];
  }
  if (instance === undefined) return [];
  return [{
    mark: "bad",
    text: `${file} is not the CA that the instance uses`,
    advice: `Fetch the right one: ${instance.base}/api/v1/tls/ca.pem`,
  }];
}

/** Connects to the ingress over TLS as a client does, by its own name and by a vendor's. */
async function checkHandshake(
  { plugins, ingress }: TlsCheck,
  ca: string,
): Promise<readonly Finding[]> {
  if (ingress === undefined) return [];
  const [vendor] = vendorHosts(plugins).filter((host) => !host.startsWith("*"));
  const findings: Finding[] = [];
  for (const name of ["localhost", ...(vendor === undefined ? [] : [vendor])]) {
    const fault = await handshakeFault(ingress, name, ca);
    findings.push(
      fault === undefined
        ? { mark: "ok", text: `A client that trusts the CA accepts the certificate for ${name}` }
        : {
          mark: "bad",
          text: `A client that trusts the CA refuses the certificate for ${name}: ${fault}`,
        },
    );
  }
  return findings;
}

async function handshakeFault(
  where: { hostname: string; port: number },
  name: string,
  ca: string,
): Promise<string | undefined> {
  try {
    const tcp = await Deno.connect({ ...where, signal: AbortSignal.timeout(HANDSHAKE_MS) });
    using tls = await Deno.startTls(tcp, { hostname: name, caCerts: [ca] });
    await tls.handshake();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Checks that the variables of this environment name files with the CA. */
async function checkTrust({ io }: TlsCheck, ca: string | undefined): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [name, clients] of TRUST_VARIABLES) {
    const file = io.env(name);
    if (file === undefined || file === "") continue;
    const text = await readText(file);
    if (text === undefined) {
      findings.push({
        mark: "bad",
        text:
          `${name} names ${file}, which cannot be read: ${clients} may refuse to start or to trust any server`,
      });
    } else if (ca !== undefined) {
      findings.push(
        holds(text, ca) ? { mark: "ok", text: `${name} holds the CA: ${clients}` } : {
          mark: "note",
          text: `${name} names ${file}, which does not hold the CA: ${clients} will not trust it`,
          advice: `${PROGRAM} ca explains how to trust it`,
        },
      );
    }
  }
  if (findings.length > 0) return findings;
  return [{
    mark: "note",
    text: "No variable of this environment names a CA: clients here do not trust the certificate",
    advice: `${PROGRAM} ca explains how to make each language trust it`,
  }];
}

/** Reports the target of the proxy variables. */
function checkProxies({ io, ingress, settings }: TlsCheck): readonly Finding[] {
  const port = ingress?.port ?? settings.core.ingress.port;
  const given = PROXY_VARIABLES.flatMap((name) => {
    const value = io.env(name);
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return given.map(([name, value]): Finding =>
    URL.canParse(value) && Number(new URL(value).port) === port
      ? { mark: "ok", text: `${name} points to the ingress` }
      : { mark: "note", text: `${name} is ${value}, which is not the ingress (port ${port})` }
  );
}

/** Returns whether a file of certificates holds this one. */
function holds(text: string, ca: string): boolean {
  return plain(text).includes(plain(ca));
}

function plain(text: string): string {
  return text.replace(/\s+/g, "");
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return undefined;
  }
}
