// Made from schema.ts by `deno task docs`: change the shapes there.

/** What a device shows or plays. Absent properties were not sent or were empty. */
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
  /** Name of a sound that the app holds. */
  readonly sound?: string;
  /** Number on the app's icon; 0 clears it, absent leaves it. */
  readonly badge?: number;
  /** Texts by key. */
  readonly localization?: PushLocalization;
}

/** How a push is to be delivered. */
export interface PushDelivery {
  /** Normalised; absent when none was sent. */
  readonly priority?: PushPriority;
  /** As sent. */
  readonly priority_raw?: string;
  /** A later push with the same key replaces an earlier one. */
  readonly collapse_key?: string;
  /** How long it is kept. */
  readonly expiry?: PushExpiry;
}

/** How long a push is kept for a device that is away. */
export interface PushExpiry {
  /** RFC 3339; when it was sent as a moment. */
  readonly at?: string;
  /** Whole seconds; when it was sent as a duration. */
  readonly ttl_seconds?: number;
  /** Zero was sent: try once, keep nothing. */
  readonly immediate: boolean;
  /** As sent. */
  readonly raw?: string;
}

/** What a push does: shows something, hands something to the app unseen, or neither. */
export type PushKind = "notification" | "silent" | "empty";

/** Keys of texts that the app itself holds in several languages, and what is put into them. */
export interface PushLocalization {
  /** Key of the title. */
  readonly title_key?: string;
  /** Put into the title, in order. */
  readonly title_args?: string[];
  /** Key of the subtitle. */
  readonly subtitle_key?: string;
  /** Put into the subtitle, in order. */
  readonly subtitle_args?: string[];
  /** Key of the text. */
  readonly body_key?: string;
  /** Put into the text, in order. */
  readonly body_args?: string[];
}

/** The canonical push, whichever gateway it came through. Empty optional properties are absent. */
export interface PushMessage {
  /** What it does. */
  readonly kind: PushKind;
  /** What the sender declared it to be; one gateway has no such declaration. */
  readonly push_type?: string;
  /** Bundle id or project. */
  readonly app?: string;
  /** What it is addressed to. */
  readonly target: PushTarget;
  /** What a device shows or plays. */
  readonly alert?: PushAlert;
  /** Base64 of the app's own JSON object, as sent. */
  readonly data?: string;
  /** The same, parsed. */
  readonly data_json?: unknown;
  /** How it is to be delivered. */
  readonly delivery: PushDelivery;
  /** The request, then the sections in it that concern one platform. */
  readonly payloads?: PushPayload[];
}

/** A verbatim part of the request. */
export interface PushPayload {
  /** What it is written in. */
  readonly format: PushPayloadFormat;
  /** Base64 of what was sent, byte for byte. */
  readonly data: string;
  /** The same, parsed; absent when it is no JSON. `data` is authoritative. */
  readonly json?: unknown;
}

/** What a verbatim part of a request is written in. */
export type PushPayloadFormat =
  | "push1.v1.message"
  | "push1.v1.android"
  | "push1.v1.apns"
  | "push1.v1.webpush"
  | "push2.payload";

/** How urgent a push is. */
export type PushPriority = "high" | "normal" | "low";

/** What a push is addressed to. */
export interface PushTarget {
  /** One device, a topic that devices subscribe to, or an expression over topics. */
  readonly kind: PushTargetKind;
  /** The address, without a `/topics/` in front. */
  readonly value: string;
  /** Where in the request the address stood. */
  readonly source?: PushTargetSource;
}

/** What a push is addressed to. */
export type PushTargetKind = "device" | "topic" | "condition";

/** Place of a request that an address stood in. */
export type PushTargetSource = "path" | "token" | "fid" | "topic" | "condition";
