/**
 * What a fault can be: outcomes are data that each provider declares in its `faults.ts`, with the page that says so.
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
  /** Page of the vendor, or section of an RFC, that has it. */
  readonly source: string;
  /** Where it can happen; in every phase of the provider unless given. The first is meant where a rule names none. */
  readonly phases?: readonly string[];
  /** What a rule may say of it under `with`. */
  readonly params?: OptionSet;
  /** What was sent is captured all the same, where the provider captures. */
  readonly captures?: true;
  /** Whom it refuses at first only: what has the same key passes once the time of `waitMs` is over. */
  readonly passes?: {
    key(subject: FaultSubject | undefined): string;
    waitMs(params: Fault["with"]): number;
  };
}

/** What a provider declares of faults. */
export interface ProviderFaults<O extends FaultOutcome = FaultOutcome> {
  /** Where it asks, and what is known there; the first is the one in which it captures. */
  readonly phases: Readonly<Record<string, string>>;
  /** Its own outcomes; `core` says which of everybody's it has besides. */
  readonly outcomes: readonly O[];
  /** All that its kind can have unless given. */
  readonly core?: readonly CoreOutcome[];
}

/** What a rule is held against: what is known of an event before there is one. */
export type FaultSubject = Pick<NewEvent, "payload" | "raw" | "meta" | "summary_parts">;

/** A rule that applies, now. */
export interface Fault {
  /** Of the rule. */
  readonly name: string;
  /** Id of the outcome. */
  readonly outcome: string;
  /** Parameters of the outcome, with their defaults. */
  readonly with: Readonly<Record<string, unknown>>;
  /** Whether what was sent is captured before. */
  readonly after: boolean;
  /** Whether the outcome captures what was sent. */
  readonly captures?: true;
}

/** What happens to a connection. */
export type Disturbance =
  | { readonly kind: "close" }
  | { readonly kind: "reset" }
  | { readonly kind: "slow"; readonly bytesPerSecond: number }
  | { readonly kind: "truncate"; readonly bytes: number };

/** Names of the outcomes that are everybody's. */
export type CoreOutcome = "hang" | "reset" | "close" | "slow" | "truncate" | "drop";

const TCP = "https://www.rfc-editor.org/rfc/rfc9293";

/** Outcomes that need no vendor: what networks do. */
export const CORE_OUTCOMES: Readonly<Record<CoreOutcome, FaultOutcome>> = {
  hang: {
    id: "hang",
    about: "Nothing is answered, and the connection stays open until the client leaves",
    source: `${TCP}#section-3.8.3`,
  },
  reset: {
    id: "reset",
    about:
      "The connection is reset without an answer; one that is older than the rule, or of a port " +
      "for TLS alone, is closed",
    source: `${TCP}#section-3.5.2`,
  },
  close: {
    id: "close",
    about: "The connection is closed in order, without an answer",
    source: `${TCP}#section-3.6`,
  },
  slow: {
    id: "slow",
    about: "The usual answer, at so many bytes a second; the connection ends behind it",
    source: `${TCP}#section-3.8.6`,
    captures: true,
    params: defineOptions({
      bytes_per_second: integer("Bytes of the answer, its head included, sent in a second", 10, {
        min: 1,
        max: 1_000_000,
      }),
    }),
  },
  truncate: {
    id: "truncate",
    about: "The usual answer breaks off, and the connection is closed",
    source: `${TCP}#section-3.6`,
    captures: true,
    params: defineOptions({
      bytes: integer("Bytes of the answer, its head included, that are sent", 20, {
        max: 1_000_000_000,
      }),
    }),
  },
  drop: {
    id: "drop",
    about: "The datagram is thrown away, and nothing is answered",
    source: "https://www.rfc-editor.org/rfc/rfc768",
  },
};

/** What each kind of provider can have of them. */
export const CORE_OF_KIND: Readonly<Record<string, readonly CoreOutcome[]>> = {
  ingress: ["hang", "reset", "close", "slow", "truncate"],
  http: ["hang", "reset", "close", "slow", "truncate"],
  tcp: ["hang", "reset", "close", "slow", "truncate"],
  udp: ["drop"],
};

/** The values of parameters: those given, else the defaults. Throws what their checks throw. */
export function paramsOf(
  params: OptionSet,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const read = ([name, spec]: [string, OptionSpec<unknown>]) =>
    [name, given[name] === undefined ? spec.fallback : spec.check(given[name])] as const;
  return Object.fromEntries(Object.entries(params).map(read));
}

/** What an outcome of `CORE_OUTCOMES` does to its connection; one that hung is closed in the end. */
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
