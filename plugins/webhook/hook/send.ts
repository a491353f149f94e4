/** Takes any request. */
import { pause } from "../../../core/faults/pause.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureRequest } from "../capture.ts";
import type { Env } from "./options.ts";
import { answer, refuse } from "./reply.ts";
import { readRequest } from "./request.ts";

/** Answers a request. */
export async function take(call: IngressCall, env: Env): Promise<Response> {
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
