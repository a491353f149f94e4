/** Faults of SendGrid v3 Mail Send, in its terms. */
import { vendorJson } from "../../../core/http/reply.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, refuse } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const DOCS = "https://www.twilio.com/docs/sendgrid";
const RATE_LIMITS = `${DOCS}/api-reference/how-to-use-the-sendgrid-v3-api/rate-limits`;
const RESPONSES = `${DOCS}/api-reference/how-to-use-the-sendgrid-v3-api/responses`;
const SUPPORT =
  "https://support.sendgrid.com/hc/en-us/articles/18322114821403-4XX-API-Errors-and-Troubleshooting-Suggestions";

/** Returns an error of the API as a whole, which has no `help`. */
function general(status: number, message: string, headers: HeadersInit = {}): Response {
  return vendorJson({ errors: [{ field: null, message }] }, { status, headers });
}

/** Outcomes of `POST /v3/mail/send`. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState, Store> = {
  phases: {
    capture: "A message to send: payload is the message, one subject for each personalization",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "rate_limit",
      about: "429 with X-RateLimit-Reset: the time at which the limit is lifted",
      source: RATE_LIMITS,
      params: defineOptions({
        retry_after: integer("Seconds until the limit is lifted", 1, { max: 86_400 }),
      }),
      answer({ with: { retry_after }, env: { ctx } }) {
        const reset = Math.ceil(ctx.now().getTime() / 1000) + retry_after;
        return general(429, "too many requests", {
          "X-RateLimit-Limit": "600",
          "X-RateLimit-Remaining": "0",
          "X-RateLimit-Reset": String(reset),
        });
      },
    }),
    {
      id: "unauthorized",
      about: "401: the API key is invalid, or was revoked",
      source: SUPPORT,
      answer: () => refuse(REFUSALS.unauthorized),
    },
    {
      id: "forbidden",
      about: "403: the API key may not send mail",
      source: "https://github.com/sendgrid/sendgrid-php/issues/263",
      answer: () => general(403, "access forbidden"),
    },
    {
      id: "server_error",
      about: "500: an error in one of SendGrid's servers",
      source: "https://github.com/sendgrid/sendgrid-csharp/issues/655",
      answer: () => general(500, "internal server exception"),
    },
    {
      id: "unavailable",
      about: "503: the Web API is not available",
      // No real response is published: this is the page's description of the status, in the form of
      // its errors.
      source: RESPONSES,
      answer: () => general(503, "The SendGrid v3 Web API is not available."),
    },
  ],
};
