/** Shapes of the read-back API, as far as the user interface reads them. */

/** One captured item as lists carry it. */
export interface EventRecord {
  readonly id: string;
  readonly plugin: string;
  readonly provider: string;
  readonly namespace?: string;
  readonly type: string;
  readonly received_at: string;
  readonly summary: string;
  readonly summary_parts: SummaryParts;
  readonly url?: string;
}

/** The summary in parts. */
export interface SummaryParts {
  readonly from?: string;
  readonly to?: readonly string[];
  readonly title?: string;
  readonly snippet?: string;
}

/** The request as received. */
export interface RawRecord {
  readonly transport: string;
  readonly text: boolean;
  /** Bytes of the body. */
  readonly size: number;
  readonly peer_addr?: string;
  readonly client_certificate?: { readonly subject: string };
  readonly http_version?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: HeaderMap;
  /** Base64. */
  readonly body?: string;
  readonly body_text?: string;
}

/** Values by field name. */
export type HeaderMap = Readonly<Record<string, readonly string[]>>;

/** One captured item with everything that is known of it. */
export interface FullEvent extends EventRecord {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly payload?: unknown;
  readonly raw: RawRecord;
  readonly extracted?: Extracted;
}

/** What stands in the text of an item. */
export interface Extracted {
  /** One-time codes, the most likely first. */
  readonly codes: readonly string[];
  readonly links: readonly string[];
}

/** A request or conversation that was refused. */
export interface RejectedRecord {
  readonly id: string;
  readonly time: string;
  readonly peer: string;
  readonly provider?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly reason: string;
  readonly headers?: HeaderMap;
  /** Base64. */
  readonly raw: string;
  readonly raw_text?: string;
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

/** State of the service. */
export interface Health {
  readonly version: string;
  readonly uptime_seconds: number;
  readonly events: number;
}

/** A mailbox. */
export interface Address {
  readonly email: string;
  readonly name?: string;
}

/** A file that came with a mail. */
export interface Attachment {
  readonly size: number;
  readonly filename?: string;
  readonly content_type?: string;
  readonly inline: boolean;
  readonly content_id?: string;
}

/** One captured mail. */
export interface MailView {
  readonly id: string;
  readonly provider: string;
  readonly type: string;
  readonly received_at: string;
  /** Bytes as received. */
  readonly size: number;
  readonly message: MailMessage;
  readonly links: MailLinks;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly url?: string;
}

/** The canonical message. */
export interface MailMessage {
  readonly from: Address;
  readonly to?: readonly Address[];
  readonly cc?: readonly Address[];
  readonly bcc?: readonly Address[];
  readonly reply_to?: readonly Address[];
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly headers?: HeaderMap;
  readonly attachments?: readonly Attachment[];
}

/** Where the parts of a mail are. */
export interface MailLinks {
  readonly self: string;
  readonly raw: string;
  readonly html?: string;
  readonly text?: string;
  readonly attachments?: readonly string[];
}
