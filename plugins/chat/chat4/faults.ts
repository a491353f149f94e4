/** Faults of the Bot API, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS } from "./refusals.ts";
import { refuse } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://core.telegram.org/bots/api#making-requests";

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, ChatState, Store> = {
  phases: {
    capture: "A call with POST; payload is the message that it would send",
    read: "A call with GET",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "rate_limit",
      about: "429 with retry_after in its parameters",
      source: "https://core.telegram.org/bots/api#responseparameters",
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 1, { max: 86_400 }),
      }),
      answer({ with: { retry_after: retryAfter } }) {
        const description = `Too Many Requests: retry after ${retryAfter}`;
        return refuse({ status: 429, description, retryAfter });
      },
    }),
    {
      id: "unauthorized",
      about: "401: the bot's token was revoked",
      source: ERRORS,
      answer: () => refuse(REFUSALS.wrongToken),
    },
    {
      id: "blocked",
      about: "403: the user has blocked the bot",
      source: "https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/Client.cpp",
      answer: () => refuse({ status: 403, description: "Forbidden: bot was blocked by the user" }),
    },
    {
      id: "chat_not_found",
      about: "400: the bot does not know the chat",
      source: "https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/Client.cpp",
      answer: () => refuse({ status: 400, description: "Bad Request: chat not found" }),
    },
    {
      id: "server_error",
      about: "500 in the vendor's format",
      source: ERRORS,
      answer: () => refuse({ status: 500, description: "Internal Server Error" }),
    },
  ],
};
