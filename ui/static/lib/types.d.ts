/** Types of the read-back API. */
import type {
  CallList as ClientCalls,
  CallOffer as ClientOffer,
  EventRecord as ClientEvent,
} from "../../../core/client/model.ts";
import type { MailMessage } from "../../../plugins/mail/model.ts";

export type {
  CallAttempt,
  CallRecord,
  Extracted,
  FaultRecord,
  FaultRule,
  Finding,
  RejectedRecord,
  SentCalls,
  Story,
  StoryEvent,
  StoryLink,
} from "../../../core/client/model.ts";
export type { Address, Attachment, MailMessage } from "../../../plugins/mail/model.ts";

/** The request as received; `size` is bytes of the body. */
export type RawView = ClientEvent["raw"] & { readonly size: number };

/** A callback that can be requested for an event. */
export type CallOffer = Omit<ClientOffer, "params"> & {
  readonly params: Readonly<Record<string, CallParam>>;
};

/** A parameter of a callback; a field of a form has a title, and a form has properties. */
export interface CallParam extends FaultParam {
  readonly schema: FaultParam["schema"] & FormSchema;
}

/** Input of a field. */
export interface FormSchema {
  readonly type?: string;
  readonly title?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly maxItems?: number;
  readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  readonly items?: FormSchema;
  readonly properties?: Readonly<Record<string, FormSchema>>;
}

/** The calls about an event. */
export type CallList = Omit<ClientCalls, "offers"> & { readonly offers: readonly CallOffer[] };

/** Callbacks of a provider. */
export interface CallProvider {
  /** `plugin/provider`. */
  readonly on: string;
  readonly keys: readonly { readonly name: string; readonly value: string }[];
  readonly inbound?: {
    readonly about: string;
    readonly source: string;
    /** Address in `[callbacks.inbound]`. */
    readonly url?: string;
    readonly templates: readonly { readonly label: string; readonly payload: unknown }[];
  };
}

/** Every provider with callbacks. */
export interface CallProviders {
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly providers: readonly CallProvider[];
}

/** One captured item with all of its details. */
export type FullEvent = ClientEvent & { readonly raw: RawView };

/** One captured item as lists carry it. */
export type EventRecord = Omit<FullEvent, "payload" | "raw">;

/** Values by field name. */
export type HeaderMap = NonNullable<FullEvent["raw"]["headers"]>;

/** One captured message as the list of its plugin carries it. */
export interface CapturedView<M> {
  readonly id: string;
  readonly provider: string;
  readonly type: string;
  readonly received_at: string;
  readonly message: M;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly url?: string;
}

/** One kind of content. */
export interface PluginInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly providers: readonly ProviderInfo[];
  /** Module of its view. */
  readonly tab?: string;
}

/** A provider. */
export interface ProviderInfo {
  readonly name: string;
  readonly plugin: string;
  readonly title: string;
  /** Name of the vendor or protocol alone. */
  readonly short_title: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly enabled: boolean;
  readonly listener: boolean;
  readonly addr?: string;
  /** Where clients reach it, with the scheme. */
  readonly url?: string;
  readonly port?: number;
  readonly network?: string;
  readonly endpoints: readonly EndpointInfo[];
  readonly snippets: readonly SnippetInfo[];
}

/** One operation of a provider. */
export interface EndpointInfo {
  readonly method: string;
  readonly path: string;
  readonly description: string;
}

/** Code to copy and run. */
export interface SnippetInfo {
  readonly title: string;
  readonly lang: string;
  readonly code: string;
}

/** One way in which a provider can fail. */
export interface FaultOutcome {
  /** `plugin/provider`. */
  readonly on: string;
  readonly id: string;
  readonly about: string;
  /** Page that documents it. */
  readonly source: string;
  readonly phases: readonly string[];
  readonly params: Readonly<Record<string, FaultParam>>;
}

/** One parameter of an outcome. */
export interface FaultParam {
  readonly about: string;
  readonly schema: {
    readonly type?: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly enum?: readonly string[];
  };
  readonly default?: unknown;
}

/** State of the service. */
export interface Health {
  readonly version: string;
  readonly uptime_seconds: number;
  readonly events: number;
  readonly instance?: string;
  readonly storage: HealthStorage;
}

/** Where events are kept. */
export interface HealthStorage {
  readonly events: "memory" | "filesystem" | "nats";
  /** The server of NATS, and whether it answers. */
  readonly server?: string;
  readonly connected?: boolean;
  /** Messages of other instances that are not yet shown. */
  readonly behind?: number;
  /** Time since NATS last answered. */
  readonly silent_seconds?: number;
  /** Plugins whose shared state one instance at a time writes. */
  readonly writers?: readonly StateWriter[];
}

/** Who writes the shared state of a plugin. */
export interface StateWriter {
  readonly plugin: string;
  readonly at: "here" | "elsewhere" | "nowhere";
  readonly instance?: string;
  readonly host?: string;
}

/** One captured email. */
export interface MailView extends CapturedView<MailMessage> {
  /** Bytes as received. */
  readonly size: number;
  readonly links: MailLinks;
}

/** Links to the parts of an email. */
export interface MailLinks {
  readonly self: string;
  readonly raw: string;
  readonly html?: string;
  readonly text?: string;
  readonly attachments?: readonly string[];
}

/** Support of one HTML body by email clients. */
export interface MailClients {
  readonly source: string;
  readonly date: string;
  /** Mean of all clients, in percent. */
  readonly score: number;
  readonly clients: readonly {
    readonly id: string;
    readonly family: string;
    readonly platform: string;
    readonly score: number;
    readonly supported: number;
    readonly partial: number;
    readonly unsupported: number;
  }[];
  readonly features: readonly {
    readonly id: string;
    readonly title: string;
    readonly count: number;
    readonly line: number;
    /** A letter for each of `clients`: y, a, n or u. */
    readonly support: string;
  }[];
}
