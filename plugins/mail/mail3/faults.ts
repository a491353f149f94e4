/** Faults of the Resend email API, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, refuse, type VendorRefusal, vendorRefusal } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://resend.com/docs/api-reference/errors";
const LIMITS = "https://resend.com/docs/api-reference/rate-limit";
const SDK_ERRORS = "https://github.com/resend/resend-rust/blob/main/src/error.rs";

const answer = (refusal: VendorRefusal) => () => refuse(refusal);

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState, Store> = {
  phases: {
    capture: "Emails to send: payload is an email, one subject for each entry of a batch",
    read: "Emails that are listed or fetched",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "rate_limit",
      about: "429, rate_limit_exceeded, with retry-after",
      source: LIMITS,
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 1, { max: 86_400 }),
      }),
      answer({ with: { retry_after } }) {
        const response = refuse(REFUSALS.busy);
        response.headers.set("ratelimit-limit", "5");
        response.headers.set("ratelimit-remaining", "0");
        response.headers.set("ratelimit-reset", String(retry_after));
        response.headers.set("retry-after", String(retry_after));
        return response;
      },
    }),
    {
      id: "daily_quota",
      about: "429, daily_quota_exceeded",
      source: SDK_ERRORS,
      answer: answer(
        vendorRefusal(
          429,
          "daily_quota_exceeded",
          "You have reached your daily email sending quota.",
        ),
      ),
    },
    {
      id: "monthly_quota",
      about: "429, monthly_quota_exceeded",
      source: SDK_ERRORS,
      answer: answer(
        vendorRefusal(
          429,
          "monthly_quota_exceeded",
          "You have reached your monthly email sending quota.",
        ),
      ),
    },
    {
      id: "unauthorized",
      about: "401, missing_api_key",
      source: ERRORS,
      answer: answer(REFUSALS.missingKey),
    },
    {
      id: "forbidden",
      about: "403, invalid_api_key",
      source: ERRORS,
      answer: answer(vendorRefusal(403, "invalid_api_key", "API key is invalid.")),
    },
    {
      id: "server_error",
      about: "500, application_error",
      source: ERRORS,
      answer: answer(REFUSALS.internal),
    },
    {
      id: "unavailable",
      about: "503, application_error",
      // The page has no 503, so this is the error of its 500.
      source: ERRORS,
      answer: answer(REFUSALS.unavailable),
    },
  ],
};
