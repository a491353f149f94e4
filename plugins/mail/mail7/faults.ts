/** Faults of the Brevo API, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, refuse, type VendorRefusal } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://developers.brevo.com/docs/how-it-works#error-codes";
const LIMITS = "https://developers.brevo.com/docs/api-limits";

const refusal = (refusal: VendorRefusal) => () => refuse(refusal);

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState, Store> = {
  phases: {
    capture: "Messages to send: payload is a message, one subject for each of messageVersions",
    read: "Emails, events, templates and the account",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "rate_limit",
      about: "429, too_many_requests, with x-sib-ratelimit-reset",
      source: LIMITS,
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 1, { max: 86_400 }),
      }),
      answer({ with: { retry_after } }) {
        const response = refuse(REFUSALS.busy);
        response.headers.set("x-sib-ratelimit-limit", "1000");
        response.headers.set("x-sib-ratelimit-remaining", "0");
        response.headers.set("x-sib-ratelimit-reset", String(retry_after));
        return response;
      },
    }),
    {
      id: "not_enough_credits",
      about: "402, not_enough_credits",
      source: ERRORS,
      answer: refusal(REFUSALS.noCredits),
    },
    {
      id: "unauthorized",
      about: "401, unauthorized: the key is unknown",
      source: ERRORS,
      answer: refusal(REFUSALS.wrongKey),
    },
    {
      id: "forbidden",
      about: "403, permission_denied: the account may not send yet",
      source: ERRORS,
      answer: refusal(REFUSALS.permission),
    },
    {
      id: "server_error",
      about: "500: an error in one of Brevo's servers",
      source: ERRORS,
      answer: refusal(REFUSALS.internal),
    },
    {
      id: "unavailable",
      about: "503: the API is not available",
      source: ERRORS,
      answer: refusal(REFUSALS.unavailable),
    },
  ],
};
