import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  topic: optionalText("Topic (bundle id) that every push must name; by default any is accepted"),
  key_id: optionalText("Key id that provider tokens must name; by default any or none is accepted"),
});

export type Env = ProviderEnv<typeof OPTIONS, PushState, Store>;
