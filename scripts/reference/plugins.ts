import type { AnyPlugin } from "../../core/plugin.ts";
import { optionTree } from "../../core/options/tree.ts";
import { code, table } from "./markdown.ts";
import { onLoopbackOf, routesTable, settingsTable, snippetsText } from "./providers.ts";

type AnyProvider = AnyPlugin["providers"][number];

/** Keys that a plugin keeps in the user's configuration folder by default. */
export const KEPT_KEYS: Readonly<
  Record<string, { readonly what: string; readonly withoutFlag?: string }>
> = {
  files: { what: "The SSH host key" },
  as2: { what: "The certificate of the trading partner", withoutFlag: "--as2-in-memory" },
};

/** `docs/plugins`: an overview, and a page per plugin, by name. */
export function pluginPages(plugins: readonly AnyPlugin[]): ReadonlyMap<string, string> {
  return new Map([
    ["README.md", overview(plugins)],
    ...plugins.map((plugin) => [`${plugin.id}.md`, page(plugins, plugin)] as const),
  ]);
}

function overview(plugins: readonly AnyPlugin[]): string {
  return "# Plugins\n\n" + table(
    ["Plugin", "What it does", "Stands in for"],
    plugins.map(({ id, title, about, providers }) => [
      `[${title}](${id}.md)`,
      about,
      providers.map((provider) => provider.title).join(", "),
    ]),
  );
}

function page(plugins: readonly AnyPlugin[], plugin: AnyPlugin): string {
  const { id, title, about, providers } = plugin;
  return [
    `# ${title}\n\n${about}\n`,
    `![The ${title} tab: the list on the left, and one entry open](../images/${id}.png)\n`,
    `\`standin ${id}\` runs it alone, and \`standin demo ${id}\` sends it samples.\n`,
    "## Providers\n",
    table(
      ["Provider", "Stands in for", "Default address"],
      providers.map((one) => [`[${one.id}](#${one.id})`, one.title, code(onLoopbackOf(one).url)]),
    ),
    `## Events\n\n${typesOf(plugin)}\n`,
    `## Permissions\n\n${permissions(plugins, plugin)}`,
    ...providers.map((one) => provider(plugins, plugin, one)),
  ].join("\n");
}

function typesOf({ id, eventTypes, routes }: AnyPlugin): string {
  const types = `Types: ${eventTypes.map(code).join(", ")}. ` +
    "[Events](../reference/events.md) describes their payloads.";
  return routes.length === 0
    ? types
    : `${types} Read them back under ${
      code(`/api/v1/${id}`)
    }: see [routes](../reference/routes.md).`;
}

/** Lists the permissions that the plugin needs when it runs alone. */
function permissions(plugins: readonly AnyPlugin[], plugin: AnyPlugin): string {
  const key = KEPT_KEYS[plugin.id];
  const paths = optionTree(plugins).sections
    .filter((section) => section.plugin === plugin.id)
    .flatMap(({ settings }) => settings)
    .filter(({ spec }) => spec.kind === "path")
    .map(({ flag, path }) => code(flag === undefined ? path : `--${flag}`));
  return table(["Permission", "What for"], [
    ["network", "Its listeners, and those of the service"],
    ...(plugin.persists === true
      ? [["read and write", `The folder named by ${code("--persist")}; none without it`]]
      : []),
    ...(paths.length === 0 ? [] : [["read and write", `Files named by ${paths.join(", ")}`]]),
    ...(key === undefined ? [] : [[
      "read and write",
      `${key.what}, in your configuration folder${without(key.withoutFlag)}`,
    ]]),
    [
      "read and write",
      `The CA of the service, in your configuration folder${without("--tls-in-memory")}`,
    ],
  ]) + "\nIt starts no other programs, and follows no links in what it captures.\n";
}

function without(flag: string | undefined): string {
  return flag === undefined ? "" : `; none with ${code(flag)}`;
}

function provider(plugins: readonly AnyPlugin[], plugin: AnyPlugin, one: AnyProvider): string {
  return [
    `## ${one.id}\n\n${one.title}. ${one.about}.\n`,
    routesTable(one),
    settingsTable(plugins, { plugin: plugin.id, provider: one.id }),
    snippetsText(one),
  ].filter((part) => part !== "").join("\n");
}
