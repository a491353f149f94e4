import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";

export const OPTIONS = defineOptions({
  api_key: optionalText("API key that clients must present; any is accepted without it", {
    secret: true,
  }),
  secret_key: optionalText("Secret key that clients must present; any is accepted without it", {
    secret: true,
  }),
});

export type Env = ProviderEnv<typeof OPTIONS, MailState>;
