import type { AnyPlugin, Provider } from "../plugin.ts";
import type { PluginState } from "../plugin.ts";
import {
  API_OPTIONS,
  CALLBACK_OPTIONS,
  callbackAddress,
  INGRESS_OPTIONS,
  NAMESPACE_OPTIONS,
  NATS_OPTIONS,
  OTEL_OPTIONS,
  PLUGIN_CAPACITY,
  PLUGIN_STORAGE_OPTIONS,
  REPEAT_OPTIONS,
  ROOT_OPTIONS,
  STORAGE_OPTIONS,
  UI_OPTIONS,
} from "./core_options.ts";
import type { Settings } from "./settings.ts";
import { boolean, optionalHostname, type OptionSet, type OptionSpec } from "./spec.ts";

/** One setting with its place in the file, its flag and its variable. */
export interface Setting {
  /** TOML path, joined with dots; unique. */
  readonly path: string;
  readonly key: string;
  /** TOML path of its table, joined with dots; empty at the top. */
  readonly table: string;
  readonly spec: OptionSpec<unknown>;
  /** Without dashes; absent for settings of the file only. */
  readonly flag?: string;
  /** The flag's name on the commands that run one plugin, if it differs. */
  readonly shortcutFlag?: string;
  /** Environment variable; absent for settings of the file only. */
  readonly variable?: string;
  /** Owner; absent for settings of the service itself. */
  readonly plugin?: string;
  readonly provider?: string;
}

/** One table of the file. */
export interface Section {
  /** TOML path, joined with dots; empty at the top. */
  readonly path: string;
  readonly title: string;
  readonly settings: readonly Setting[];
  readonly plugin?: string;
  readonly provider?: string;
}

/** Every setting of a set of plugins. */
export interface OptionTree {
  readonly sections: readonly Section[];
  readonly byPath: ReadonlyMap<string, Setting>;
  /** By flag, without dashes, including second names of a flag. */
  readonly byFlag: ReadonlyMap<string, Setting>;
}

/** Flags of commands, which no setting may use. */
export const COMMAND_FLAGS: readonly string[] = [
  ...["name", "phase", "match", "skip", "with", "chance", "seed", "times", "delay", "after", "ttl"],
  "checks",
  "config",
  "enabled-providers",
  "format",
  "free-ports",
  "html",
  "json",
  "junit",
  "level",
  "markdown",
  "namespace",
  "pem",
  "permissions",
  "plugin",
  "stop-on-eof",
  "url",
  "wait",
  "timeout",
  "help",
  "version",
];

/** Builds the tree of a set of plugins. Throws `RangeError` if two settings claim one flag, with the names of both. */
export function optionTree(plugins: readonly AnyPlugin[]): OptionTree {
  const sections = [...coreSections(plugins), ...plugins.flatMap(pluginSections)];
  const byPath = new Map<string, Setting>();
  const byFlag = new Map<string, Setting>();
  for (const setting of sections.flatMap((section) => section.settings)) {
    if (byPath.has(setting.path)) {
      throw new RangeError(`Cannot use setting "${setting.path}" twice: paths must differ`);
    }
    byPath.set(setting.path, setting);
    for (const flag of [setting.flag, setting.shortcutFlag]) {
      if (flag === undefined) continue;
      const other = COMMAND_FLAGS.includes(flag) ? "the command line" : byFlag.get(flag)?.path;
      if (other !== undefined) {
        throw new RangeError(`Cannot use flag "--${flag}" for ${setting.path}: ${other} has it`);
      }
      byFlag.set(flag, setting);
    }
  }
  return { sections, byPath, byFlag };
}

interface Owner {
  readonly path: string;
  readonly title: string;
  /** First word of derived flags. */
  readonly prefix: string;
  readonly plugin?: string;
  readonly provider?: string;
}

function section(owner: Owner, options: OptionSet): Section {
  const { path, title, prefix, ...names } = owner;
  const settings = Object.entries(options).map(([key, spec]): Setting => {
    const at = { path: path === "" ? key : `${path}.${key}`, key, table: path, spec, ...names };
    if (spec.only === "file") return at;
    const flag = spec.flag ?? `${prefix}-${key.replaceAll("_", "-")}`;
    return { ...at, flag, variable: toVariable(flag) };
  });
  return { path, title, settings, ...names };
}

/** Returns the variable of a flag. */
export function toVariable(flag: string): string {
  return `SERVICE_${flag.replaceAll("-", "_").toUpperCase()}`;
}

function coreSections(plugins: readonly AnyPlugin[]): Section[] {
  const ingress = section(
    { path: "ingress", title: "Shared HTTP listener of the providers", prefix: "ingress" },
    INGRESS_OPTIONS,
  );
  const capacities = Object.fromEntries(plugins.map(({ id }) => [id, PLUGIN_CAPACITY]));
  return [
    section({ path: "", title: "Service", prefix: "" }, ROOT_OPTIONS),
    section({ path: "ui", title: "User interface", prefix: "ui" }, UI_OPTIONS),
    section({ path: "api", title: "Read-back API", prefix: "api" }, API_OPTIONS),
    {
      ...ingress,
      settings: ingress.settings.map((setting) =>
        setting.key === "port" ? { ...setting, shortcutFlag: "in-port" } : setting
      ),
    },
    section(
      { path: "namespaces", title: "Namespaces that separate tests", prefix: "namespace" },
      NAMESPACE_OPTIONS,
    ),
    ...callbackSections(plugins),
    section(
      { path: "otel", title: "Spans for an OpenTelemetry collector", prefix: "otel" },
      OTEL_OPTIONS,
    ),
    section(
      { path: "repeat", title: "Reproducible runs", prefix: "repeat" },
      REPEAT_OPTIONS,
    ),
    section({ path: "storage", title: "Storage", prefix: "storage" }, STORAGE_OPTIONS),
    section({ path: "storage.nats", title: "Events kept in NATS", prefix: "nats" }, NATS_OPTIONS),
    section({
      path: "storage.plugin_capacity",
      title: "Events kept, plugin by plugin",
      prefix: "",
    }, capacities),
    ...plugins.map(({ id, title }) =>
      section(
        { path: `storage.plugins.${id}`, title: `Storage of ${title}`, prefix: "" },
        PLUGIN_STORAGE_OPTIONS,
      )
    ),
  ];
}

function callbackSections(plugins: readonly AnyPlugin[]): Section[] {
  const providers = plugins.flatMap((plugin) => plugin.providers);
  const addresses = (kind: "webhook" | "inbound"): OptionSet =>
    Object.fromEntries(providers.flatMap(({ id, callbacks }) => {
      const about = callbacks?.[kind];
      return about === undefined ? [] : [[callbacks?.setting ?? id, callbackAddress(about)]];
    }));
  return [
    section(
      { path: "callbacks", title: "Calls to the application", prefix: "callbacks" },
      CALLBACK_OPTIONS,
    ),
    section({
      path: "callbacks.webhooks",
      title: "Application addresses for reports about sent items",
      prefix: "callbacks-webhook",
    }, addresses("webhook")),
    section({
      path: "callbacks.inbound",
      title: "Application addresses for inbound items",
      prefix: "callbacks-inbound",
    }, addresses("inbound")),
  ];
}

function enabled(what: string): OptionSet {
  return {
    enabled: {
      ...boolean(`Whether this ${what} runs; by default, default_enabled decides`, true, {
        only: "file",
      }),
      fallback: undefined,
      example: true,
    },
  };
}

const LISTENER_BIND: OptionSet = {
  bind: optionalHostname("Address of this listener; overrides the top-level bind and --bind", {
    only: "file",
    example: "127.0.0.1",
  }),
};

function pluginSections(plugin: AnyPlugin): Section[] {
  const path = `plugins.${plugin.id}`;
  const own = { path, title: plugin.title, prefix: plugin.id, plugin: plugin.id };
  return [
    section(own, { ...enabled("plugin"), ...plugin.options }),
    ...plugin.providers.map((provider) =>
      section({
        path: `${path}.providers.${provider.id}`,
        title: `${plugin.title}: ${provider.title}`,
        prefix: provider.flagPrefix ?? provider.id,
        plugin: plugin.id,
        provider: provider.id,
      }, providerOptions(provider))
    ),
  ];
}

function providerOptions(provider: Provider<PluginState>): OptionSet {
  const added = { ...enabled("provider"), ...(isListener(provider) ? LISTENER_BIND : {}) };
  for (const key of Object.keys(provider.options)) {
    if (Object.hasOwn(added, key)) {
      throw new RangeError(`Cannot use option "${key}" in provider "${provider.id}": core adds it`);
    }
  }
  return { ...added, ...provider.options };
}

/** A provider with its own port. */
export type Listener = Exclude<Provider<PluginState>, { readonly kind: "ingress" }>;

/** Returns whether a provider has its own port. */
export function isListener(provider: Provider<PluginState>): provider is Listener {
  return provider.kind !== "ingress";
}

/** Returns whether any enabled provider uses the ingress, which otherwise has no port. */
export function needsIngress(
  plugins: readonly AnyPlugin[],
  settings: Pick<Settings, "plugins">,
): boolean {
  return plugins.some(({ id, providers }) =>
    providers.some((provider) =>
      !isListener(provider) && settings.plugins.get(id)?.providers.get(provider.id)?.enabled
    )
  );
}
