/** Declarations of a provider about the calls of its vendor. */
import type { CapturedEvent, HeaderPairs } from "../events/event.ts";
import type { MaybePromise } from "../result.ts";
import type { Transport } from "../net/transport.ts";
import type { OptionSet } from "../options/spec.ts";
import type { ProviderEnv } from "../provider_env.ts";
import type { CallOffer } from "./model.ts";

/** The part that is known before anything is loaded. */
export interface CallbackDeclaration<O extends OptionSet, S, T = unknown> {
  /** Name of the provider in `[callbacks.webhooks]` and `[callbacks.inbound]`; by default its id. */
  readonly setting?: string;
  /** Purpose of `[callbacks.webhooks]` for the provider; without it there is no such setting. */
  readonly webhook?: string;
  /** Purpose of `[callbacks.inbound]` for the provider; without it there is no such setting. */
  readonly inbound?: string;
  /** Loads the rest if callbacks are on: `async () => (await import("./callbacks.ts")).CALLBACKS`. */
  load(): Promise<ProviderCallbacks<O, S, T>>;
}

/** A callback that can be requested. */
export interface CallbackKind {
  /** Text of a button. */
  readonly label: string;
  /** What the application receives, in one sentence. */
  readonly about: string;
  /** Documentation of its format: a page of the vendor or a section of an RFC. */
  readonly source: string;
  /** Parameters of a request for it. */
  readonly params?: OptionSet;
}

/** One call to make. All of it but the body must be valid JSON. */
export interface OutgoingCall {
  /** What it reports, such as `delivered`. */
  readonly name: string;
  /** Address of the application; without one, the name of the receiver. */
  readonly url: string;
  /** Readable reason why it cannot be made; it is listed as refused. */
  readonly refusal?: string;
  /** `POST` by default. */
  readonly method?: "GET" | "POST" | "PUT";
  /** Header fields, except for those of the signature. */
  readonly headers: HeaderPairs;
  /** Body as sent. */
  readonly body: Uint8Array;
  /** Delay of the vendor in milliseconds; divided by `[callbacks] speed`. */
  readonly afterMs?: number;
  /** JSON data for the hooks of the provider. */
  readonly note?: Readonly<Record<string, unknown>>;
}

/** The response to a call. */
export interface CallAnswer {
  /** HTTP status, or the reply code of the protocol. */
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB. */
  readonly body: Uint8Array;
  /** Whether it was longer. */
  readonly cut: boolean;
  /** Why it counts as a failure, whatever its status. */
  readonly failure?: string;
}

/** Context of a provider's calls. */
export interface CallContext<O extends OptionSet, S, T = unknown> {
  /** Environment of the provider. */
  readonly env: ProviderEnv<O, S, T>;
  /** `[callbacks.webhooks]` of the provider. */
  readonly webhook: string | undefined;
  /** `[callbacks.inbound]` of the provider. */
  readonly inbound: string | undefined;
  /** Returns 32 bytes derived from `[callbacks] secret`, different for each purpose. */
  key(purpose: string): Uint8Array;
}

/** When a vendor retries. */
export interface RetrySchedule {
  /** Milliseconds before each further attempt. */
  readonly delaysMs: readonly number[];
  /** Maximum wait for a response, in milliseconds; not shortened. 0 for a vendor that calls nobody. */
  readonly timeoutMs: number;
  /** The vendor's documentation of it. */
  readonly source: string;
  /**
   * Returns whether another attempt follows a failed one; `answer` is `undefined` if there was none. By default until
   * the delays are used up.
   */
  again?(answer: CallAnswer | undefined, call: OutgoingCall, attempts: number): boolean;
  /** Returns whether a response is a success; by default, if its status is 200 to 299. */
  accepts?(answer: CallAnswer, call: OutgoingCall): boolean;
}

/** A secret that an application needs to verify signatures. */
export interface CallbackKey {
  /** The vendor's name for it. */
  readonly name: string;
  /** The secret. */
  readonly value: string;
}

/** A callback that makes sense for one event, with its parameters. */
export interface CallbackPreset {
  /** Its kind. */
  readonly event: string;
  /** Text of a button. */
  readonly label: string;
  /** Parameters. */
  readonly with: Readonly<Record<string, unknown>>;
  /** Further parameters to ask for, of those of its kind, with what their schemas are for this event; by default none. */
  readonly asks?: CallOffer["params"];
}

/** What follows from a response. */
export interface AnswerOutcome {
  /** Events captured from it. */
  readonly events: readonly CapturedEvent[];
  /** Readable description of the effect of the response at the vendor. */
  readonly outcome: string;
}

/** A request for a callback. */
export interface CallbackRequest {
  /** The captured item. */
  readonly event: CapturedEvent;
  /** One of the kinds. */
  readonly name: string;
  /** Its parameters, with their defaults. */
  readonly with: Readonly<Record<string, unknown>>;
}

/** The calls of a provider. Report invalid requests as `RangeError`, with a readable message. */
export interface ProviderCallbacks<O extends OptionSet, S, T = unknown> {
  /** Retries. */
  readonly schedule: RetrySchedule;
  /** Order of calls: kept for each event by default, or for each receiver if the vendor does so. */
  readonly lane?: "event" | "receiver";
  /** Kinds of callbacks, by name. */
  readonly kinds: Readonly<Record<string, CallbackKind>>;
  /** Returns whether a kind is available for an event; by default every kind is. */
  applies?(name: string, event: CapturedEvent, context: CallContext<O, S, T>): boolean;
  /** Returns further offers for an event, such as the buttons of a message. */
  presets?(event: CapturedEvent, context: CallContext<O, S, T>): readonly CallbackPreset[];
  /** Returns the calls for a request. */
  make(
    request: CallbackRequest,
    context: CallContext<O, S, T>,
  ): MaybePromise<readonly OutgoingCall[]>;
  /** Returns the calls that the vendor makes unprompted after a capture; by default none. */
  afterCapture?(
    event: CapturedEvent,
    context: CallContext<O, S, T>,
  ): MaybePromise<readonly OutgoingCall[]>;
  /**
   * Returns the calls that the vendor makes once the sender has canceled an item with its API. Calls about it that wait
   * are cancelled, even if there are none.
   */
  afterCancel?(
    event: CapturedEvent,
    context: CallContext<O, S, T>,
  ): MaybePromise<readonly OutgoingCall[]>;
  /** Calls the application about an incoming item. */
  readonly inbound?: {
    /** What the application receives, in one sentence. */
    readonly about: string;
    /** Documentation of its format. */
    readonly source: string;
    /** A valid payload. */
    readonly example: Readonly<Record<string, unknown>>;
    /** Other payloads to start from. */
    readonly templates?: readonly {
      readonly label: string;
      readonly payload: Readonly<Record<string, unknown>>;
    }[];
    /** Returns the calls for a payload, and the event if the item is captured. */
    make(
      payload: Readonly<Record<string, unknown>>,
      context: CallContext<O, S, T>,
    ): MaybePromise<{ calls: readonly OutgoingCall[]; event?: CapturedEvent }>;
  };
  /** Returns the header fields of the signature, for each attempt. */
  sign?(
    call: OutgoingCall,
    about: { readonly now: Date; readonly id: string; readonly attempt: number },
    context: CallContext<O, S, T>,
  ): MaybePromise<HeaderPairs>;
  /** Returns the secrets that the application needs. */
  keys?(context: CallContext<O, S, T>): MaybePromise<readonly CallbackKey[]>;
  /** Called before the first attempt. */
  began?(call: OutgoingCall, eventId: string | undefined, context: CallContext<O, S, T>): void;
  /** Called after each success; returns the events captured from the response, or all that follows from it. */
  answered?(
    call: OutgoingCall & { readonly event?: string },
    answer: CallAnswer,
    context: CallContext<O, S, T>,
  ): MaybePromise<readonly CapturedEvent[] | AnswerOutcome>;
  /** Delivers a call over an open connection, for addresses other than HTTP. */
  converse?(
    call: OutgoingCall,
    wire: Transport,
    context: CallContext<O, S, T>,
  ): Promise<CallAnswer>;
}

/** Defines the callbacks of a provider; keeps their exact type. */
export function defineCallbacks<O extends OptionSet, S, T = unknown>(
  callbacks: ProviderCallbacks<O, S, T>,
): ProviderCallbacks<O, S, T> {
  return callbacks;
}
