import { join } from "@std/path/join";
import { compact } from "../compact.ts";
import type { Settings } from "../options/settings.ts";
import type { AnyPlugin } from "../plugin.ts";
import { createTlsIdentity, type TlsIdentity, type TlsIdentityOptions } from "../tls/identity.ts";

/** What an identity needs beside the settings. */
export interface IdentityContext extends Pick<TlsIdentityOptions, "now" | "onUnkept"> {
  /** Folder for keys and certificates of the program's own. */
  readonly configFolder?: string | undefined;
}

/** The certificate that the settings ask for: valid for the configured host and for every vendor's. */
export function identityOf(
  plugins: readonly AnyPlugin[],
  settings: Settings,
  { configFolder, ...context }: IdentityContext,
): TlsIdentity {
  const { root, ingress } = settings.core;
  const { tls_cert_file: certFile, tls_key_file: keyFile } = ingress;
  const folder = identityFolder(settings, configFolder);
  return createTlsIdentity({
    ...context,
    hosts: [root.host, ...vendorHosts(plugins)],
    ...(certFile === undefined || keyFile === undefined ? {} : { files: { certFile, keyFile } }),
    ...compact({ folder }),
  });
}

/** Where a certificate that is made here is kept; `undefined`: in memory. */
export function identityFolder(settings: Settings, configFolder?: string): string | undefined {
  const { tls_in_memory: inMemory, tls_dir: dir } = settings.core.ingress;
  if (inMemory) return undefined;
  return dir ?? (configFolder && join(configFolder, "tls"));
}

/** Hosts of every provider, disabled ones too, so that a certificate outlives a change of what is enabled. */
export function vendorHosts(plugins: readonly AnyPlugin[]): string[] {
  return plugins.flatMap(({ providers }) => providers.flatMap((one) => one.vendorHosts ?? []));
}
