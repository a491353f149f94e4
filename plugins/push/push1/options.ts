import { boolean, defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  bearer_token: optionalText(
    "Access token that requests must carry; any or none is accepted without it",
    {
      secret: true,
    },
  ),
  oauth_token: boolean(
    "Give out access tokens at POST /token, for service accounts whose token_uri points there",
    false,
    { only: "file" },
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, PushState, Store>;
