/** Tokens that APNs no longer knows. */
import { registrationCallbacks } from "../registration.ts";
import type { OPTIONS } from "./options.ts";
import type { Store } from "./store.ts";

export const CALLBACKS = registrationCallbacks<typeof OPTIONS, Store>({
  source:
    "https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns",
  answer: "410 Unregistered and the time",
  gone: ({ gone }) => gone.push2,
});
