import { boolean, defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import type { Store } from "./store.ts";

export const OPTIONS = defineOptions({
  bearer_token: optionalText(
    "Access token that requests must carry; by default any or none is accepted",
    {
      secret: true,
    },
  ),
  oauth_token: boolean(
    "Issue access tokens at POST /token, for service accounts that have it as their token_uri",
    false,
    { only: "file" },
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, PushState, Store>;
