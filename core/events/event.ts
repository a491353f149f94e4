/** Header fields in the order received, names as spelled by the sender where the stack allows. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Certificate of a client in a TLS handshake, unchecked. */
export interface ClientCertificate {
  /** Distinguished name, such as `O=Acme, CN=my app`. */
  readonly subject: string;
  /** Distinguished name of the issuer. */
  readonly issuer: string;
  /** Serial number in hexadecimal. */
  readonly serial: string;
  /** Start of validity, as OpenSSL prints it. */
  readonly not_before: string;
  /** End of validity, as OpenSSL prints it. */
  readonly not_after: string;
  /** SHA-256 fingerprint, upper-case hex with colons. */
  readonly fingerprint: string;
}

/** The request, message or datagram as received. */
export interface RawRecord {
  /** Transport. */
  readonly transport: "http" | "tcp" | "udp" | "smtp" | "ftp" | "ssh";
  /** Whether `body` is text. */
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
  /** Certificate of the client in its TLS handshake, unchecked. */
  readonly client_certificate?: ClientCertificate;
}

/** The summary in parts, for lists with columns. */
export interface SummaryParts {
  /** Sender. */
  readonly from?: string;
  /** Recipients or destinations. */
  readonly to?: readonly string[];
  /** Subject or name. */
  readonly title?: string;
  /** Beginning of the content. */
  readonly snippet?: string;
}

/** Readable text of an event. */
export interface EventText {
  /** Format of the text. */
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
  /** Test it belongs to, if its sender or the configuration names one. */
  readonly namespace?: string;
  /** Kind of item, such as `mail.message`. */
  readonly type: string;
  /** Time of capture; never before that of an earlier event. */
  readonly received_at: Date;
  /** One line, at most 200 characters. */
  readonly summary: string;
  /** The same in parts. */
  readonly summary_parts: SummaryParts;
  /** Notes of the provider about the item. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The item in its plugin's model. */
  readonly payload: P;
  /** The input as received. */
  readonly raw: RawRecord;
  /** Ids of the blobs of this event. */
  readonly blobs: readonly string[];
}

/** A capture by a provider; the store adds id, order, plugin, provider and time. */
export interface NewEvent<P = unknown> {
  /** Kind of item, such as `mail.message`. */
  readonly type: string;
  /** Any text; the store shortens it to one line. */
  readonly summary: string;
  /** The same in parts. */
  readonly summary_parts?: SummaryParts;
  /** Notes of the provider about the item. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The item in its plugin's model. */
  readonly payload: P;
  /** The input as received. */
  readonly raw: RawRecord;
  /** Blobs of the event; each was retained by its creator, and the event takes over that reference. */
  readonly blobs?: readonly string[];
  /** Recorded provider if it is not the capturing one (`api` for deletions through our own API). */
  readonly provider?: string;
  /** Part of `meta` that derives from the id of the event, such as a vendor's id that contains it. */
  readonly metaFromId?: (id: string) => Readonly<Record<string, unknown>>;
}

/** Filters shared by every list; all given ones must match. */
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
  /** Events captured after the one with this id, even if that is no longer held: ids sort by time. */
  readonly after?: string;
  /** Events whose `seq` is greater: from `behind`, where ids of several instances do not give the order. */
  readonly afterSeq?: number;
}

/** Part of a filtered list. */
export interface Page {
  /** Most events returned; 0 means all. */
  readonly limit?: number;
  /** Matching events to skip first. */
  readonly offset?: number;
  /** Filter of the plugin; applied before `limit` and `offset`. */
  readonly match?: (event: CapturedEvent) => boolean;
}

/** Item of a subscription, in order. */
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

/** Holds the captured events. */
export interface EventStore {
  /**
   * Keeps an event; the oldest of its plugin go when that holds too many or too much. Where events outlast the program,
   * it is held, and may be acknowledged, once `settled` has resolved.
   */
  add<P>(plugin: string, provider: string, event: NewEvent<P>): CapturedEvent<P>;
  /**
   * Resolves when the log has the event, or with none given all that was captured and deleted before; `undefined` when
   * it does already. Rejects with `LogWriteError` when it cannot be kept; nothing is held of such an event.
   */
  settled(event?: CapturedEvent): Promise<void> | undefined;
  /**
   * Where several instances keep events together: resolves when this one holds all that any of them has acknowledged;
   * `undefined` elsewhere. Rejects with `LogWriteError` when that cannot be found out.
   */
  current(): Promise<void> | undefined;
  /** The condition for what was captured after the event of this id. */
  behind(id: string): Pick<EventFilter, "after" | "afterSeq">;
  /** `undefined` when unknown or no longer held. */
  get(id: string): CapturedEvent | undefined;
  /** Newest first. */
  list(filter: EventFilter, page?: Page): CapturedEvent[];
  /** Number of events held, over all plugins or in one. */
  count(plugin?: string): number;
  /** Returns whether the event existed. */
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
  /** Number of listeners of `watch`. */
  readonly watchers: number;
}
