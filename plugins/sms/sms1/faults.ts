/** Faults of Programmable Messaging of Twilio, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type FaultyCall, type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { identify, REFUSALS, refuse, UNDELIVERED, type VendorRefusal } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://www.twilio.com/docs/api/errors";

type Call = Pick<FaultyCall<typeof OPTIONS, SmsState, Store>, "call" | "env">;

const answer = (refusal: VendorRefusal) => ({ env }: Pick<Call, "env">) =>
  identify(refuse(refusal), env);

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, SmsState, Store> = {
  phases: {
    capture: "A message to send or change: payload is the message",
    read: "Messages to list or fetch",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "rate_limit",
      about: "429, 20429: too many requests at the same time",
      // As another API of the vendor answers: https://github.com/twilio-labs/serverless-api/issues/37
      source: `${ERRORS}/20429`,
      answer: answer({ status: 429, code: 20429, message: "Too many requests" }),
    },
    {
      id: "unauthorized",
      about: "401, 20003: the account SID or the token is wrong",
      source: `${ERRORS}/20003`,
      answer: answer(REFUSALS.wrongToken),
    },
    {
      id: "unsubscribed",
      about: "400, 21610: the recipient has replied STOP",
      source: `${ERRORS}/21610`,
      phases: ["capture"],
      answer: answer({
        status: 400,
        code: 21610,
        message: "Attempt to send to unsubscribed recipient",
      }),
    },
    {
      id: "not_mobile",
      about: "400, 21614: the recipient cannot receive text messages",
      source: "https://github.com/justarrived/just_match_api/issues/1359",
      phases: ["capture"],
      answer: called("refuseNotMobile"),
    },
    {
      id: "server_error",
      about: "500, 20500: an internal error",
      source: "https://github.com/aloha/laravel-twilio/issues/162",
      answer: answer({
        status: 500,
        code: 20500,
        message: "An internal server error has occurred",
      }),
    },
    httpOutcome({
      id: "undelivered",
      about: "Accepted and captured; a later read shows it as undelivered, with the error code",
      source: "https://www.twilio.com/docs/messaging/api/message-resource#message-status-values",
      phases: ["capture"],
      captures: true,
      params: defineOptions({
        error_code: integer("Error code from the vendor's list", 30003, {
          min: 10_000,
          max: 99_999,
        }),
      }),
      answer: ({ handle, with: { error_code } }) => handle({ [UNDELIVERED]: error_code }),
    }),
  ],
};
