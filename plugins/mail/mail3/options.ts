import { choice, defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { Store } from "./store.ts";

/** The vendor's states of a message. */
const LAST_EVENTS = [
  "queued",
  "sent",
  "delivered",
  "delivery_delayed",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "failed",
  "suppressed",
] as const;

export const OPTIONS = defineOptions({
  api_key: optionalText("API key that requests must carry; by default any is accepted", {
    secret: true,
  }),
  last_event: choice(
    "State that fetched emails report, unless scheduled or canceled",
    LAST_EVENTS,
    "delivered",
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, MailState, Store>;
