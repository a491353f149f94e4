import { join } from "@std/path/join";
import { identityFolder, identityOf } from "../app/identity.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import { INGRESS_OPTIONS, UI_OPTIONS } from "../options/core_options.ts";
import { wrap } from "../options/help.ts";
import type { Settings } from "../options/settings.ts";
import { CA_FILE } from "../tls/identity.ts";
import { type CommandContext, PROGRAM } from "./base/command.ts";
import { bold, type CliIo, configFolderOf } from "./base/io.ts";
import { proxyLines, trustRecipes } from "./trust.ts";

/**
 * Prints the CA, created if necessary: its certificate, or its path and how clients learn to trust it. Throws
 * `ConfigError` if there is no CA to show, or if it cannot be stored.
 */
export async function printCa(
  settings: Settings,
  { io, plugins }: CommandContext,
  { pem }: { pem: boolean },
): Promise<number> {
  const configFolder = configFolderOf(io);
  const folder = folderOf(settings, configFolder);
  const identity = identityOf(plugins, settings, { configFolder });
  const { ca = "" } = await identity.certificate().catch((error) => {
    const reason = reasonOf(error);
    throw new ConfigError(
      `Cannot keep a CA in "${folder}": ${reason}; choose another folder with --tls-dir`,
    );
  });
  if (pem) io.stdout(ca.trimEnd());
  else for (const line of page(join(folder, CA_FILE), settings, io)) io.stdout(line);
  return 0;
}

function folderOf(settings: Settings, configFolder: string | undefined): string {
  const { ingress, root, ui } = settings.core;
  if (ingress.tls_cert_file !== undefined) {
    throw new ConfigError(
      "Cannot show a CA: the certificate comes from [ingress] tls_cert_file; trust its issuer",
    );
  }
  if (ingress.tls_in_memory) {
    throw new ConfigError(
      "Cannot show a CA: [ingress] tls_in_memory generates a new one for every run; fetch it from " +
        `http://${root.host}:${
          ui.port || UI_OPTIONS.port.fallback
        }/api/v1/tls/ca.pem while the program runs`,
    );
  }
  const folder = identityFolder(settings, configFolder);
  if (folder === undefined) {
    throw new ConfigError(
      "Cannot tell where the CA is kept: the environment names no home folder; use --tls-dir",
    );
  }
  return folder;
}

function page(path: string, settings: Settings, io: CliIo): string[] {
  const { root, ingress } = settings.core;
  // Port 0 is any free port; the usual one is shown instead.
  const port = ingress.port || INGRESS_OPTIONS.port.fallback;
  const width = Math.min(100, Math.max(60, io.columns ?? 100));
  const recipes = trustRecipes(path, Deno.build.os).flatMap(({ client, lines }) => [
    `  ${client}`,
    ...lines.map((line) => `    ${line}`),
  ]);
  return [
    bold(io, `CA: ${path}`),
    "",
    ...wrap(
      "Make a client trust it. In most clients the variables replace the public CAs, so set them only where " +
        `all requests go to ${PROGRAM}.`,
      width,
    ),
    ...recipes,
    "",
    ...wrap(
      "If a client has its vendor's host built in, a proxy setting redirects it here: requests to that host end " +
        "here, and requests to any other host are refused.",
      width,
    ),
    ...proxyLines({ host: root.host, port }).map((line) => `  ${line}`),
  ];
}
