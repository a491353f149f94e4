import { choice, defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  api_key: optionalText("API key that requests must carry; by default any is accepted", {
    secret: true,
  }),
  templates: choice(
    "Templates that can be sent: any, or only those created through the API",
    ["any", "known"],
    "any",
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, MailState, Store>;
