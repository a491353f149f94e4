import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";

export const OPTIONS = defineOptions({
  api_key: optionalText("API key that clients must send; by default any is accepted"),
  api_secret: optionalText(
    "API secret that clients must send; by default any is accepted. Signatures and JWTs are not checked",
    { secret: true },
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, SmsState>;
