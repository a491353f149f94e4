import { boolean, defineOptions } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  require_vapid: boolean(
    "Refuse pushes without VAPID; by default only subscriptions with an application server key require it",
    false,
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, PushState, Store>;
