/** Settings of the provider, and what its handlers work with. */
import { defineOptions } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";

/** Settings of the provider. */
export const OPTIONS = defineOptions({});

/** What a handler works with. */
export type Env = ProviderEnv<typeof OPTIONS, ChatState>;
