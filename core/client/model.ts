/**
 * Types of the read-back API. `tests/api/client_test.ts` compares them with the shapes that the service declares.
 *
 * @module
 */

import type { CheckLevel } from "../checks/model.ts";

export type { CheckLevel, CheckPlace, Finding } from "../checks/model.ts";
export type {
  CallAttempt,
  CallList,
  CallOffer,
  CallRecord,
  CallState,
  SentCalls,
} from "../callbacks/model.ts";
export type { FaultRecord, FaultRule } from "../faults/model.ts";

/** `AsyncDisposable`, without an error in projects whose `lib` does not have it. */
export type Disposes = SymbolConstructor extends { readonly asyncDispose: infer K extends symbol }
  ? { readonly [key in K]: () => Promise<void> }
  : unknown;

/** Where a provider listens. */
export interface EndpointRecord {
  /** Such as `smtp://localhost:1025`. */
  readonly url: string;
  /** Host in it. */
  readonly hostname: string;
  /** Port in it. */
  readonly port: number;
}

/** A fault that was added; disposing of it removes it. */
export type AddedFault = Disposes & {
  /** Its id. */
  readonly id: string;
  /** Returns the matches that became a fault so far. Rejects once it is removed. */
  hits(): Promise<number>;
  /** Removes it. */
  remove(): Promise<void>;
};

/** Payload types by event type. */
export type PayloadMap = object;

/** The payload of events of type `T`; `unknown` for a type that the map lacks. */
export type PayloadOf<M extends PayloadMap, T extends string> = T extends keyof M ? M[T] : unknown;

/** Name of an event type: editors suggest those of the map, and any other is accepted. */
export type EventTypeOf<M extends PayloadMap> =
  | (keyof M & string)
  | (string & Record<never, never>);

/** Filters of events by plugin. */
export type FilterMap = object;

/** Filters of plugins that the map lacks. */
export type OtherFilters = Readonly<Record<string, unknown>>;

/** Filters of the plugin `P`, in addition to those of every plugin. */
export type FiltersOf<F extends FilterMap, P extends string> = P extends keyof F ? F[P]
  : OtherFilters;

/** The same for the plugin of the type `T`. */
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
  /** As sent, including the query. */
  readonly path?: string;
  /** Values by name, spelled as received. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** Client certificate of the TLS handshake; unchecked. */
  readonly client_certificate?: {
    readonly subject: string;
    readonly issuer: string;
    readonly serial: string;
    readonly not_before: string;
    readonly not_after: string;
    readonly fingerprint: string;
  };
  /** Base64; absent in lists. */
  readonly body?: string;
  /** The decoded body, if it is text; only for an event fetched by its id. */
  readonly body_text?: string;
}

/** Findings in the text of an event. */
export interface Extracted {
  /** One-time codes, the most likely first. */
  readonly codes: readonly string[];
  /** Links, in order. */
  readonly links: readonly string[];
  /** Tokens in links that identify the recipient. */
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
  /** Parts of the summary. */
  readonly summary_parts: {
    readonly from?: string;
    readonly to?: readonly string[];
    readonly title?: string;
    readonly snippet?: string;
  };
  /** Further facts of the provider. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The item in the model of its plugin. */
  readonly payload: P;
  /** What was received. */
  readonly raw: RawView;
  /** Page of the user interface about it. */
  readonly url?: string;
  /** Codes, links and tokens; only for events that were waited for. */
  readonly extracted?: Extracted;
}

/** Filter of events; all conditions must hold. */
export interface Filter {
  /** Of this plugin. */
  readonly plugin?: string;
  /** Captured by this provider. */
  readonly provider?: string;
  /** Of this namespace. */
  readonly namespace?: string;
  /** Case-insensitive part of summary or type. */
  readonly search?: string;
  /** Case-insensitive part of the readable text. */
  readonly text?: string;
  /** Only with a one-time code, a link or a token in its text. */
  readonly has?: "code" | "link" | "token";
  /** Only with a finding of this level or a worse one. */
  readonly checks?: CheckLevel;
  /** Received after this time: a date, `5m` ago, or milliseconds since 1970. */
  readonly since?: Date | string | number;
  /** Captured after the event with this id. */
  readonly after?: string;
}

/** Range of a list. */
export interface ListOptions extends Filter {
  /** Maximum number of events to return; all by default. */
  readonly limit?: number;
  /** Matching events to skip. */
  readonly offset?: number;
}

/** Filter of stories, and how near in time their events are. */
export interface StoryOptions extends ListOptions {
  /** Only stories with an event of this type. */
  readonly type?: string;
  /** Minimum number of events in a story; 1 by default. */
  readonly minEvents?: number;
  /** Maximum pause between events that share only the time, in milliseconds; 2000 by default, 0 for none. */
  readonly windowMs?: number;
  /** Maximum pause between events that share only a recipient or an object, in milliseconds; 60 000 by default, 0 for none. */
  readonly recipientWindowMs?: number;
}

/** An event of a story, without payload and request. */
export interface StoryEvent extends
  Pick<
    EventRecord,
    | "id"
    | "plugin"
    | "provider"
    | "namespace"
    | "type"
    | "received_at"
    | "summary"
    | "summary_parts"
  > {
  /** Page of the user interface about it. */
  readonly url: string;
  /** Trace id of a valid `traceparent` of its request. */
  readonly trace_id?: string;
  /** Span of the sender, from the same. */
  readonly span_id?: string;
  /** The fault that was applied to it. */
  readonly meta?: { readonly fault: unknown };
}

/** Why events are together. */
export interface StoryLink {
  /** What they share; the time if there is no stronger reason. */
  readonly by: "trace" | "id" | "recipient" | "object" | "time";
  /** What the value is, such as `Message-ID`. */
  readonly name?: string;
  /** The shared value. */
  readonly value?: string;
}

/** A story: events of one flow, over all protocols. */
export interface Story {
  /** Id of its first held event. */
  readonly id: string;
  /** Subject, name or summary of its first event. */
  readonly title: string;
  /** Namespace of its events, if they have one. */
  readonly namespace?: string;
  /** RFC 3339. */
  readonly started_at: string;
  /** RFC 3339. */
  readonly ended_at: string;
  /** Number of its events. */
  readonly count: number;
  /** In order of capture; in a list the first 100 of them. */
  readonly events: readonly StoryEvent[];
  /** Plugins of its events, in order of first appearance. */
  readonly plugins: readonly string[];
  /** Why they are together, strongest reason first; empty for a single event. */
  readonly linked_by: readonly StoryLink[];
}

/** Conditions of a wait. */
export interface WaitOptions extends Filter {
  /** Number of events that must match; 1 by default. */
  readonly count?: number;
  /** Milliseconds, at most 60 000; 5000 by default. */
  readonly timeoutMs?: number;
  /** Inverts the wait: fewer than `count` may match until the time is over. */
  readonly absent?: boolean;
}

/** Conditions on one value; all must hold. */
export interface Operators {
  /** An equal value, compared deeply. */
  readonly equals?: unknown;
  /** A text with this part, a list with this value, or an object with these properties. */
  readonly contains?: unknown;
  /** RE2 syntax: no look-around and no back-references. */
  readonly regex?: string;
  /** Whether there is a value. */
  readonly exists?: boolean;
  /** This must not hold. */
  readonly not?: Condition;
}

/** Expected value at a path: a value that must be equal, or operators. */
export type Condition = string | number | boolean | null | readonly unknown[] | Operators;

/** Pattern of expected events. */
export interface Pattern extends Omit<Filter, "text" | "has" | "checks"> {
  /** Of this type. */
  readonly type?: string;
  /** Conditions by path: `payload.to[0].email`, `subject`, `codes[*]`. */
  readonly match?: Readonly<Record<string, Condition>>;
}

/** Expectation of past or future captures. */
export interface Expectation extends Pattern {
  /** Its name in reports, at most 200 characters. */
  readonly name?: string;
  /** Number of events that must match; at least one by default. */
  readonly count?: number | { readonly min?: number; readonly max?: number };
  /** No event may match. */
  readonly none?: boolean;
  /** Events that must arrive in this order. */
  readonly order?: readonly Pattern[];
  /** Maximum wait in milliseconds, at most 60 000. */
  readonly timeoutMs?: number;
}

/** Result of an expectation. */
export interface Verdict<P = unknown> {
  /** Whether it was met. */
  readonly met: boolean;
  /** Number of matching events. */
  readonly count: number;
  /** Those still held, in order of capture. */
  readonly events: readonly EventRecord<P>[];
  /** With `order`: the first step that was not met. */
  readonly step?: number;
  /** The most similar captured event, condition by condition. */
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
  /** Readable error. */
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
  /** The attempt, and why it failed. */
  readonly reason: string;
  /** Provider that the request was for. */
  readonly provider?: string;
  /** HTTP method. */
  readonly method?: string;
  /** As sent. */
  readonly path?: string;
  /** HTTP status of the response. */
  readonly status?: number;
  /** Values by name. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** Received bytes, at most 64 KiB, base64. */
  readonly raw: string;
  /** The same decoded, if it is text. */
  readonly raw_text?: string;
}

/** Items of a stream, in order. */
export type StreamItem<P = unknown> =
  | { readonly kind: "captured"; readonly event: EventRecord<P> }
  /** Some events were missed: list again. */
  | { readonly kind: "gap" };
