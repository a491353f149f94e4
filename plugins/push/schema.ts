/** JSON shapes of what the plugin captures. `model.ts` is made from them, with the texts that they give. */
import { Type } from "@sinclair/typebox";
import { described, flag, text, whole, words } from "../../core/shapes.ts";

export const PushTargetKindShape = words(
  ["device", "topic", "condition"],
  "What a push is addressed to",
);

export const PushTargetSourceShape = words(
  ["path", "token", "fid", "topic", "condition"],
  "Place of a request that an address stood in",
);

export const PushPriorityShape = words(["high", "normal", "low"], "How urgent a push is");

export const PushPayloadFormatShape = words([
  "push1.v1.message",
  "push1.v1.android",
  "push1.v1.apns",
  "push1.v1.webpush",
  "push2.payload",
], "What a verbatim part of a request is written in");

export const PushKindShape = words(
  ["notification", "silent", "empty"],
  "What a push does: shows something, hands something to the app unseen, or neither",
);

export const PushTargetShape = Type.Object({
  kind: described(
    PushTargetKindShape,
    "One device, a topic that devices subscribe to, or an expression over topics",
  ),
  value: text("The address, without a `/topics/` in front"),
  source: Type.Optional(described(PushTargetSourceShape, "Where in the request the address stood")),
}, { $id: "push.Target", description: "What a push is addressed to" });

export const PushLocalizationShape = Type.Object({
  title_key: Type.Optional(text("Key of the title")),
  title_args: Type.Optional(
    Type.Array(Type.String(), { description: "Put into the title, in order" }),
  ),
  subtitle_key: Type.Optional(text("Key of the subtitle")),
  subtitle_args: Type.Optional(
    Type.Array(Type.String(), { description: "Put into the subtitle, in order" }),
  ),
  body_key: Type.Optional(text("Key of the text")),
  body_args: Type.Optional(
    Type.Array(Type.String(), { description: "Put into the text, in order" }),
  ),
}, {
  $id: "push.Localization",
  description:
    "Keys of texts that the app itself holds in several languages, and what is put into them",
});

export const PushAlertShape = Type.Object({
  title: Type.Optional(text("First line")),
  subtitle: Type.Optional(text("Second line; Apple only")),
  body: Type.Optional(text("The text")),
  category: Type.Optional(text("Selects the action buttons")),
  image: Type.Optional(text("The sender's link; hostile text that is never fetched")),
  sound: Type.Optional(text("Name of a sound that the app holds")),
  badge: Type.Optional(whole("Number on the app's icon; 0 clears it, absent leaves it")),
  localization: Type.Optional(described(PushLocalizationShape, "Texts by key")),
}, {
  $id: "push.Alert",
  description: "What a device shows or plays. Absent properties were not sent or were empty",
});

export const PushExpiryShape = Type.Object({
  at: Type.Optional(
    Type.String({ description: "RFC 3339; when it was sent as a moment", format: "date-time" }),
  ),
  ttl_seconds: Type.Optional(whole("Whole seconds; when it was sent as a duration")),
  immediate: flag("Zero was sent: try once, keep nothing"),
  raw: Type.Optional(text("As sent")),
}, { $id: "push.Expiry", description: "How long a push is kept for a device that is away" });

export const PushDeliveryShape = Type.Object({
  priority: Type.Optional(described(PushPriorityShape, "Normalised; absent when none was sent")),
  priority_raw: Type.Optional(text("As sent")),
  collapse_key: Type.Optional(text("A later push with the same key replaces an earlier one")),
  expiry: Type.Optional(described(PushExpiryShape, "How long it is kept")),
}, { $id: "push.Delivery", description: "How a push is to be delivered" });

export const PushPayloadShape = Type.Object({
  format: described(PushPayloadFormatShape, "What it is written in"),
  data: Type.String({ description: "Base64 of what was sent, byte for byte", format: "byte" }),
  json: Type.Optional(
    Type.Unknown({
      description: "The same, parsed; absent when it is no JSON. `data` is authoritative",
    }),
  ),
}, { $id: "push.Payload", description: "A verbatim part of the request" });

export const PushMessageShape = Type.Object({
  kind: described(PushKindShape, "What it does"),
  push_type: Type.Optional(
    text("What the sender declared it to be; one gateway has no such declaration"),
  ),
  app: Type.Optional(text("Bundle id or project")),
  target: described(PushTargetShape, "What it is addressed to"),
  alert: Type.Optional(described(PushAlertShape, "What a device shows or plays")),
  data: Type.Optional(
    Type.String({ description: "Base64 of the app's own JSON object, as sent", format: "byte" }),
  ),
  data_json: Type.Optional(Type.Unknown({ description: "The same, parsed" })),
  delivery: described(PushDeliveryShape, "How it is to be delivered"),
  payloads: Type.Optional(
    Type.Array(PushPayloadShape, {
      description: "The request, then the sections in it that concern one platform",
    }),
  ),
}, {
  $id: "push.Message",
  description:
    "The canonical push, whichever gateway it came through. Empty optional properties are absent",
});
