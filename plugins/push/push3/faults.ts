/** Faults of web push services, in their terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import {
  type FaultyCall,
  type HttpFaults,
  type HttpOutcome,
  httpOutcome,
} from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, unauthorized, type VendorRefusal } from "./refusals.ts";
import { refuse } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://mozilla-services.github.io/autopush-rs/errors.html";
/** https://github.com/mozilla-services/autopush-rs: the pause that its responses request. */
const RETRY_SECONDS = 120;

type Call = Pick<FaultyCall<typeof OPTIONS, PushState, Store>, "call" | "env">;

function outcome(
  given: { readonly id: string; readonly about: string },
  words: VendorRefusal,
): HttpOutcome<typeof OPTIONS, PushState, Store> {
  return {
    source: ERRORS,
    ...given,
    answer: ({ call, env }: Call) => refuse(words, { call, env }),
  };
}

function later(
  given: { readonly id: string; readonly about: string },
  words: VendorRefusal,
): HttpOutcome<typeof OPTIONS, PushState, Store> {
  return httpOutcome({
    source: ERRORS,
    ...given,
    params: defineOptions({
      retry_after: integer("Seconds until a push is accepted again", RETRY_SECONDS, {
        max: 86_400,
      }),
    }),
    answer({ call, env, with: { retry_after } }) {
      const response = refuse(words, { call, env });
      response.headers.set("retry-after", String(retry_after));
      return response;
    },
  });
}

/** Outcomes of a push. */
export const FAULTS: HttpFaults<typeof OPTIONS, PushState, Store> = {
  phases: { capture: "A push to a subscription: payload is the push" },
  subjects: called("subjectsOf"),
  outcomes: [
    outcome({ id: "gone", about: "410: the subscription has expired" }, REFUSALS.gone),
    outcome(
      { id: "not_found", about: "404: the endpoint is unknown" },
      REFUSALS.unknownEndpoint,
    ),
    outcome(
      { id: "unauthorized", about: "401 (Chrome: 403): the VAPID key is not the subscription's" },
      unauthorized("VAPID public key mismatch"),
    ),
    outcome({ id: "too_large", about: "413: the payload is too large" }, REFUSALS.tooLarge),
    later({ id: "rate_limit", about: "429 with Retry-After: too many pushes" }, {
      status: 429,
      errno: 201,
      message: "Too many requests",
    }),
    later({ id: "unavailable", about: "503 with Retry-After: temporarily unavailable" }, {
      status: 503,
      errno: 201,
      message: "Service unavailable",
    }),
    outcome({ id: "server_error", about: "500: an internal error" }, {
      status: 500,
      errno: 999,
      message: "Unknown error",
    }),
  ],
};
