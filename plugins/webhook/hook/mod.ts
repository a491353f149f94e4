/** hook: a catch-all for any HTTP request. */
import { pause } from "../../../core/faults/pause.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import { captureRequest, type WebhookState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { answer, refuse, toVendorRefusal } from "./reply.ts";
import { readRequest } from "./request.ts";
import { snippets } from "./snippets.ts";

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
      handle: take,
    },
    {
      method: "ANY",
      path: "/hook/{name}/{rest...}",
      about: "Capture a request with a longer path, and answer it as scripted for the name",
      handle: take,
    },
  ],
  open({ values, state }) {
    state.answers.fix(values.answers);
  },
  refuse: (_call, refusal, env) => refuse(toVendorRefusal(refusal), env),
  snippets,
  faults: FAULTS,
});

async function take(call: IngressCall, env: Env): Promise<Response> {
  const { request, warnings } = readRequest(call);
  if (request.name === "") {
    const message =
      "Cannot accept a request to /hook/: expected a name after it, as in /hook/orders";
    return refuse({ status: 404, message }, env);
  }
  const scripted = env.state.answers.take(request.name, request.method);
  captureRequest(env, { ...request, status: scripted.status }, {
    raw: call.raw,
    meta: {
      ...presentedCredentials(call.headers),
      ...(warnings.length > 0 && { parse_warnings: warnings }),
    },
  });
  // The delay affects only the sender, not readers of the event.
  if (scripted.delay_ms > 0) await pause(scripted.delay_ms, env.ctx.signal);
  return answer(scripted);
}
