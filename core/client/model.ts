/**
 * What the read-back API answers, as types. `tests/api/client_test.ts` holds them against the shapes that the service
 * declares.
 *
 * @module
 */

import type { FaultRule } from "../faults/model.ts";

export type { FaultRule };

/** A fault that is held. */
export interface FaultRecord extends FaultRule {
  /** Names it. */
  readonly id: string;
  /** Shown with every hit. */
  readonly name: string;
  /** Matches that became a fault. */
  readonly hits: number;
  /** What met the conditions, hit or not. */
  readonly matches: number;
  /** One of the configuration file stays when faults are cleared. */
  readonly from: "file" | "api";
  /** Whether it applies no more. */
  readonly spent: boolean;
}

/** A fault that was added; disposing of it removes it. */
export interface AddedFault extends AsyncDisposable {
  /** Names it. */
  readonly id: string;
  /** Matches that became a fault so far. Rejects once it is removed. */
  hits(): Promise<number>;
  /** Removes it. */
  remove(): Promise<void>;
}

/** Payload types by event type. */
export type PayloadMap = object;

/** The payload of events of type `T`; `unknown` for a type that the map does not have. */
export type PayloadOf<M extends PayloadMap, T extends string> = T extends keyof M ? M[T] : unknown;

/** A name of an event type: those of the map are offered, and any other is taken. */
export type EventTypeOf<M extends PayloadMap> =
  | (keyof M & string)
  | (string & Record<never, never>);

/** Filters of events by plugin. */
export type FilterMap = object;

/** Filters of events that the map does not have. */
export type OtherFilters = Readonly<Record<string, unknown>>;

/** What events of the plugin `P` can be chosen by, beside what those of every plugin can. */
export type FiltersOf<F extends FilterMap, P extends string> = P extends keyof F ? F[P]
  : OtherFilters;

/** The same for events of type `T`, which begins with the plugin. */
export type FiltersOfType<F extends FilterMap, T extends string> = T extends `${infer P}.${string}`
  ? FiltersOf<F, P>
  : OtherFilters;

/** The request, message or datagram as received. */
export interface RawView {
  /** `http`, `tcp`, `udp`, `smtp`, `ftp` or `ssh`. */
  readonly transport: string;
  /** Whether the body is text. */
  readonly text: boolean;
  /** Address of the sender. */
  readonly peer_addr?: string;
  /** `1.0`, `1.1` or `2`. */
  readonly http_version?: string;
  /** HTTP method. */
  readonly method?: string;
  /** As sent, query included. */
  readonly path?: string;
  /** Values by name, spelled as received. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** What the client showed of itself in its TLS handshake; unchecked. */
  readonly client_certificate?: {
    readonly subject: string;
    readonly issuer: string;
    readonly serial: string;
    readonly not_before: string;
    readonly not_after: string;
    readonly fingerprint: string;
  };
  /** Base64; left out of lists. */
  readonly body?: string;
  /** The body decoded, when it is text; only of an event that was fetched by its id. */
  readonly body_text?: string;
}

/** What is found in the text of an event. */
export interface Extracted {
  /** One-time codes, the most likely first. */
  readonly codes: readonly string[];
  /** Addresses, in order. */
  readonly links: readonly string[];
  /** What links carry to say who follows them. */
  readonly tokens: readonly string[];
}

/** One captured item. */
export interface EventRecord<P = unknown> {
  /** 24 lower-case hex digits; sorts by time. */
  readonly id: string;
  /** Plugin that captured it. */
  readonly plugin: string;
  /** Provider that captured it. */
  readonly provider: string;
  /** Namespace of its sender, if it has one. */
  readonly namespace?: string;
  /** Kind of item, such as `mail.message`. */
  readonly type: string;
  /** RFC 3339. */
  readonly received_at: string;
  /** One line. */
  readonly summary: string;
  /** The same in parts. */
  readonly summary_parts: {
    readonly from?: string;
    readonly to?: readonly string[];
    readonly title?: string;
    readonly snippet?: string;
  };
  /** What the provider noted besides. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The item in its plugin's model. */
  readonly payload: P;
  /** What was received. */
  readonly raw: RawView;
  /** Page of the user interface about it. */
  readonly url?: string;
  /** Codes, links and tokens; of what was waited for. */
  readonly extracted?: Extracted;
}

/** Which events are meant; all given conditions must hold. */
export interface Filter {
  /** Of this plugin. */
  readonly plugin?: string;
  /** Captured by this provider. */
  readonly provider?: string;
  /** Of this namespace. */
  readonly namespace?: string;
  /** Case-insensitive part of summary or type. */
  readonly search?: string;
  /** Case-insensitive part of what a person reads in it. */
  readonly text?: string;
  /** Only with a one-time code, a link or a token in its text. */
  readonly has?: "code" | "link" | "token";
  /** Received after this moment: a date, `5m`, or milliseconds since 1970. */
  readonly since?: Date | string | number;
  /** Captured after the event of this id. */
  readonly after?: string;
}

/** Which part of a list. */
export interface ListOptions extends Filter {
  /** Most events returned; all unless given. */
  readonly limit?: number;
  /** Fitting events skipped first. */
  readonly offset?: number;
}

/** What to wait for. */
export interface WaitOptions extends Filter {
  /** How many must fit; 1 unless given. */
  readonly count?: number;
  /** Milliseconds, at most 60 000; 5000 unless given. */
  readonly timeoutMs?: number;
  /** The other way round: fewer than `count` may fit until the time is over. */
  readonly absent?: boolean;
}

/** Conditions on one value; all given ones must hold. */
export interface Operators {
  /** The same value, deep inside too. */
  readonly equals?: unknown;
  /** A text has this part, a list this value, an object these properties. */
  readonly contains?: unknown;
  /** RE2 syntax: no look-around and no back-references. */
  readonly regex?: string;
  /** Whether there is a value at all. */
  readonly exists?: boolean;
  /** This must not hold. */
  readonly not?: Condition;
}

/** What is expected at a place: a value that must be equal, or operators. */
export type Condition = string | number | boolean | null | readonly unknown[] | Operators;

/** Which events are expected. */
export interface Pattern extends Omit<Filter, "text" | "has"> {
  /** Of this type. */
  readonly type?: string;
  /** Conditions by place: `payload.to[0].email`, `subject`, `codes[*]`. */
  readonly match?: Readonly<Record<string, Condition>>;
}

/** What is expected of what was captured, or will be. */
export interface Expectation extends Pattern {
  /** How many must fit; at least one unless given. */
  readonly count?: number | { readonly min?: number; readonly max?: number };
  /** None may fit. */
  readonly none?: boolean;
  /** Events that must have come in this order. */
  readonly order?: readonly Pattern[];
  /** Milliseconds until it must hold, at most 60 000. */
  readonly timeoutMs?: number;
}

/** What an expectation came to. */
export interface Verdict<P = unknown> {
  /** Whether it came true. */
  readonly met: boolean;
  /** How many fit. */
  readonly count: number;
  /** Those still held, in order of capture. */
  readonly events: readonly EventRecord<P>[];
  /** With `order`: the first that did not come. */
  readonly step?: number;
  /** The captured event that comes nearest, condition by condition. */
  readonly closest?: {
    readonly event: EventRecord;
    readonly fields: readonly {
      readonly path: string;
      readonly wanted: unknown;
      readonly met: boolean;
      readonly got?: unknown;
      readonly near?: readonly string[];
    }[];
  };
  /** What went wrong, for people. */
  readonly error?: string;
}

/** A request that was refused or could not be matched. */
export interface RejectedRecord {
  /** Sorts by time. */
  readonly id: string;
  /** RFC 3339. */
  readonly time: string;
  /** Address of the sender. */
  readonly peer: string;
  /** What was attempted, and why it failed. */
  readonly reason: string;
  /** Provider that it was meant for. */
  readonly provider?: string;
  /** HTTP method. */
  readonly method?: string;
  /** As sent. */
  readonly path?: string;
  /** HTTP status it was answered. */
  readonly status?: number;
  /** Values by name. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** What was received, at most 64 KiB, base64. */
  readonly raw: string;
  /** The same decoded, when it is text. */
  readonly raw_text?: string;
}

/** What a stream tells, in order. */
export type StreamItem<P = unknown> =
  | { readonly kind: "captured"; readonly event: EventRecord<P> }
  /** Some events were missed: list again. */
  | { readonly kind: "gap" };
