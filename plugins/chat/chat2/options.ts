import { defineOptions } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";

/** Settings of the provider. */
export const OPTIONS = defineOptions({});

/** Environment of the handlers. */
export type Env = ProviderEnv<typeof OPTIONS, ChatState>;
