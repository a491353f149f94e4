import { join } from "@std/path/join";
import { compact } from "../compact.ts";
import type { Logger } from "../log.ts";
import type { Settings } from "../options/settings.ts";
import type { AnyPlugin } from "../plugin.ts";
import { createTlsIdentity, type TlsIdentity, type TlsIdentityOptions } from "../tls/identity.ts";

/** Context of an identity. */
export interface IdentityContext extends Pick<TlsIdentityOptions, "now"> {
  /** Folder for the program's keys and certificates. */
  readonly configFolder?: string | undefined;
  /** Reports a CA that lasts only as long as the program; without it, that is an error. */
  readonly log?: Logger;
}

/** Returns the configured certificate: valid for the configured host and the hosts of all vendors. */
export function identityOf(
  plugins: readonly AnyPlugin[],
  settings: Settings,
  { configFolder, log, ...context }: IdentityContext,
): TlsIdentity {
  const { root, ingress } = settings.core;
  const { tls_cert_file: certFile, tls_key_file: keyFile } = ingress;
  const folder = identityFolder(settings, configFolder);
  const isDeep = (host: string): boolean => host.startsWith("**.");
  const vendors = vendorHosts(plugins);
  return createTlsIdentity({
    ...context,
    hosts: [root.host, ...vendors.filter((host) => !isDeep(host))],
    deepHosts: vendors.filter(isDeep).map((host) => host.slice(2)),
    ...(certFile === undefined || keyFile === undefined ? {} : { files: { certFile, keyFile } }),
    ...compact({ folder, onUnkept: log && noteUnkept(log) }),
  });
}

function noteUnkept(log: Logger): (folder: string, reason: string) => void {
  return (folder, reason) =>
    log.warn("Cannot keep the CA: clients must trust a new one after every start", {
      folder,
      reason,
    });
}

/** Returns the folder of generated certificates; `undefined` to keep them in memory. */
export function identityFolder(settings: Settings, configFolder?: string): string | undefined {
  const { tls_in_memory: inMemory, tls_dir: dir } = settings.core.ingress;
  if (inMemory) return undefined;
  return dir ?? (configFolder && join(configFolder, "tls"));
}

/** Hosts of every provider, including disabled ones, so that a certificate survives a change of the settings. */
export function vendorHosts(plugins: readonly AnyPlugin[]): string[] {
  return plugins.flatMap(({ providers }) => providers.flatMap((one) => one.vendorHosts ?? []));
}
