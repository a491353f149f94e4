import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  webhook_token: optionalText(
    "Token that the addresses of webhooks must have; by default any is accepted",
    { only: "file", secret: true },
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, ChatState, Store>;
