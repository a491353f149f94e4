/** Tokens that FCM no longer knows. */
import { registrationCallbacks } from "../registration.ts";
import type { OPTIONS } from "./options.ts";
import type { Store } from "./store.ts";

export const CALLBACKS = registrationCallbacks<typeof OPTIONS, Store>({
  source: "https://firebase.google.com/docs/cloud-messaging/manage-tokens",
  answer: "404 UNREGISTERED",
  gone: ({ gone }) => gone.push1,
});
