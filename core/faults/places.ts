/** Where faults can happen: the running providers, their phases and outcomes. */
import { compact } from "../compact.ts";
import { CORE_OF_KIND, CORE_OUTCOMES, type FaultOutcome, type ProviderFaults } from "./outcome.ts";

/** A provider, and what can go wrong with it. */
export interface FaultPlace {
  /** `plugin/provider`. */
  readonly on: string;
  /** What is known in each phase; the provider captures in the first. */
  readonly phases: Readonly<Record<string, string>>;
  /** Outcomes by id, each with its phases. */
  readonly outcomes: ReadonlyMap<string, FaultOutcome & Required<Pick<FaultOutcome, "phases">>>;
}

/** The part of a plugin that faults need. */
export interface FaultyPlugin {
  readonly id: string;
  readonly providers: readonly {
    readonly id: string;
    readonly kind: string;
    readonly faults?: ProviderFaults;
  }[];
}

/** Every provider that declares faults. */
export function faultPlaces(plugins: readonly FaultyPlugin[]): FaultPlace[] {
  return plugins.flatMap(({ id, providers }) =>
    providers.flatMap((provider) =>
      provider.faults === undefined ? [] : [
        toPlace(`${id}/${provider.id}`, provider.faults, provider.kind),
      ]
    )
  );
}

function toPlace(on: string, faults: ProviderFaults, kind: string): FaultPlace {
  const phases = Object.keys(faults.phases);
  const shared = (faults.core ?? CORE_OF_KIND[kind] ?? []).map((id) => CORE_OUTCOMES[id]);
  const all = [...faults.outcomes, ...shared];
  return {
    on,
    phases: faults.phases,
    outcomes: new Map(all.map((outcome) => [outcome.id, { phases, ...outcome }])),
  };
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

/** The outcomes of a provider as the API shows them. */
export function outcomesOf({ on, outcomes }: FaultPlace): ShownOutcome[] {
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
