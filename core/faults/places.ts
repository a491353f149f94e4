/** Places of faults: the running providers, their phases and outcomes. */
import { compact } from "../compact.ts";
import { aliasesOf, isAlias, type NamedProvider } from "../provider_names.ts";
import { CORE_OF_KIND, CORE_OUTCOMES, type FaultOutcome, type ProviderFaults } from "./outcome.ts";

/** A provider, and what can go wrong with it. */
export interface FaultPlace {
  /** `plugin/provider`. */
  readonly on: string;
  /** Other words for the provider. */
  readonly aliases: readonly string[];
  /** Subjects of each phase; the provider captures in the first. */
  readonly phases: Readonly<Record<string, string>>;
  /** Outcomes by id, each with its phases: the first is the default of rules that name none. */
  readonly outcomes: ReadonlyMap<string, FaultOutcome & Required<Pick<FaultOutcome, "phases">>>;
}

/** The part of a plugin that faults need. */
export interface FaultyPlugin {
  readonly id: string;
  readonly providers: readonly (NamedProvider & {
    readonly kind: string;
    readonly faults?: ProviderFaults;
  })[];
}

/** Every provider that declares faults. */
export function faultPlaces(plugins: readonly FaultyPlugin[]): FaultPlace[] {
  return plugins.flatMap(({ id, providers }) =>
    providers.flatMap((provider) =>
      provider.faults === undefined ? [] : [
        toPlace(`${id}/${provider.id}`, provider.faults, provider),
      ]
    )
  );
}

function toPlace(
  on: string,
  faults: ProviderFaults,
  provider: NamedProvider & { readonly kind: string },
): FaultPlace {
  const phases = Object.keys(faults.phases);
  const shared = (faults.core ?? CORE_OF_KIND[provider.kind] ?? []).map((id) => CORE_OUTCOMES[id]);
  const all = [...faults.outcomes, ...shared];
  return {
    on,
    aliases: aliasesOf(provider),
    phases: faults.phases,
    outcomes: new Map(all.map((outcome) => {
      const { phases: own = phases } = outcome;
      return [outcome.id, { ...outcome, phases: phases.filter((phase) => own.includes(phase)) }];
    })),
  };
}

/** Returns the provider or plugin that a word means: `mail/mail2` for `sendgrid`, and any other word unchanged. */
export function resolvePlace(word: string, places: readonly FaultPlace[]): string {
  if (places.some(({ on }) => on === word || on.startsWith(`${word}/`))) return word;
  const meant = places.find(({ on, aliases }) => {
    const [plugin = "", id = ""] = on.split("/", 2);
    return isAlias(word, { plugin, id, aliases });
  });
  return meant?.on ?? word;
}

/** An outcome as the API shows it. */
export interface ShownOutcome {
  readonly on: string;
  readonly id: string;
  readonly about: string;
  readonly source: string;
  readonly phases: string[];
  readonly params: Record<string, { about: string; schema: unknown; default?: unknown }>;
}

/** Returns the outcomes of a provider as the API shows them. */
export function outcomesOf(
  { on, outcomes }: Pick<FaultPlace, "on" | "outcomes">,
): ShownOutcome[] {
  return [...outcomes.values()].map(({ id, about, source, phases, params = {} }) => ({
    on,
    id,
    about,
    source,
    phases: [...phases],
    params: Object.fromEntries(
      Object.entries(params).map(([name, spec]) => [name, {
        about: spec.about,
        schema: spec.schema,
        ...compact({ default: spec.fallback }),
      }]),
    ),
  }));
}
