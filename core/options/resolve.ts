import { ConfigError } from "../errors.ts";
import type { AnyPlugin } from "../plugin.ts";
import { checkSettings } from "./checks.ts";
import {
  API_OPTIONS,
  type Backend,
  CALLBACK_OPTIONS,
  INGRESS_OPTIONS,
  NAMESPACE_OPTIONS,
  NATS_OPTIONS,
  OTEL_OPTIONS,
  REPEAT_OPTIONS,
  ROOT_OPTIONS,
  STORAGE_OPTIONS,
  UI_OPTIONS,
} from "./core_options.ts";
import { type EnabledProviders, resolveEnabled } from "./enabled.ts";
import { type SettingsTree, takeTables } from "./file_tree.ts";
import { type FlagTexts, type Given, GivenValues, takeEnvironment, takeFlags } from "./given.ts";
import { homeFolder, type ReadVariable } from "./paths.ts";
import type {
  Bound,
  CallbackSettings,
  PluginSettings,
  PluginStorageSettings,
  Settings,
  StorageSettings,
} from "./settings.ts";
import type { OptionSet, Values } from "./spec.ts";
import { isListener, type OptionTree, optionTree, type Setting } from "./tree.ts";
import { join } from "@std/path/join";

/** Sources of settings, all optional. Later ones win: file, tree, environment, flags. */
export interface SettingSources {
  /** The parsed file, and its path. */
  readonly file?: { readonly path: string; readonly tree: Readonly<Record<string, unknown>> };
  /** Settings in the structure of the file, given by a program. */
  readonly tree?: Readonly<Record<string, unknown>>;
  readonly env?: ReadVariable;
  readonly flags?: FlagTexts;
  /** Id of the only plugin to run. */
  readonly only?: string;
  /** The only providers to run: `smtp`, or `mail/smtp` if two plugins have a provider of that name. */
  readonly enabledProviders?: readonly string[];
  /** Sets every port without a value to 0: any free port. */
  readonly portsZero?: boolean;
  /** Base of relative paths in `file` and `tree`; the working directory by default. */
  readonly configFolder?: string;
}

/** Merges all sources and checks the result. Throws `ConfigError` with every problem found. */
export function resolveSettings(
  plugins: readonly AnyPlugin[],
  sources: SettingSources = {},
): Settings {
  const tree = optionTree(plugins);
  const values = new GivenValues(sources.env === undefined ? undefined : homeFolder(sources.env));
  for (const tables of tablesOf(sources)) takeTables(values, tables, { tree, plugins });
  const includes = (setting: Setting): boolean =>
    sources.only === undefined || setting.plugin === undefined || setting.plugin === sources.only;
  if (sources.env !== undefined) takeEnvironment(values, tree, { env: sources.env, includes });
  takeFlags(values, tree, { flags: sources.flags ?? {}, includes });
  const enabled = resolveEnabled(plugins, { values, tree, sources });
  const merged = new Merged(values, tree, sources.portsZero === true ? portPaths(plugins) : []);
  const settings = build(plugins, { merged, enabled });
  const { problems, warnings } = checkSettings(plugins, { settings, values, tree, sources });
  const all = [...values.problems, ...problems];
  if (all.length > 0) throw new ConfigError(all);
  const { file, configFolder } = sources;
  return {
    ...settings,
    warnings,
    ...(file === undefined || configFolder === undefined ? {} : { fileFolder: configFolder }),
    ...(file === undefined || sources.tree?.faults !== undefined ? {} : { faultsFile: file.path }),
  };
}

function tablesOf(sources: SettingSources): SettingsTree[] {
  const folder = sources.configFolder;
  return [
    ...(sources.file === undefined
      ? []
      : [{ file: sources.file.path, folder, tables: sources.file.tree }]),
    ...(sources.tree === undefined ? [] : [{ folder, tables: sources.tree }]),
  ];
}

function portPaths(plugins: readonly AnyPlugin[]): string[] {
  const listeners = plugins.flatMap(({ id, providers }) =>
    providers.filter(isListener).map((provider) =>
      `plugins.${id}.providers.${provider.id}.${provider.portOption}`
    )
  );
  return ["ui.port", "ingress.port", ...listeners];
}

/** Returns the effective values: those given, or else the defaults. */
class Merged {
  readonly #given: GivenValues;
  readonly #tree: OptionTree;
  readonly #zero: ReadonlySet<string>;

  constructor(given: GivenValues, tree: OptionTree, zero: readonly string[]) {
    this.#given = given;
    this.#tree = tree;
    this.#zero = new Set(zero);
  }

  given(path: string): Given | undefined {
    return this.#given.get(path);
  }

  value(path: string): unknown {
    const given = this.#given.get(path);
    if (given !== undefined) return given.value;
    return this.#zero.has(path) ? 0 : this.#tree.byPath.get(path)?.spec.fallback;
  }

  /** Values of one table, each parsed by the option that declares its type. */
  section<S extends OptionSet>(table: string, options: S): Values<S> {
    const prefix = table === "" ? "" : `${table}.`;
    const entries = Object.keys(options).map((key) => [key, this.value(prefix + key)] as const);
    return Object.fromEntries(entries) as Values<S>;
  }
}

function build(
  plugins: readonly AnyPlugin[],
  { merged, enabled }: { merged: Merged; enabled: EnabledProviders },
): Omit<Settings, "warnings"> {
  const root = merged.section("", ROOT_OPTIONS);
  // A bind address from the command line replaces those of the file for the three core listeners.
  const source = merged.given("bind")?.source;
  const forced = source === "flag" || source === "environment";
  const bound = <V extends { readonly bind: string | undefined }>(values: V): Bound<V> => ({
    ...values,
    bind: forced ? root.bind : values.bind ?? root.bind,
  });
  const ingress = bound(merged.section("ingress", INGRESS_OPTIONS));
  const core = {
    root,
    ui: bound(merged.section("ui", UI_OPTIONS)),
    api: bound(merged.section("api", API_OPTIONS)),
    ingress,
    namespaces: merged.section("namespaces", NAMESPACE_OPTIONS),
    callbacks: buildCallbacks(plugins, merged),
    otel: merged.section("otel", OTEL_OPTIONS),
    repeat: merged.section("repeat", REPEAT_OPTIONS),
    storage: buildStorage(plugins, merged),
  };
  const built = plugins.map((plugin): [string, PluginSettings] => {
    const providers = plugin.providers.map((provider) => {
      const table = `plugins.${plugin.id}.providers.${provider.id}`;
      const own = merged.value(`${table}.bind`);
      return [provider.id, {
        enabled: enabled.providers.has(`${plugin.id}/${provider.id}`),
        bind: typeof own === "string" ? own : isListener(provider) ? root.bind : ingress.bind,
        values: merged.section(table, provider.options),
      }] as const;
    });
    return [plugin.id, {
      enabled: enabled.plugins.has(plugin.id),
      values: merged.section(`plugins.${plugin.id}`, plugin.options ?? {}),
      providers: new Map(providers),
    }];
  });
  return { core, plugins: new Map(built) };
}

function buildCallbacks(plugins: readonly AnyPlugin[], merged: Merged): CallbackSettings {
  const names = plugins.flatMap(({ providers }) =>
    providers.map(({ id, callbacks }) => callbacks?.setting ?? id)
  );
  const addresses = (table: string): Record<string, string> =>
    Object.fromEntries(names.flatMap((name) => {
      const address = merged.value(`callbacks.${table}.${name}`);
      return typeof address === "string" ? [[name, address]] : [];
    }));
  const { events, path } = merged.section("storage", STORAGE_OPTIONS);
  const isKept = events === "filesystem" && path !== undefined;
  return {
    ...merged.section("callbacks", CALLBACK_OPTIONS),
    webhooks: addresses("webhooks"),
    inbound: addresses("inbound"),
    ...(isKept ? { folder: join(path, "callbacks") } : {}),
  };
}

function buildStorage(plugins: readonly AnyPlugin[], merged: Merged): StorageSettings {
  const general = merged.section("storage", STORAGE_OPTIONS);
  const persist = merged.given("storage.path");
  const forced = persist !== undefined && persist.source !== "file" && persist.value !== undefined;
  const backend: Backend = forced ? "filesystem" : general.backend;
  const capacities = plugins.flatMap(({ id }) => {
    const given = merged.given(`storage.plugin_capacity.${id}`);
    return given === undefined ? [] : [[id, Number(given.value)] as const];
  });
  const stores = plugins.map(({ id }): [string, PluginStorageSettings] => {
    const own = merged.given(`storage.plugins.${id}.backend`)?.value;
    const path = merged.value(`storage.plugins.${id}.path`) ?? general.path;
    if ((own ?? backend) !== "filesystem" || typeof path !== "string") {
      return [id, { backend: "memory" }];
    }
    return [id, { backend: "filesystem", folder: join(path, id) }];
  });
  const { blob_limit, raw_limit } = general;
  const isGiven = merged.given("storage.memory_limit") !== undefined;
  const { events, path } = general;
  return {
    ...general,
    ...(events === "filesystem" && path !== undefined ? { eventFolder: join(path, "events") } : {}),
    memory_limit: Math.max(general.memory_limit, isGiven ? 0 : 2 * Math.max(blob_limit, raw_limit)),
    backend,
    nats: merged.section("storage.nats", NATS_OPTIONS),
    plugin_capacity: Object.fromEntries(capacities),
    plugins: Object.fromEntries(stores),
  };
}
