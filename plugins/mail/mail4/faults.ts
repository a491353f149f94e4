/** Faults of the Postmark API, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, type VendorRefusal, vendorRefusal } from "./refusals.ts";
import { refuse } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://postmarkapp.com/developer/api/overview#error-codes";
const STATUSES = "https://postmarkapp.com/developer/api/overview#response-codes";

const refusal = (refusal: VendorRefusal) => () => refuse(refusal);

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState, Store> = {
  phases: {
    capture: "Messages to send: payload is a message, one subject for each entry of a batch",
    read: "Messages, templates and settings to read",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "inactive_recipient",
      about: "422, 406: every recipient bounced before; in a batch, 200 with that in each entry",
      source: ERRORS,
      answer: called("refuseInactive"),
    },
    {
      id: "sender_unknown",
      about: "422, 400: the sender is not a Sender Signature of the account",
      source: ERRORS,
      answer: refusal(
        vendorRefusal(
          400,
          "The 'From' address you supplied is not a Sender Signature on your account. " +
            "Please add and confirm this address in order to be able to use it in the 'From' field " +
            "of your messages.",
        ),
      ),
    },
    {
      id: "not_allowed",
      about: "422, 405: the account may not send, for example without credits",
      source: ERRORS,
      answer: refusal(vendorRefusal(405, "Not allowed to send: you have run out of credits.")),
    },
    {
      id: "unauthorized",
      about: "401, 10: the server token is wrong",
      source: ERRORS,
      answer: refusal(REFUSALS.wrongToken),
    },
    httpOutcome({
      id: "rate_limit",
      about: "429, with Retry-After",
      source: STATUSES,
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 1, { max: 86_400 }),
      }),
      answer({ with: { retry_after } }) {
        const response = refuse(REFUSALS.rateLimit);
        response.headers.set("retry-after", String(retry_after));
        return response;
      },
    }),
    {
      id: "server_error",
      about: "500: an error in one of Postmark's servers",
      source: STATUSES,
      answer: refusal(REFUSALS.internal),
    },
    {
      id: "unavailable",
      about: "503, 100: maintenance",
      source: ERRORS,
      answer: refusal(REFUSALS.maintenance),
    },
  ],
};
