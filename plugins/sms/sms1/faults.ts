/** Faults of Programmable Messaging of Twilio, in its words. */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm } from "../../../core/codec/form.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type FaultyCall, type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import { type SmsState, toMessage } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { identify, REFUSALS, refuse, UNDELIVERED, type VendorRefusal } from "./reply.ts";
import { readCreate } from "./request.ts";
import type { Store } from "./store.ts";

const ERRORS = "https://www.twilio.com/docs/api/errors";

type Call = Pick<FaultyCall<typeof OPTIONS, SmsState, Store>, "env">;

const answer = (refusal: VendorRefusal) => ({ env }: Call) => identify(refuse(refusal), env);

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, SmsState, Store> = {
  phases: {
    capture: "A message to send, or to change: payload is the message",
    read: "Messages to list or to fetch",
  },
  subjects({ body, path }) {
    if (!/\/Messages(\.json)?$/.test(path)) return [];
    try {
      const request = readCreate(decodeForm(body));
      if (!request.ok) return [];
      const { draft } = request.value;
      return [{ payload: toMessage(draft, []), summary_parts: { to: [draft.to] } }];
    } catch (error) {
      if (error instanceof WireError) return [];
      throw error;
    }
  },
  outcomes: [
    {
      id: "rate_limit",
      about: "429, 20429: too many requests at a time",
      source: `${ERRORS}/20429`,
      answer: answer({ status: 429, code: 20429, message: "Too Many Requests" }),
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
      about: "400, 21614: the recipient cannot take text messages",
      source: `${ERRORS}/21614`,
      phases: ["capture"],
      answer: answer({
        status: 400,
        code: 21614,
        message: "'To' number is not a valid mobile number",
      }),
    },
    {
      id: "server_error",
      about: "500, 20500: an internal error",
      source: `${ERRORS}/20500`,
      answer: answer({ status: 500, code: 20500, message: "Internal Server Error" }),
    },
    httpOutcome({
      id: "undelivered",
      about: "Accepted and captured; later read as undelivered, with this error code",
      source: "https://www.twilio.com/docs/messaging/api/message-resource#message-status-values",
      phases: ["capture"],
      captures: true,
      params: defineOptions({
        error_code: integer("Why: a code of the vendor's list", 30003, {
          min: 10_000,
          max: 99_999,
        }),
      }),
      answer: ({ handle, with: { error_code } }) => handle({ [UNDELIVERED]: error_code }),
    }),
  ],
};
