import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  account_sid: optionalText(
    "Account SID that clients must use; checked together with the token",
  ),
  auth_token: optionalText("Auth token that clients must use; checked together with the SID", {
    secret: true,
  }),
});

export type Env = ProviderEnv<typeof OPTIONS, SmsState, Store>;
