/** Header fields in the order received, names as spelled by the sender where the stack allows. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** What a client showed of itself in a TLS handshake. Nothing about it has been checked. */
export interface ClientCertificate {
  /** Distinguished name, such as `O=Acme, CN=my app`. */
  readonly subject: string;
  /** Distinguished name of who issued it. */
  readonly issuer: string;
  /** In hexadecimal. */
  readonly serial: string;
  /** First moment of validity, as OpenSSL prints it. */
  readonly not_before: string;
  /** Last moment of validity, as OpenSSL prints it. */
  readonly not_after: string;
  /** SHA-256, upper-case hex with colons. */
  readonly fingerprint: string;
}

/** The request, message or datagram as received. */
export interface RawRecord {
  /** What carried it. */
  readonly transport: "http" | "tcp" | "udp" | "smtp" | "ftp" | "ssh";
  /** Whether `body` is text that may be shown as such. */
  readonly text: boolean;
  /** Bytes as received. */
  readonly body: Uint8Array;
  /** Sender's address as `host:port`. */
  readonly peer_addr?: string;
  /** HTTP method. */
  readonly method?: string;
  /** Request target as sent, query included. */
  readonly path?: string;
  /** Header fields of the request or message. */
  readonly headers?: HeaderPairs;
  /** `1.0`, `1.1` or `2`. */
  readonly http_version?: string;
  /** What the client showed of itself in its TLS handshake; unchecked. */
  readonly client_certificate?: ClientCertificate;
}

/** The summary in parts, for lists that have columns. */
export interface SummaryParts {
  /** Sender. */
  readonly from?: string;
  /** Recipients or places. */
  readonly to?: readonly string[];
  /** Subject or name. */
  readonly title?: string;
  /** Beginning of the content. */
  readonly snippet?: string;
}

/** A text that an event bears: what a person reads. */
export interface EventText {
  /** What it is written in. */
  readonly kind: "plain" | "html";
  /** As sent. */
  readonly text: string;
}

/** One captured item. Never changed after capture. */
export interface CapturedEvent<P = unknown> {
  /** 24 lower-case hex digits; sorts by time. */
  readonly id: string;
  /** Order of capture over all plugins. */
  readonly seq: number;
  /** Plugin that captured it. */
  readonly plugin: string;
  /** Provider that captured it. */
  readonly provider: string;
  /** Which of several tests it belongs to, where its sender or the configuration says so. */
  readonly namespace?: string;
  /** Kind of item, such as `mail.message`. */
  readonly type: string;
  /** Time of capture; never before that of an earlier event. */
  readonly received_at: Date;
  /** One line, at most 200 characters. */
  readonly summary: string;
  /** The same in parts. */
  readonly summary_parts: SummaryParts;
  /** What the provider noted besides the item itself. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The item in its plugin's model. */
  readonly payload: P;
  /** What was received. */
  readonly raw: RawRecord;
  /** Ids of the blobs that this event names. */
  readonly blobs: readonly string[];
}

/** What a provider hands over; the store adds id, order, plugin, provider and time. */
export interface NewEvent<P = unknown> {
  /** Kind of item, such as `mail.message`. */
  readonly type: string;
  /** Any text; the store makes one line of it. */
  readonly summary: string;
  /** The same in parts. */
  readonly summary_parts?: SummaryParts;
  /** What the provider notes besides the item itself. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The item in its plugin's model. */
  readonly payload: P;
  /** What was received. */
  readonly raw: RawRecord;
  /** Blobs that the event names; each was retained by its creator, and the event takes that over. */
  readonly blobs?: readonly string[];
  /** Recorded provider when it is not the capturing one (`api` for deletions through our own API). */
  readonly provider?: string;
  /** What `meta` shall say that is made from the event's own id, such as a vendor's id that carries it. */
  readonly metaFromId?: (id: string) => Readonly<Record<string, unknown>>;
}

/** Conditions shared by every list; all given ones must hold. */
export interface EventFilter {
  /** Events of this plugin. */
  readonly plugin?: string;
  /** Events of this provider. */
  readonly provider?: string;
  /** Events of this type. */
  readonly type?: string;
  /** Events of this namespace. */
  readonly namespace?: string;
  /** Case-insensitive substring of the summary, its parts and the type. */
  readonly search?: string;
  /** Exclusive. */
  readonly since?: Date;
  /** Events captured after the one of this id, which need not be held any more: ids sort by time. */
  readonly after?: string;
}

/** Which part of a filtered list. `0` or no limit means all. */
export interface Page {
  /** Most events returned; 0 means all. */
  readonly limit?: number;
  /** Fitting events skipped first. */
  readonly offset?: number;
  /** The plugin's own filter; `limit` and `offset` count after it. */
  readonly match?: (event: CapturedEvent) => boolean;
}

/** What a subscriber is told, in order. */
export type StreamItem =
  | { readonly kind: "captured"; readonly event: CapturedEvent }
  | {
    readonly kind: "deleted";
    readonly id: string;
    readonly plugin: string;
    readonly namespace?: string;
  }
  | { readonly kind: "cleared"; readonly plugin?: string; readonly namespace?: string }
  /** The reader was too slow, or resumed from an event no longer held: fetch the list again. */
  | { readonly kind: "gap" };

/** Holds what was captured. */
export interface EventStore {
  /**
   * Keeps an event; the oldest of its plugin go when that holds too many or too much. Where events outlast the program,
   * it is held, and may be acknowledged, once `settled` has resolved.
   */
  add<P>(plugin: string, provider: string, event: NewEvent<P>): CapturedEvent<P>;
  /**
   * Resolves when the log has the event, or with none given all that was captured and deleted before; `undefined` when it
   * does already. Rejects with `LogWriteError` when it cannot be kept; nothing is held of such an event.
   */
  settled(event?: CapturedEvent): Promise<void> | undefined;
  /** `undefined` when unknown or no longer held. */
  get(id: string): CapturedEvent | undefined;
  /** Newest first. */
  list(filter: EventFilter, page?: Page): CapturedEvent[];
  /** How many are held, over all plugins or in one. */
  count(plugin?: string): number;
  /** Whether there was such an event. */
  delete(id: string): boolean;
  /** Forgets these, and tells whoever follows of each. Returns how many of them were still held. */
  deleteAll(events: readonly CapturedEvent[]): number;
  /** Returns how many went: all, those of one plugin, or those of one namespace. */
  clear(plugin?: string, scope?: { readonly namespace?: string | undefined }): number;
  /** Namespaces of the held events, in order of their names, and how many are of each. */
  namespaces(): ReadonlyMap<string, number>;
  /**
   * Follows what happens from now on; with `after`, first replays the held events captured after that one.
   * Ends when `signal` aborts.
   */
  subscribe(
    filter: EventFilter,
    options: { signal: AbortSignal; after?: string },
  ): AsyncIterable<StreamItem>;
  /**
   * Calls back within each change, before whoever caused it goes on, so that nothing is missed however many come at
   * once. `listener` must not throw. The returned function ends it.
   */
  watch(listener: (item: StreamItem) => void): () => void;
  /** How many watch. */
  readonly watchers: number;
}
