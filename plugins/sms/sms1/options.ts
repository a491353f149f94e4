import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { Store } from "./store.ts";

/** Settings of the provider. */
export const OPTIONS = defineOptions({
  account_sid: optionalText(
    "Account SID that clients must present; checked together with the token",
  ),
  auth_token: optionalText("Auth token that clients must present; checked together with the SID", {
    secret: true,
  }),
});

/** Environment of the handlers. */
export type Env = ProviderEnv<typeof OPTIONS, SmsState, Store>;
