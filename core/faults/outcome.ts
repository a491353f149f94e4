/**
 * Outcomes of faults: data that each provider declares in its `faults.ts`, with their sources.
 *
 * @module
 */
import type { NewEvent } from "../events/event.ts";
import { defineOptions, integer, type OptionSet, type OptionSpec } from "../options/spec.ts";

/** One way in which a provider can fail. */
export interface FaultOutcome {
  /** Named by rules: lower-case words joined by `_`. */
  readonly id: string;
  /** What the client sees, in one sentence. */
  readonly about: string;
  /** Source of its words: a page of the vendor, a section of an RFC, or an issue that quotes a real response. */
  readonly source: string;
  /** Phases in which it can happen; by default all. */
  readonly phases?: readonly string[];
  /** Parameters that a rule may give under `with`. */
  readonly params?: OptionSet;
  /** Whether the item is captured nevertheless, in the phase that captures. */
  readonly captures?: true;
  /** Refuses a key at first; it passes after `waitMs`. */
  readonly passes?: {
    key(subject: FaultSubject | undefined): string;
    waitMs(params: Fault["with"]): number;
  };
}

/** Declaration of a provider's faults. */
export interface ProviderFaults<O extends FaultOutcome = FaultOutcome> {
  /** Phases, with the subjects known in each; the provider captures in the first. */
  readonly phases: Readonly<Record<string, string>>;
  /** Outcomes of the provider, besides those of `core`. */
  readonly outcomes: readonly O[];
  /** Shared outcomes that it has; by default all that its kind can have. */
  readonly core?: readonly CoreOutcome[];
}

/** Subject of a rule's conditions: the known parts of an event before its capture. */
export type FaultSubject = Pick<NewEvent, "payload" | "raw" | "meta" | "summary_parts">;

/** The client of a call: a delay ends when it disconnects. */
export interface Client {
  /** Aborts when it disconnects; absent if that cannot be detected. */
  readonly gone?: AbortSignal | undefined;
}

/** Effect of a rule that applies. */
export interface Fault {
  /** Name of the rule. */
  readonly name: string;
  /** Id of the outcome. */
  readonly outcome: string;
  /** Parameters of the outcome, with their defaults. */
  readonly with: Readonly<Record<string, unknown>>;
  /** Whether the item is captured first. */
  readonly after: boolean;
  /** Whether the outcome captures the item. */
  readonly captures?: true;
  /** Index of the subject that matched; absent for the first. */
  readonly at?: number;
}

/** The reason that the journal gives. */
export function reasonFor({ name, outcome }: Fault): string {
  return `fault "${name}": ${outcome}`;
}

/** Effect of a fault on a connection. */
export type Disturbance =
  | { readonly kind: "close" }
  | { readonly kind: "reset" }
  | { readonly kind: "slow"; readonly bytesPerSecond: number }
  | { readonly kind: "truncate"; readonly bytes: number };

/** Ids of the outcomes that providers share. */
export type CoreOutcome = "hang" | "reset" | "close" | "slow" | "truncate" | "drop";

const TCP = "https://www.rfc-editor.org/rfc/rfc9293";

/** Outcomes that providers share: faults of the network. */
export const CORE_OUTCOMES: Readonly<Record<CoreOutcome, FaultOutcome>> = {
  hang: {
    id: "hang",
    about: "No response; the connection stays open until the client closes it",
    source: `${TCP}#section-3.8.3`,
  },
  reset: {
    id: "reset",
    about:
      "The connection is reset without a response; over HTTP/2, its streams are reset (RST_STREAM). A connection " +
      "that was opened before the rule is closed instead",
    source: `${TCP}#section-3.5.2`,
  },
  close: {
    id: "close",
    about: "The connection is closed normally, without a response; over HTTP/2, with GOAWAY",
    source: `${TCP}#section-3.6`,
  },
  slow: {
    id: "slow",
    about: "The usual response, sent slowly; then the connection is closed",
    source: `${TCP}#section-3.8.6`,
    captures: true,
    params: defineOptions({
      bytes_per_second: integer("Bytes per second, of head and body", 10, {
        min: 1,
        max: 1_000_000,
      }),
    }),
  },
  truncate: {
    id: "truncate",
    about: "The usual response, cut off; then the connection is closed",
    source: `${TCP}#section-3.6`,
    captures: true,
    params: defineOptions({
      bytes: integer("Number of bytes sent, of head and body", 20, {
        max: 1_000_000_000,
      }),
    }),
  },
  drop: {
    id: "drop",
    about: "The datagram is dropped, without a response",
    source: "https://www.rfc-editor.org/rfc/rfc768",
  },
};

/** Which of them each kind of provider can have. */
export const CORE_OF_KIND: Readonly<Record<string, readonly CoreOutcome[]>> = {
  ingress: ["hang", "reset", "close", "slow", "truncate"],
  http: ["hang", "reset", "close", "slow", "truncate"],
  tcp: ["hang", "reset", "close", "slow", "truncate"],
  udp: ["drop"],
};

/** The values of parameters, with defaults for those not given. Throws what their checks throw. */
export function paramsOf(
  params: OptionSet,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const read = ([name, spec]: [string, OptionSpec<unknown>]) =>
    [name, given[name] === undefined ? spec.fallback : spec.check(given[name])] as const;
  return Object.fromEntries(Object.entries(params).map(read));
}

/**
 * Returns the effect of an outcome of `CORE_OUTCOMES` on its connection. A hanging one closes when the service stops.
 */
export function toDisturbance({ outcome, with: params }: Fault): Disturbance {
  switch (outcome) {
    case CORE_OUTCOMES.slow.id:
      return { kind: "slow", bytesPerSecond: Number(params.bytes_per_second) };
    case CORE_OUTCOMES.truncate.id:
      return { kind: "truncate", bytes: Number(params.bytes) };
    default:
      return { kind: outcome === CORE_OUTCOMES.reset.id ? "reset" : "close" };
  }
}
