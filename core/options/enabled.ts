import type { AnyPlugin } from "../plugin.ts";
import { type GivenValues, quote } from "./given.ts";
import { placesNamed, providerPlaces } from "../provider_names.ts";
import { didYouMean, suggest } from "./suggest.ts";
import type { OptionTree } from "./tree.ts";

/** The enabled plugins and providers. */
export interface EnabledProviders {
  /** Plugin ids. */
  readonly plugins: ReadonlySet<string>;
  /** As `plugin/provider`. */
  readonly providers: ReadonlySet<string>;
}

interface EnableContext {
  readonly values: GivenValues;
  readonly tree: OptionTree;
  readonly sources: { readonly only?: string; readonly enabledProviders?: readonly string[] };
}

/** Decides which plugins and providers run, and reports flags for those that do not. */
export function resolveEnabled(
  plugins: readonly AnyPlugin[],
  context: EnableContext,
): EnabledProviders {
  const { values, sources } = context;
  if (sources.only !== undefined && !plugins.some(({ id }) => id === sources.only)) {
    const hint = didYouMean(sources.only, plugins.map(({ id }) => id), { what: "plugins" });
    values.problems.push(`Cannot run plugin ${quote(sources.only)}: unknown plugin; ${hint}`);
  }
  const candidates = plugins.filter(({ id }) => sources.only === undefined || id === sources.only);
  const narrowed = sources.enabledProviders === undefined
    ? undefined
    : readNames(candidates, sources.enabledProviders, context);
  const enabled = new Set<string>();
  const running = new Set<string>();
  for (const plugin of candidates) {
    const providers = narrowed === undefined && sources.only === undefined
      ? configured(plugin, values)
      : plugin.providers.map(({ id }) => id).filter((id) =>
        narrowed === undefined || narrowed.has(`${plugin.id}/${id}`)
      );
    if (providers === undefined || (narrowed !== undefined && providers.length === 0)) continue;
    running.add(plugin.id);
    for (const id of providers) enabled.add(`${plugin.id}/${id}`);
  }
  noteIdleFlags(candidates, { context, enabled, narrowed });
  return { plugins: running, providers: enabled };
}

/** Returns the providers of a plugin that the file enables; `undefined` if the plugin is disabled. */
function configured(plugin: AnyPlugin, values: GivenValues): string[] | undefined {
  const fallback = values.get("default_enabled")?.value !== false;
  const own = values.get(`plugins.${plugin.id}.enabled`)?.value;
  const said = plugin.providers.map(({ id }) => ({
    id,
    own: values.get(`plugins.${plugin.id}.providers.${id}.enabled`)?.value,
  }));
  const anyOn = said.some((provider) => provider.own === true);
  if (own === false || (own === undefined && !fallback && !anyOn)) return undefined;
  // A plugin that is enabled without naming a provider means all of them.
  const rest = fallback || (own === true && !anyOn);
  return said.filter((provider) => provider.own ?? rest).map(({ id }) => id);
}

/** Completes names to `mail/smtp`. */
function readNames(
  plugins: readonly AnyPlugin[],
  names: readonly string[],
  { values, sources }: EnableContext,
): ReadonlySet<string> {
  const all = providerPlaces(plugins).map((place) => ({
    ...place,
    whole: `${place.plugin}/${place.id}`,
  }));
  const valid = all.map(({ id, whole }) => sources.only === undefined ? whole : id).join(", ");
  const kind = sources.only === undefined ? "" : `${sources.only} `;
  if (names.length === 0) {
    values.problems.push(`Cannot enable no ${kind}provider at all: valid providers are ${valid}`);
  }
  const chosen = new Set<string>();
  for (const name of names) {
    const found = placesNamed(name, all);
    if (found.length === 0) {
      const near = suggest(name, all.flatMap(({ id, whole, aliases }) => [id, whole, ...aliases]));
      const hint = near === undefined ? "" : ` did you mean ${near}?`;
      values.problems.push(
        `unknown ${kind}provider ${quote(name)}:${hint} valid providers are ${valid}`,
      );
    } else if (found.length > 1) {
      const choices = found.map(({ whole }) => whole).join(" or ");
      values.problems.push(`Cannot tell which provider ${quote(name)} means: write ${choices}`);
    } else {
      chosen.add(found[0]!.whole);
    }
  }
  return chosen;
}

/** Refuses a flag for a provider that does not run, because it would be ignored. */
function noteIdleFlags(
  plugins: readonly AnyPlugin[],
  { context, enabled, narrowed }: {
    context: EnableContext;
    enabled: ReadonlySet<string>;
    narrowed: ReadonlySet<string> | undefined;
  },
): void {
  for (const plugin of plugins) {
    for (const { id } of plugin.providers) {
      const whole = `${plugin.id}/${id}`;
      if (enabled.has(whole) || !hasFlags(context, { plugin: plugin.id, provider: id })) continue;
      const flags = `${plugin.id}: flags were given for provider ${quote(id)}`;
      // Unreadable names are reported already.
      if (narrowed !== undefined && narrowed.size === 0) continue;
      context.values.problems.push(
        narrowed === undefined
          ? `${flags}, but the configuration file disables it`
          : `${flags}, but --enabled-providers only enables ${shortNames(narrowed, plugin.id)}`,
      );
    }
  }
}

function hasFlags(
  { tree, values }: EnableContext,
  owner: { plugin: string; provider: string },
): boolean {
  const section = tree.sections.find(({ plugin, provider }) =>
    plugin === owner.plugin && provider === owner.provider
  );
  return section?.settings.some(({ path }) => values.get(path)?.source === "flag") === true;
}

function shortNames(names: ReadonlySet<string>, plugin: string): string {
  return [...names].map((name) =>
    name.startsWith(`${plugin}/`) ? name.slice(plugin.length + 1) : name
  ).join(", ");
}
