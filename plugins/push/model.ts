import { Type } from "@sinclair/typebox";

/** What a push does: shows something, hands something to the app unseen, or neither. */
export type PushKind = "notification" | "silent" | "empty";

/** What a push is addressed to. */
export type PushTargetKind = "device" | "topic" | "condition";

/** How urgent a push is. */
export type PushPriority = "high" | "normal" | "low";

/** Place of a request that an address stood in. */
export type PushTargetSource = "path" | "token" | "fid" | "topic" | "condition";

/** What a verbatim part of a request is written in. */
export type PushPayloadFormat =
  | "push1.v1.message"
  | "push1.v1.android"
  | "push1.v1.apns"
  | "push1.v1.webpush"
  | "push2.payload";

const PUSH_KINDS: readonly PushKind[] = ["notification", "silent", "empty"];
const TARGET_KINDS: readonly PushTargetKind[] = ["device", "topic", "condition"];
const PUSH_PRIORITIES: readonly PushPriority[] = ["high", "normal", "low"];
const TARGET_SOURCES: readonly PushTargetSource[] = ["path", "token", "fid", "topic", "condition"];
const PAYLOAD_FORMATS: readonly PushPayloadFormat[] = [
  "push1.v1.message",
  "push1.v1.android",
  "push1.v1.apns",
  "push1.v1.webpush",
  "push2.payload",
];

/** JSON shape of `PushTarget`. */
export const TargetShape = Type.Object({
  kind: Type.Union(TARGET_KINDS.map((word) => Type.Literal(word))),
  value: Type.String(),
  source: Type.Optional(
    Type.Union(TARGET_SOURCES.map((word) => Type.Literal(word)), {
      description: "Where in the request the address stood",
    }),
  ),
}, { $id: "push.Target" });

/** JSON shape of `PushLocalization`. */
export const LocalizationShape = Type.Object({
  title_key: Type.Optional(Type.String()),
  title_args: Type.Optional(Type.Array(Type.String())),
  subtitle_key: Type.Optional(Type.String()),
  subtitle_args: Type.Optional(Type.Array(Type.String())),
  body_key: Type.Optional(Type.String()),
  body_args: Type.Optional(Type.Array(Type.String())),
}, { $id: "push.Localization" });

/** JSON shape of `PushAlert`. */
export const AlertShape = Type.Object({
  title: Type.Optional(Type.String()),
  subtitle: Type.Optional(Type.String()),
  body: Type.Optional(Type.String()),
  category: Type.Optional(Type.String({ description: "Selects the action buttons" })),
  image: Type.Optional(Type.String({ description: "The sender's link; never fetched" })),
  sound: Type.Optional(Type.String()),
  badge: Type.Optional(Type.Integer({ description: "0 clears the badge; absent leaves it" })),
  localization: Type.Optional(LocalizationShape),
}, { $id: "push.Alert" });

/** JSON shape of `PushExpiry`. */
export const ExpiryShape = Type.Object({
  at: Type.Optional(Type.String({ format: "date-time", description: "When sent as a moment" })),
  ttl_seconds: Type.Optional(Type.Integer({ description: "When sent as a duration" })),
  immediate: Type.Boolean({ description: "Zero was sent: try once, keep nothing" }),
  raw: Type.Optional(Type.String({ description: "As sent" })),
}, { $id: "push.Expiry" });

/** JSON shape of `PushDelivery`. */
export const DeliveryShape = Type.Object({
  priority: Type.Optional(Type.Union(PUSH_PRIORITIES.map((word) => Type.Literal(word)))),
  priority_raw: Type.Optional(Type.String({ description: "As sent" })),
  collapse_key: Type.Optional(Type.String()),
  expiry: Type.Optional(ExpiryShape),
}, { $id: "push.Delivery" });

/** JSON shape of `PushPayload`. */
export const PayloadShape = Type.Object({
  format: Type.Union(PAYLOAD_FORMATS.map((word) => Type.Literal(word))),
  data: Type.String({ description: "Base64 of what was sent, byte for byte", format: "byte" }),
  json: Type.Optional(Type.Unknown({ description: "The same, parsed; data is authoritative" })),
}, { $id: "push.Payload" });

/** JSON shape of `PushMessage`. */
export const PushMessageShape = Type.Object({
  kind: Type.Union(PUSH_KINDS.map((word) => Type.Literal(word))),
  push_type: Type.Optional(Type.String({ description: "What the sender declared it to be" })),
  app: Type.Optional(Type.String({ description: "Bundle id or project" })),
  target: TargetShape,
  alert: Type.Optional(AlertShape),
  data: Type.Optional(
    Type.String({ description: "Base64 of the app's own JSON object, as sent", format: "byte" }),
  ),
  data_json: Type.Optional(Type.Unknown({ description: "The same, parsed" })),
  delivery: DeliveryShape,
  payloads: Type.Optional(Type.Array(PayloadShape)),
}, { $id: "push.Message" });

/** What a push is addressed to. */
export interface PushTarget {
  /** One device, a topic that devices subscribe to, or an expression over topics. */
  readonly kind: PushTargetKind;
  /** The address, without a `/topics/` in front. */
  readonly value: string;
  /** Where in the request the address stood. */
  readonly source?: PushTargetSource;
}

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
  /** Number on the app's icon; 0 clears it. */
  readonly badge?: number;
  /** Texts by key. */
  readonly localization?: PushLocalization;
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

/** A verbatim part of the request. */
export interface PushPayload {
  /** What it is written in. */
  readonly format: PushPayloadFormat;
  /** Base64 of the bytes as sent. */
  readonly data: string;
  /** Parsed; absent when it is no JSON. */
  readonly json?: unknown;
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
