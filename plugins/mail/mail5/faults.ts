/** Faults of the Mailgun API, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome, type IngressCall } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, refuse, type VendorRefusal, vendorRefusal } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://documentation.mailgun.com/docs/mailgun/api-reference/mg-errors";
const LIMITS = "https://help.mailgun.com/hc/en-us/articles/360021388553";

const refusal = (refusal: VendorRefusal) => () => refuse(refusal);

/**
 * As the description of the status has it:
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages/post-v3--domain-name--messages
 */
function tooFast({ path, params: { domain } }: IngressCall, seconds: number): VendorRefusal {
  if (domain === undefined || !/\/messages(?:\.mime)?$/.test(path)) return REFUSALS.busy;
  return vendorRefusal(
    429,
    `Domain ${domain} is not allowed to send: account-requests-per-sec limit exceeded, ` +
      `try again after ${seconds} seconds`,
  );
}

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState, Store> = {
  phases: {
    capture: "Messages to send: payload is a message, one subject for each recipient of a batch",
    read: "Messages, events and templates to read",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "rate_limit",
      about: "429, with Retry-After",
      source: LIMITS,
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 1, { max: 86_400 }),
      }),
      answer({ call, with: { retry_after } }) {
        const response = refuse(tooFast(call, retry_after));
        response.headers.set("retry-after", String(retry_after));
        return response;
      },
    }),
    {
      id: "unauthorized",
      about: "401, Forbidden in plain text: the API key is wrong",
      source: ERRORS,
      answer: refusal(REFUSALS.forbidden),
    },
    {
      id: "not_activated",
      about: "403: the account or the domain may not send",
      source: ERRORS,
      answer: refusal(
        vendorRefusal(
          403,
          "Please activate your Mailgun account. Check your inbox or log in to your control panel " +
            "to resend the activation email.",
        ),
      ),
    },
    {
      id: "sandbox_recipient",
      about: "403: a sandbox domain sends only to authorized recipients",
      source: ERRORS,
      answer: ({ call }) =>
        refuse(vendorRefusal(
          403,
          `Domain ${call.params.domain ?? ""} is not allowed to send: ` +
            "Free accounts are for test purposes only. Please upgrade or add the address to authorized recipients.",
        )),
    },
    {
      id: "server_error",
      about: "500: an error in one of Mailgun's servers",
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
