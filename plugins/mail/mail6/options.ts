import { choice, defineOptions, list, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  access_key: optionalText(
    "Access key id that requests must be signed with; by default any is accepted. Signatures are not checked",
  ),
  identities: list(
    "Addresses and domains that may send, in addition to those created through the API; by default any may",
  ),
  templates: choice(
    "Templates that can be sent: any, or only those created through the API",
    ["any", "known"],
    "any",
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, MailState, Store>;
