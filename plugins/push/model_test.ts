import type { Static } from "@sinclair/typebox";
import { assertEquals } from "@std/assert";
import {
  AlertShape,
  DeliveryShape,
  ExpiryShape,
  LocalizationShape,
  PayloadShape,
  type PushAlert,
  type PushDelivery,
  type PushExpiry,
  type PushLocalization,
  type PushMessage,
  PushMessageShape,
  type PushPayload,
  type PushTarget,
  TargetShape,
} from "./model.ts";

/** `true` when each type can stand for the other. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("the JSON shapes of push describe the documented types", () => {
  // These lines do not compile when a shape and its type drift apart.
  const same: [
    Same<Static<typeof TargetShape>, PushTarget>,
    Same<Static<typeof LocalizationShape>, PushLocalization>,
    Same<Static<typeof AlertShape>, PushAlert>,
    Same<Static<typeof ExpiryShape>, PushExpiry>,
    Same<Static<typeof DeliveryShape>, PushDelivery>,
    Same<Static<typeof PayloadShape>, PushPayload>,
    Same<Static<typeof PushMessageShape>, PushMessage>,
  ] = [true, true, true, true, true, true, true];
  assertEquals(same, [true, true, true, true, true, true, true]);
  assertEquals(
    [
      TargetShape,
      LocalizationShape,
      AlertShape,
      ExpiryShape,
      DeliveryShape,
      PayloadShape,
      PushMessageShape,
    ].map((shape) => shape.$id),
    [
      "push.Target",
      "push.Localization",
      "push.Alert",
      "push.Expiry",
      "push.Delivery",
      "push.Payload",
      "push.Message",
    ],
  );
});
