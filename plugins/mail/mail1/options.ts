import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  api_key: optionalText("API key that clients must use; by default any is accepted", {
    secret: true,
  }),
  secret_key: optionalText("Secret key that clients must use; by default any is accepted", {
    secret: true,
  }),
});

export type Env = ProviderEnv<typeof OPTIONS, MailState, Store>;
