import { onLoopback } from "../../core/api/describe.ts";
import { INGRESS_OPTIONS } from "../../core/options/core_options.ts";
import { optionTree } from "../../core/options/tree.ts";
import type { AnyPlugin, Endpoint } from "../../core/plugin.ts";
import { aliasesOf } from "../../core/provider_names.ts";
import { snippetsOf } from "../../core/snippets.ts";
import { block, code, table } from "./markdown.ts";

type AnyProvider = AnyPlugin["providers"][number];

/** `docs/reference/providers.md`: every provider with its address, routes, settings and snippets. */
export function providersReference(plugins: readonly AnyPlugin[]): string {
  const overview = table(
    ["Plugin", "Provider", "Stands in for", "Aliases", "Default address"],
    plugins.flatMap((plugin) =>
      plugin.providers.map((provider) => [
        plugin.id,
        `[${provider.id}](#${provider.id})`,
        provider.title,
        aliasesOf(provider).map(code).join(", "),
        code(onLoopbackOf(provider).url),
      ])
    ),
  );
  const sections = plugins.flatMap((plugin) => [
    `## ${plugin.title}\n\n${plugin.about}\n`,
    ...plugin.providers.map((provider) => section(plugins, plugin, provider)),
  ]);
  return ["# Providers\n", overview, ...sections].join("\n");
}

function section(
  plugins: readonly AnyPlugin[],
  plugin: AnyPlugin,
  provider: AnyProvider,
): string {
  return [
    `### ${provider.id}\n\n${provider.title}. ${provider.about}.\n`,
    vendorHosts(provider),
    routesTable(provider),
    settingsTable(plugins, { plugin: plugin.id, provider: provider.id }),
    snippetsText(provider),
  ].filter((part) => part !== "").join("\n");
}

function vendorHosts({ vendorHosts: hosts = [] }: AnyProvider): string {
  if (hosts.length === 0) return "";
  return `Clients that use the ingress as a proxy reach it at the vendor's own ${
    hosts.length === 1 ? "host" : "hosts"
  }: ${hosts.map(code).join(", ")}.\n`;
}

/** Lists the requests of a provider on the shared ingress. */
export function routesTable(provider: AnyProvider): string {
  if (provider.kind !== "ingress") return "";
  return table(
    ["Request", "What it does"],
    provider.routes.filter(({ unlisted }) => !unlisted).map((
      { method, path, about },
    ) => [code(`${method} ${path}`), about]),
  );
}

/** Lists the settings of a provider, with their table in the file. */
export function settingsTable(
  plugins: readonly AnyPlugin[],
  owner: { readonly plugin: string; readonly provider: string },
): string {
  const { sections } = optionTree(plugins);
  const found = sections.find((one) =>
    one.plugin === owner.plugin && one.provider === owner.provider
  );
  if (found === undefined || found.settings.length === 0) return "";
  const rows = found.settings.map(({ key, flag, spec }) => [
    code(key),
    flag === undefined ? "" : code(`--${flag}`),
    spec.fallback === undefined ? "" : code(JSON.stringify(spec.fallback)),
    spec.about,
  ]);
  return `Settings, in ${code(`[${found.path}]`)}:\n\n${
    table(["Key", "Flag", "Default", "Meaning"], rows)
  }`;
}

/** Shows how to send to a provider with default settings. */
export function snippetsText(provider: AnyProvider): string {
  const values = Object.fromEntries(
    Object.entries(provider.options).map(([key, { fallback }]) => [key, fallback]),
  );
  return snippetsOf(provider, onLoopbackOf(provider), values)
    .map(({ title, lang, code: text }) => `${title}:\n\n${block(lang, text)}`)
    .join("\n");
}

/** Returns the address of a provider with default settings. */
export function onLoopbackOf(provider: AnyProvider): Endpoint {
  const hostname = "localhost";
  if (provider.kind === "ingress") {
    const port = INGRESS_OPTIONS.port.fallback;
    return { hostname, port, url: `http://${hostname}:${port}` };
  }
  const port = Number(provider.options[provider.portOption]?.fallback);
  const scheme = provider.kind === "http" ? "http" : provider.scheme;
  return onLoopback(provider, { hostname, port, url: `${scheme}://${hostname}:${port}` });
}
