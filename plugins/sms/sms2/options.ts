import { defineOptions, list, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";

export const OPTIONS = defineOptions({
  access_key: optionalText(
    "Access key id that requests must be signed with; by default any is accepted. Signatures are not checked",
  ),
  opted_out: list("Numbers that have opted out of messages; by default none"),
});

export type Env = ProviderEnv<typeof OPTIONS, SmsState>;
