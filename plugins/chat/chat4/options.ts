import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  bot_token: optionalText(
    "Bot token that calls must use; by default any token is accepted",
    { only: "file", secret: true },
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, ChatState, Store>;
