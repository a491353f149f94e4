import { choice, defineOptions, list, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  server_token: optionalText("Server token that requests must carry; by default any is accepted", {
    secret: true,
  }),
  templates: choice(
    "Templates that can be sent: any, or only those created through the API",
    ["any", "known"],
    "any",
  ),
  streams: list(
    "Message streams in addition to outbound and broadcast; by default any is accepted",
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, MailState, Store>;
