/** Header fields in the order received; names as the sender spelled them, except over HTTP/2. */
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
  /** Namespace of its sender, if one is named or a rule derives one. */
  readonly namespace?: string;
  /** Kind of item, such as `mail.message`. */
  readonly type: string;
  /** Time of capture; never before that of an earlier event. */
  readonly received_at: Date;
  /** One line, at most 200 characters. */
  readonly summary: string;
  /** Parts of the summary. */
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
  /** Parts of the summary. */
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
  /**
   * Events with a greater `seq`: set by `behind`, because ids of several instances do not give the
   * order.
   */
  readonly afterSeq?: number;
}

/** Part of a filtered list. */
export interface Page {
  /** Maximum number of events returned; 0 means all. */
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
   * Adds an event, and evicts the oldest of its plugin beyond the limits. If events outlast the
   * program, the event is held, and may be acknowledged, once `settled` has resolved.
   */
  add<P>(plugin: string, provider: string, event: NewEvent<P>): CapturedEvent<P>;
  /**
   * Resolves once the log has the event or, without one, every earlier capture and deletion;
   * `undefined` if it already does. Rejects with `LogWriteError` if it cannot be stored; the event
   * is not held then.
   */
  settled(event?: CapturedEvent): Promise<void> | undefined;
  /**
   * If instances share events: resolves once this one holds everything that any of them has
   * acknowledged; otherwise `undefined`. Rejects with `LogWriteError` if that cannot be determined.
   */
  current(): Promise<void> | undefined;
  /** Returns the filter for events captured after the one with this id. */
  behind(id: string): Pick<EventFilter, "after" | "afterSeq">;
  /** Returns `undefined` for an event that is unknown or no longer held. */
  get(id: string): CapturedEvent | undefined;
  /** Newest first. */
  list(filter: EventFilter, page?: Page): CapturedEvent[];
  /** Returns the number of events held, in total or of one plugin. */
  count(plugin?: string): number;
  /** Deletes an event. Returns whether it existed. */
  delete(id: string): boolean;
  /** Deletes these events, with one notification for each. Returns how many were still held. */
  deleteAll(events: readonly CapturedEvent[]): number;
  /** Deletes all events, those of one plugin or those of one namespace. Returns their number. */
  clear(plugin?: string, scope?: { readonly namespace?: string | undefined }): number;
  /** Returns the namespaces of the held events, sorted by name, with the number of events in each. */
  namespaces(): ReadonlyMap<string, number>;
  /**
   * Follows changes from now on; with `after`, first replays the held events captured after that
   * one. Ends when `signal` aborts.
   */
  subscribe(
    filter: EventFilter,
    options: { signal: AbortSignal; after?: string },
  ): AsyncIterable<StreamItem>;
  /**
   * Calls back synchronously within each change, so that no change is missed however many come at
   * once. `listener` must not throw. The returned function removes it.
   */
  watch(listener: (item: StreamItem) => void): () => void;
  /** Number of listeners of `watch`. */
  readonly watchers: number;
}
