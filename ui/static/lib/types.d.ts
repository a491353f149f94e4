/** Types of the read-back API. */
import type { EventRecord as ClientEvent } from "../../../core/client/model.ts";
import type { MailMessage } from "../../../plugins/mail/model.ts";

export type {
  Extracted,
  FaultRecord,
  FaultRule,
  RejectedRecord,
} from "../../../core/client/model.ts";
export type { Address, Attachment, MailMessage } from "../../../plugins/mail/model.ts";

/** The request as received; `size` is bytes of the body. */
export type RawView = ClientEvent["raw"] & { readonly size: number };

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
  /** Module of its own view. */
  readonly tab?: string;
}

/** One outside service that is stood in for. */
export interface ProviderInfo {
  readonly name: string;
  readonly plugin: string;
  readonly title: string;
  /** The vendor or protocol alone. */
  readonly short_title: string;
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
}

/** One captured mail. */
export interface MailView extends CapturedView<MailMessage> {
  /** Bytes as received. */
  readonly size: number;
  readonly links: MailLinks;
}

/** Where the parts of a mail are. */
export interface MailLinks {
  readonly self: string;
  readonly raw: string;
  readonly html?: string;
  readonly text?: string;
  readonly attachments?: readonly string[];
}
