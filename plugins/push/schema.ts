/** JSON shapes of captured items. `deno task docs` generates `model.ts` from them. */
import { Type } from "../../core/shape_type.ts";
import { described, flag, text, whole, words } from "../../core/shapes.ts";

export const PushTargetKindShape = words(
  ["device", "topic", "condition", "channel"],
  "Kind of target",
);

export const PushTargetSourceShape = words(
  ["path", "token", "fid", "topic", "condition", "channel"],
  "Field of the request that held the address",
);

export const PushPriorityShape = words(["high", "normal", "low"], "How urgent a push is");

export const PushPayloadFormatShape = words([
  "push1.v1.message",
  "push1.v1.android",
  "push1.v1.apns",
  "push1.v1.webpush",
  "push2.payload",
  "push3.body",
  "push3.payload",
], "Format of a verbatim part of a request");

export const PushKindShape = words(
  ["notification", "silent", "empty"],
  "Effect of a push: it shows something, delivers data to the app in the background, or neither",
);

export const PushTargetShape = Type.Object({
  kind: described(
    PushTargetKindShape,
    "One device, a topic that devices subscribe to, an expression over topics, or a channel of Live Activities",
  ),
  value: text("The address, without the prefix `/topics/`"),
  source: Type.Optional(
    described(PushTargetSourceShape, "Field of the request that held the address"),
  ),
}, { $id: "push.Target", description: "Target of a push" });

export const PushLocalizationShape = Type.Object({
  title_key: Type.Optional(text("Key of the title")),
  title_args: Type.Optional(
    Type.Array(Type.String(), { description: "Arguments of the title, in order" }),
  ),
  subtitle_key: Type.Optional(text("Key of the subtitle")),
  subtitle_args: Type.Optional(
    Type.Array(Type.String(), { description: "Arguments of the subtitle, in order" }),
  ),
  body_key: Type.Optional(text("Key of the text")),
  body_args: Type.Optional(
    Type.Array(Type.String(), { description: "Arguments of the text, in order" }),
  ),
}, {
  $id: "push.Localization",
  description: "Keys of texts that the app translates, with their arguments",
});

export const PushAlertShape = Type.Object({
  title: Type.Optional(text("First line")),
  subtitle: Type.Optional(text("Second line; Apple only")),
  body: Type.Optional(text("The text")),
  category: Type.Optional(text("Selects the action buttons")),
  image: Type.Optional(text("The sender's link; hostile text that is never fetched")),
  sound: Type.Optional(text("Name of a sound in the app")),
  badge: Type.Optional(whole("Number on the app's icon; 0 removes it, absent keeps it")),
  localization: Type.Optional(described(PushLocalizationShape, "Texts by key")),
}, {
  $id: "push.Alert",
  description:
    "Content that a device shows or plays. Absent properties were not sent or were empty",
});

export const PushExpiryShape = Type.Object({
  at: Type.Optional(
    Type.String({
      description: "RFC 3339; if it was sent as a point in time",
      format: "date-time",
    }),
  ),
  ttl_seconds: Type.Optional(whole("Whole seconds; if it was sent as a duration")),
  immediate: flag("Whether zero was sent: one attempt, no storage"),
  raw: Type.Optional(text("As sent")),
}, { $id: "push.Expiry", description: "How long a push is stored for an offline device" });

export const PushDeliveryShape = Type.Object({
  priority: Type.Optional(described(PushPriorityShape, "Normalized; absent unless one was sent")),
  priority_raw: Type.Optional(text("As sent")),
  collapse_key: Type.Optional(text("A later push with the same key replaces an earlier one")),
  expiry: Type.Optional(described(PushExpiryShape, "How long it is stored")),
}, { $id: "push.Delivery", description: "Delivery settings of a push" });

export const PushPayloadShape = Type.Object({
  format: described(PushPayloadFormatShape, "Format of `data`"),
  data: Type.String({ description: "Base64 of the part as sent, byte for byte", format: "byte" }),
  json: Type.Optional(
    Type.Unknown({
      description: "`data`, parsed; absent unless it is JSON. `data` is authoritative",
    }),
  ),
}, { $id: "push.Payload", description: "A verbatim part of the request" });

export const PushMessageShape = Type.Object({
  kind: described(PushKindShape, "Effect"),
  push_type: Type.Optional(
    text("Type that the sender declared; only push2 has one"),
  ),
  app: Type.Optional(text("Bundle id, project, or contact of a web push's sender")),
  target: described(PushTargetShape, "Target"),
  alert: Type.Optional(described(PushAlertShape, "Content that a device shows or plays")),
  data: Type.Optional(
    Type.String({ description: "Base64 of the JSON data for the app, as sent", format: "byte" }),
  ),
  data_json: Type.Optional(Type.Unknown({ description: "`data`, parsed" })),
  delivery: described(PushDeliveryShape, "Delivery settings"),
  payloads: Type.Optional(
    Type.Array(PushPayloadShape, {
      description: "The request, then its sections, each for one platform",
    }),
  ),
}, {
  $id: "push.Message",
  description:
    "The canonical push, whatever gateway it arrived through. Empty optional properties are absent",
});
