/** Names in event filters: a name that no event can have is refused, instead of waited for. */
import type { EventStore } from "../events/event.ts";
import { shownName, suggest, unknownName } from "../options/suggest.ts";
import { isAlias, type ProviderPlace } from "../provider_names.ts";

/** Event names of one installed plugin. */
export interface EventNames {
  /** Its id. */
  readonly plugin: string;
  /** Whether it runs. */
  readonly running: boolean;
  /** Types of its events. */
  readonly types: readonly string[];
  /** Ids of its providers, and whether each runs. */
  readonly providers: ReadonlyMap<string, boolean>;
  /** The same for their aliases. */
  readonly places: readonly ProviderPlace[];
}

/** Names of the events of an instance. */
export interface NameContext {
  /** One entry for each installed plugin. */
  readonly names: readonly EventNames[];
  readonly events: Pick<EventStore, "list">;
}

/** Names in a filter. */
export interface NamesAsked {
  readonly plugin?: string | undefined;
  readonly type?: string | undefined;
  readonly provider?: string | undefined;
}

/** Provider of the events that a plugin's own routes capture. */
const API = "api";

/** A name, and what must run for an event to have it. */
interface Candidate {
  readonly name: string;
  readonly missing?: string | undefined;
}

/**
 * Returns the names as in events: a vendor's name becomes the id of its provider, with the plugin
 * if several have a provider of that id. Throws `RangeError`, with a message that begins with
 * `cannot`, for the first unknown name. If new events are awaited (`comes`), the provider must also
 * run. A name of a held event is always known.
 */
export function checkEventNames(
  asked: NamesAsked,
  { ctx, cannot, comes }: {
    readonly ctx: NameContext;
    readonly cannot: string;
    readonly comes: boolean;
  },
): NamesAsked {
  const named = withoutAlias(asked, ctx, cannot);
  for (const kind of ["plugin", "type", "provider"] as const) {
    const name = named[kind];
    if (name === undefined) continue;
    const candidates = ctx.names.flatMap((names) => candidatesOf(kind, names));
    if (kind === "provider") candidates.push({ name: API });
    const isKnown = candidates.some((one) =>
      one.name === name && (one.missing === undefined || !comes)
    );
    if (isKnown || ctx.events.list({ [kind]: name }, { limit: 1 }).length > 0) continue;
    const others = kind === "provider" ? placesOf(ctx).flatMap(({ aliases }) => aliases) : [];
    throw new RangeError(`${cannot}: ${reasonFor(kind, name, { candidates, others })}`);
  }
  return named;
}

function placesOf({ names }: NameContext): readonly ProviderPlace[] {
  return names.flatMap(({ places }) => places);
}

function withoutAlias(asked: NamesAsked, ctx: NameContext, cannot: string): NamesAsked {
  const { plugin, provider } = asked;
  if (provider === undefined || ctx.names.some(({ providers }) => providers.has(provider))) {
    return asked;
  }
  const places = placesOf(ctx);
  const meant = places.find((place) => isAlias(provider, place));
  if (meant === undefined) return asked;
  if (plugin !== undefined && plugin !== meant.plugin) {
    throw new RangeError(
      `${cannot}: provider ${shownName(provider)} is ${meant.plugin}/${meant.id}, no provider of ` +
        shownName(plugin),
    );
  }
  const isOnly = places.every((place) => place === meant || place.id !== meant.id);
  return { ...asked, provider: meant.id, ...(isOnly ? {} : { plugin: meant.plugin }) };
}

function candidatesOf(kind: keyof NamesAsked, names: EventNames): Candidate[] {
  const { plugin, running, types, providers } = names;
  const missing = running ? undefined : `plugin ${plugin}`;
  if (kind === "plugin") return [{ name: plugin, missing }];
  if (kind === "type") return types.map((name) => ({ name, missing }));
  return [...providers].map(([name, runs]) => ({
    name,
    missing: missing ?? (runs ? undefined : `provider ${plugin}/${name}`),
  }));
}

function reasonFor(
  kind: string,
  name: string,
  { candidates, others }: {
    readonly candidates: readonly Candidate[];
    readonly others: readonly string[];
  },
): string {
  const names = [...new Set(candidates.map((one) => one.name))];
  const near = suggest(name, [...names, ...others]);
  const missing = candidates.find((one) => one.name === near)?.missing;
  const stopped = missing === undefined ? "" : `; ${missing} is not running here`;
  if (near === name) return `no event can have the ${kind} ${shownName(name)}${stopped}`;
  return `${unknownName(kind, name, names, others)}${stopped}`;
}
