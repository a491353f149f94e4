/** The Bot API of Telegram: https://core.telegram.org/bots/api */
import { matchesSecret } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { ingressProvider } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { REFUSALS, toVendorRefusal, type VendorRefusal } from "./refusals.ts";
import { refuse } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Called with either. */
const VERBS = ["POST", "GET"] as const;

/** Provider for Telegram. */
export const chat4 = ingressProvider<ChatState, typeof OPTIONS, Store>({
  id: "chat4",
  title: "Telegram Bot API",
  shortTitle: "Telegram",
  about: "Accepts messages, edits and other calls of Telegram bots",
  vendorHosts: ["api.telegram.org"],
  options: OPTIONS,
  routes: [
    // The second one is that of the vendor's test servers.
    ...["/bot{token}/{method}", "/bot{token}/test/{method}"].flatMap((path, index) =>
      VERBS.map((method) => ({
        method,
        path,
        about: "Call a method, such as sendMessage",
        unlisted: index > 0 || method === "GET",
        handle: handler("serve"),
      }))
    ),
    {
      method: "GET",
      path: "/file/bot{token}/documents/{file}",
      about: "Download a file",
      handle: handler("download"),
    },
  ],
  open({ state, ctx }) {
    const store = new Store(ctx.memory);
    state.onReset(() => store.clear());
    return store;
  },
  authorize({ params }, { values }) {
    const refusal = checkToken(params.token ?? "", values.bot_token);
    return refusal && refuse(refusal);
  },
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
});

function checkToken(token: string, pinned: string | undefined): VendorRefusal | undefined {
  if (token.length > 80 || !/^[1-9]\d{0,15}:./.test(token)) return REFUSALS.badToken;
  return pinned === undefined || matchesSecret(token, pinned) ? undefined : REFUSALS.wrongToken;
}
