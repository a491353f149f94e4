import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";

export const OPTIONS = defineOptions({
  topic: optionalText("Topic (bundle id) that every push must name; any is accepted without it"),
  key_id: optionalText("Key id that provider tokens must name; any or none is accepted without it"),
});

export type Env = ProviderEnv<typeof OPTIONS, PushState>;
