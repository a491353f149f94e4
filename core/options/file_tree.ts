import type { AnyPlugin } from "../plugin.ts";
import { placesNamed, providerPlaces } from "../provider_names.ts";
import { type GivenValues, quote } from "./given.ts";
import { didYouMean } from "./suggest.ts";
import { isListener, type OptionTree } from "./tree.ts";

/** Settings as nested tables, from a file or a program. */
export interface SettingsTree {
  /** For messages; absent if a program gave them. */
  readonly file?: string;
  /** Base of relative paths. */
  readonly folder?: string | undefined;
  readonly tables: Readonly<Record<string, unknown>>;
}

/** Reads every value of the tables; reports unknown keys with the likely intended one. */
export function takeTables(
  values: GivenValues,
  given: SettingsTree,
  around: { tree: OptionTree; plugins: readonly AnyPlugin[] },
): void {
  const walk = new Walk(values, given, around);
  walk.table("", given.tables);
}

class Walk {
  readonly #values: GivenValues;
  readonly #given: SettingsTree;
  readonly #tree: OptionTree;
  readonly #plugins: readonly AnyPlugin[];
  /** Every table by path, with the names of its tables and keys. */
  readonly #names = new Map<string, Set<string>>();

  constructor(
    values: GivenValues,
    given: SettingsTree,
    around: { tree: OptionTree; plugins: readonly AnyPlugin[] },
  ) {
    this.#values = values;
    this.#given = given;
    this.#tree = around.tree;
    this.#plugins = around.plugins;
    for (const section of around.tree.sections) {
      this.#open(section.path);
      for (const { key } of section.settings) this.#names.get(section.path)?.add(key);
    }
  }

  #open(path: string): void {
    if (this.#names.has(path)) return;
    this.#names.set(path, new Set());
    if (path === "") return;
    const dot = path.lastIndexOf(".");
    const parent = path.slice(0, Math.max(0, dot));
    this.#open(parent);
    this.#names.get(parent)?.add(path.slice(dot + 1));
  }

  table(path: string, table: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(table)) {
      if (value === undefined) continue;
      const inner = path === "" ? key : `${path}.${key}`;
      const setting = key.includes(".") ? undefined : this.#tree.byPath.get(inner);
      if (setting !== undefined) {
        const about = {
          source: "file",
          name: `${place(path, key)}${this.#where()}`,
          shown: `${place(path, key)} = ${quote(value)}${this.#where()}`,
          folder: this.#given.folder,
        } as const;
        this.#values.take(setting, about, () => setting.spec.check(value));
      } else if (this.#names.has(inner) && !key.includes(".")) {
        if (isTable(value)) this.table(inner, value);
        else this.#problem(place(path, key), `expected a table, written [${inner}]`);
      } else {
        this.#unknown(path, key, isTable(value));
      }
    }
  }

  #where(): string {
    return this.#given.file === undefined ? "" : ` in "${this.#given.file}"`;
  }

  #problem(name: string, detail: string): void {
    this.#values.problems.push(`Cannot use ${name}${this.#where()}: ${detail}`);
  }

  #unknown(path: string, key: string, isTable: boolean): void {
    const shared = this.#sharedListener(path, key);
    if (shared !== undefined) return this.#problem(place(path, key), shared);
    const names = [...this.#names.get(path) ?? []];
    const plugin = /^plugins\.([^.]+)\.providers$/.exec(path)?.[1];
    if (plugin !== undefined) {
      const places = providerPlaces(this.#plugins.filter(({ id }) => id === plugin));
      const meant = placesNamed(key, places)[0]?.id ?? key;
      const hint = didYouMean(meant, names, { what: "providers" });
      return this.#problem(`[${path}.${key}]`, `unknown ${plugin} provider "${key}"; ${hint}`);
    }
    if (path === "plugins" || path === "storage.plugins") {
      const hint = didYouMean(key, names, { what: "plugins" });
      return this.#problem(`[${path}.${key}]`, `unknown plugin "${key}"; ${hint}`);
    }
    const what = path === "storage.plugin_capacity" ? "plugin" : isTable ? "table" : "key";
    const hint = didYouMean(key, names, { what: what === "plugin" ? "plugins" : "keys" });
    const table = `[${path === "" ? key : `${path}.${key}`}]`;
    this.#problem(isTable ? table : place(path, key), `unknown ${what} "${key}"; ${hint}`);
  }

  /** Recognizes a listener's setting under a provider without a listener, the most likely mistake. */
  #sharedListener(path: string, key: string): string | undefined {
    if (key !== "port" && key !== "bind") return undefined;
    const match = /^plugins\.([^.]+)\.providers\.([^.]+)$/.exec(path);
    const provider = this.#plugins.find(({ id }) => id === match?.[1])
      ?.providers.find(({ id }) => id === match?.[2]);
    if (provider === undefined || isListener(provider)) return undefined;
    const instead = key === "port" ? "[ingress] port or --ingress-port" : "[ingress] bind";
    return `"${provider.id}" has no listener of its own, it shares the ingress with every HTTP provider; ` +
      `set ${instead} instead`;
  }
}

/** Returns whether a value is a table; dates are objects, too. */
function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Formats a key as in the file: `[ui] port`, or `bind` at the top. */
export function place(table: string, key: string): string {
  return table === "" ? key : `[${table}] ${key}`;
}
