/** Faults of Vonage, in the terms of the API that is called. */
import { onDemand } from "../../../core/on_demand.ts";
import type { HttpFaults, IngressCall } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, type VendorRefusal } from "./reply.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://developer.vonage.com/en/api-errors/sms";

const answer =
  (refusal: VendorRefusal) => ({ call, env }: { readonly call: IngressCall; readonly env: Env }) =>
    refuse(refusal, { call, requestId: env.ctx.uuid() });

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, SmsState> = {
  phases: { capture: "A message to send: payload is the message" },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "rate_limit",
      about: "200 with status 1; 429 over the Messages API",
      source: ERRORS,
      answer: answer(REFUSALS.rate),
    },
    {
      id: "unauthorized",
      about: "200 with status 4; 401 over the Messages API",
      source: ERRORS,
      answer: answer(REFUSALS.credentials),
    },
    {
      id: "barred",
      about: "200 with status 7: the number is barred; 422 over the Messages API",
      source: ERRORS,
      answer: answer(REFUSALS.barred),
    },
    {
      id: "no_credit",
      about: "200 with status 9: no credit is left; 402 over the Messages API",
      source: ERRORS,
      answer: answer(REFUSALS.noCredit),
    },
    {
      id: "server_error",
      about: "200 with status 5; 500 over the Messages API",
      source: ERRORS,
      answer: answer(REFUSALS.internal),
    },
  ],
};
