/** hook: a catch-all for any HTTP request. */
import { onDemand } from "../../../core/on_demand.ts";
import { ingressProvider } from "../../../core/plugin.ts";
import type { WebhookState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** The only provider of webhooks. */
export const hook = ingressProvider<WebhookState, typeof OPTIONS>({
  id: "hook",
  title: "Any HTTP request",
  shortTitle: "Any HTTP",
  about: "Accepts any method and any body under /hook/{name}, with a scripted response",
  options: OPTIONS,
  routes: [
    {
      method: "ANY",
      path: "/hook/{name}",
      about: "Capture a request, and answer it as scripted for the name",
      handle: handler("take"),
    },
    {
      method: "ANY",
      path: "/hook/{name}/{rest...}",
      about: "Capture a request with a longer path, and answer it as scripted for the name",
      handle: handler("take"),
    },
  ],
  open({ values, state }) {
    state.answers.fix(values.answers);
  },
  refuse: (_call, refusal, env) => refuse(toVendorRefusal(refusal), env),
  snippets,
  faults: FAULTS,
});
