/** Faults of Discord's webhooks, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS } from "./refusals.ts";
import { limited, pace, refuse } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const CODES = "https://docs.discord.com/developers/topics/opcodes-and-status-codes";

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, ChatState, Store> = {
  phases: {
    capture: "A message to send, edit or delete; payload is the message to send",
    read: "A message or webhook to get",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "rate_limit",
      about: "429 with Retry-After and retry_after",
      source: "https://docs.discord.com/developers/topics/rate-limits",
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 1, { max: 86_400 }),
      }),
      answer: ({ env, with: { retry_after } }) => pace(limited(retry_after), env),
    }),
    {
      id: "unauthorized",
      about: "401, 50027: the token of the webhook is wrong",
      source: CODES,
      answer: ({ env }) => pace(refuse(REFUSALS.wrongToken), env),
    },
    {
      id: "unknown_webhook",
      about: "404, 10015: the webhook was deleted",
      source: CODES,
      answer: ({ env }) => pace(refuse(REFUSALS.unknownWebhook), env),
    },
    {
      id: "server_error",
      about: "500 without a vendor code",
      source: CODES,
      answer: ({ env }) =>
        pace(refuse({ status: 500, code: 0, message: "500: Internal Server Error" }), env),
    },
  ],
};
