import type { Static } from "@sinclair/typebox";
import { assertEquals } from "@std/assert";
import {
  type Alert,
  AlertShape,
  type Delivery,
  DeliveryShape,
  type Expiry,
  ExpiryShape,
  type Localization,
  LocalizationShape,
  type Payload,
  PayloadShape,
  type PushMessage,
  PushMessageShape,
  type Target,
  TargetShape,
} from "./model.ts";

/** `true` when each type can stand for the other. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("the JSON shapes of push describe the documented types", () => {
  // These lines do not compile when a shape and its type drift apart.
  const same: [
    Same<Static<typeof TargetShape>, Target>,
    Same<Static<typeof LocalizationShape>, Localization>,
    Same<Static<typeof AlertShape>, Alert>,
    Same<Static<typeof ExpiryShape>, Expiry>,
    Same<Static<typeof DeliveryShape>, Delivery>,
    Same<Static<typeof PayloadShape>, Payload>,
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
