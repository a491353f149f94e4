// Made from schema.ts by `deno task docs`: change the shapes there.

/** Content that a device shows or plays. Absent properties were not sent or were empty. */
export interface PushAlert {
  /** First line. */
  readonly title?: string;
  /** Second line; Apple only. */
  readonly subtitle?: string;
  /** The text. */
  readonly body?: string;
  /** Selects the action buttons. */
  readonly category?: string;
  /** The sender's link; hostile text that is never fetched. */
  readonly image?: string;
  /** Name of a sound in the app. */
  readonly sound?: string;
  /** Number on the app's icon; 0 removes it, absent keeps it. */
  readonly badge?: number;
  /** Texts by key. */
  readonly localization?: PushLocalization;
}

/** Delivery settings of a push. */
export interface PushDelivery {
  /** Normalized; absent unless one was sent. */
  readonly priority?: PushPriority;
  /** As sent. */
  readonly priority_raw?: string;
  /** A later push with the same key replaces an earlier one. */
  readonly collapse_key?: string;
  /** How long it is stored. */
  readonly expiry?: PushExpiry;
}

/** How long a push is stored for an offline device. */
export interface PushExpiry {
  /** RFC 3339; if it was sent as a point in time. */
  readonly at?: string;
  /** Whole seconds; if it was sent as a duration. */
  readonly ttl_seconds?: number;
  /** Whether zero was sent: one attempt, no storage. */
  readonly immediate: boolean;
  /** As sent. */
  readonly raw?: string;
}

/** Effect of a push: it shows something, delivers data to the app in the background, or neither. */
export type PushKind = "notification" | "silent" | "empty";

/** Keys of texts that the app translates, with their arguments. */
export interface PushLocalization {
  /** Key of the title. */
  readonly title_key?: string;
  /** Arguments of the title, in order. */
  readonly title_args?: string[];
  /** Key of the subtitle. */
  readonly subtitle_key?: string;
  /** Arguments of the subtitle, in order. */
  readonly subtitle_args?: string[];
  /** Key of the text. */
  readonly body_key?: string;
  /** Arguments of the text, in order. */
  readonly body_args?: string[];
}

/** The canonical push, whatever gateway it arrived through. Empty optional properties are absent. */
export interface PushMessage {
  /** Effect. */
  readonly kind: PushKind;
  /** Type that the sender declared; only push2 has one. */
  readonly push_type?: string;
  /** Bundle id, project, or contact of a web push's sender. */
  readonly app?: string;
  /** Target. */
  readonly target: PushTarget;
  /** Content that a device shows or plays. */
  readonly alert?: PushAlert;
  /** Base64 of the JSON data for the app, as sent. */
  readonly data?: string;
  /** `data`, parsed. */
  readonly data_json?: unknown;
  /** Delivery settings. */
  readonly delivery: PushDelivery;
  /** The request, then its sections, each for one platform. */
  readonly payloads?: PushPayload[];
}

/** A verbatim part of the request. */
export interface PushPayload {
  /** Format of `data`. */
  readonly format: PushPayloadFormat;
  /** Base64 of the part as sent, byte for byte. */
  readonly data: string;
  /** `data`, parsed; absent unless it is JSON. `data` is authoritative. */
  readonly json?: unknown;
}

/** Format of a verbatim part of a request. */
export type PushPayloadFormat =
  | "push1.v1.message"
  | "push1.v1.android"
  | "push1.v1.apns"
  | "push1.v1.webpush"
  | "push2.payload"
  | "push3.body"
  | "push3.payload";

/** How urgent a push is. */
export type PushPriority = "high" | "normal" | "low";

/** Target of a push. */
export interface PushTarget {
  /** One device, a topic that devices subscribe to, an expression over topics, or a channel of Live Activities. */
  readonly kind: PushTargetKind;
  /** The address, without the prefix `/topics/`. */
  readonly value: string;
  /** Field of the request that held the address. */
  readonly source?: PushTargetSource;
}

/** Kind of target. */
export type PushTargetKind = "device" | "topic" | "condition" | "channel";

/** Field of the request that held the address. */
export type PushTargetSource = "path" | "token" | "fid" | "topic" | "condition" | "channel";
