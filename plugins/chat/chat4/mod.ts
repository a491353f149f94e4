/** The Bot API of Telegram: https://core.telegram.org/bots/api */
import { matchesSecret } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import type { ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { download } from "./fetch.ts";
import { type Env, OPTIONS } from "./options.ts";
import { readParams } from "./params.ts";
import { REFUSALS, toVendorRefusal, type VendorRefusal } from "./refusals.ts";
import { answer, refuse } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";
import { METHODS } from "./table.ts";

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
        handle: serve,
      }))
    ),
    {
      method: "GET",
      path: "/file/bot{token}/documents/{file}",
      about: "Download a file",
      handle: download,
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

async function serve(call: IngressCall, env: Env): Promise<Response> {
  const { token = "", method: given = "" } = call.params;
  const found = METHODS.get(given.toLowerCase());
  if (found === undefined) return refuse(REFUSALS.unknownMethod);
  try {
    const params = await readParams(call);
    const method = given.toLowerCase();
    return answer(await found.method({ method, name: found.name, token, params, call, env }));
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal as VendorRefusal);
    throw error;
  }
}
