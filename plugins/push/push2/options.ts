import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";

/** Settings of the provider. */
export const OPTIONS = defineOptions({
  topic: optionalText("Topic (bundle id) that every push must name; any is accepted without it"),
  key_id: optionalText("Key id that provider tokens must name; any or none is accepted without it"),
});

/** Environment of the handlers. */
export type Env = ProviderEnv<typeof OPTIONS, PushState>;
