import { describePlugins, type PluginInfo, type ProviderInfo } from "../api/describe.ts";
import { ConfigError } from "../errors.ts";
import { quote } from "../options/given.ts";
import { entry, wrap } from "../options/help.ts";
import type { Settings } from "../options/settings.ts";
import { isAlias } from "../provider_names.ts";
import type { CommandContext } from "./base/command.ts";
import { bold, type CliIo } from "./base/io.ts";

/**
 * Prints all plugins and providers, or only the named `plugin` or `plugin/provider`. Starts
 * nothing.
 */
export function printProviders(
  settings: Settings,
  { io, plugins }: CommandContext,
  options: { name?: string | undefined; json: boolean },
): number {
  const infos = choose(describePlugins(plugins, settings, { all: true }), options.name);
  if (options.json) io.stdout(JSON.stringify(infos, null, 2));
  else for (const line of infos.flatMap((info) => pluginLines(info, io))) io.stdout(line);
  return 0;
}

function choose(all: readonly PluginInfo[], name: string | undefined): PluginInfo[] {
  if (name === undefined) {
    return all.filter(({ enabled }) => enabled).map((info) => ({
      ...info,
      providers: info.providers.filter(({ enabled }) => enabled),
    }));
  }
  const [pluginName = "", providerName] = idsOf(all, name).split("/", 2);
  const plugin = find(all, pluginName, "plugin");
  if (providerName === undefined) {
    return [{ ...plugin, providers: plugin.providers.filter(({ enabled }) => enabled) }];
  }
  return [{
    ...plugin,
    providers: [find(plugin.providers, providerName, `${pluginName} provider`)],
  }];
}

/** Returns `mail/mail2` for `sendgrid` and `mail/sendgrid`, and any other name unchanged. */
function idsOf(all: readonly PluginInfo[], name: string): string {
  if (all.some((plugin) => plugin.name === name)) return name;
  const places = all.flatMap(({ providers }) =>
    providers.map(({ plugin, name: id, aliases }) => ({ plugin, id, aliases }))
  );
  const [meant] = places.filter((place) => isAlias(name, place));
  return meant === undefined ? name : `${meant.plugin}/${meant.id}`;
}

function find<T extends PluginInfo | ProviderInfo>(
  all: readonly T[],
  name: string,
  kind: string,
): T {
  const found = all.find((one) => one.name === name);
  if (found === undefined) {
    const valid = all.map((one) => one.name).join(", ");
    const plural = kind.endsWith("provider") ? "providers" : "plugins";
    throw new ConfigError(`unknown ${kind} ${quote(name)}: valid ${plural} are ${valid}`);
  }
  if (!found.enabled) {
    throw new ConfigError(`Cannot describe ${kind} ${quote(name)}: the configuration disables it`);
  }
  return found;
}

function pluginLines(plugin: PluginInfo, io: CliIo): string[] {
  return [
    bold(io, `${plugin.name}: ${plugin.title}`),
    ...indent(wrap(plugin.description, widthOf(io) - 2), 2),
    "",
    ...plugin.providers.flatMap((provider) => providerLines(provider, io)),
  ];
}

function providerLines(provider: ProviderInfo, io: CliIo): string[] {
  const width = widthOf(io);
  const endpoints = provider.endpoints.map(({ method, path, description }) =>
    [`${method} ${path}`, description] as const
  );
  const left = endpoints.reduce((most, [word]) => Math.min(40, Math.max(most, word.length)), 0);
  return [
    `  ${bold(io, `${provider.plugin}/${provider.name}`)}: ${provider.title}${portOf(provider)}`,
    ...indent(wrap(provider.description, width - 4), 4),
    ...endpoints.flatMap(([word, about]) =>
      indent(entry(word, about, { left, width: width - 2 }).split("\n"), 2)
    ),
    "",
    ...provider.snippets.flatMap(({ title, lang, code }) => [
      `    ${title} (${lang})`,
      ...indent(code.trimEnd().split("\n"), 6),
      "",
    ]),
  ];
}

function portOf({ port, network }: ProviderInfo): string {
  if (network === undefined) return "";
  return port === undefined ? `, any free ${network} port` : `, ${network} port ${port}`;
}

function indent(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => line === "" ? "" : " ".repeat(columns) + line);
}

function widthOf(io: CliIo): number {
  return Math.min(100, Math.max(60, io.columns ?? 100));
}
