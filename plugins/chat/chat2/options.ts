import { defineOptions } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";

export const OPTIONS = defineOptions({});

export type Env = ProviderEnv<typeof OPTIONS, ChatState>;
