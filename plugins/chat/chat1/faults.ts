/** Faults of Slack, in the form of the called API: a webhook or the Web API. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import {
  type FaultyCall,
  type HttpFaults,
  type HttpOutcome,
  httpOutcome,
} from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { refuse, refuseWebhook, refuseWithStatus } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const WEBHOOKS = "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks";
const WEBHOOK_STATUSES =
  "https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks";

/** Returns both forms: an error of the Web API, which answers 200, and of webhooks, with its status. */
function outcome(
  given: { id: string; about: string; source: string },
  words: { api: string; apiStatus?: number; webhook: string; status: number },
): HttpOutcome<typeof OPTIONS, ChatState, Store> {
  return {
    ...given,
    answer({ call, env }: Pick<FaultyCall<typeof OPTIONS, ChatState, Store>, "call" | "env">) {
      if (!call.path.startsWith("/api/")) {
        return refuseWebhook({ error: words.webhook, status: words.status });
      }
      return words.apiStatus === undefined
        ? refuse({ error: words.api }, env)
        : refuseWithStatus({ error: words.api, status: words.apiStatus });
    },
  };
}

/** Outcomes of webhooks and the Web API. */
export const FAULTS: HttpFaults<typeof OPTIONS, ChatState, Store> = {
  phases: {
    capture: "A post, with the message as payload, or another call of the Web API",
    read: "A call of the Web API with GET",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "rate_limit",
      about: "429 with Retry-After",
      source: "https://docs.slack.dev/apis/web-api/rate-limits",
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 1, { max: 86_400 }),
      }),
      answer({ call, with: { retry_after } }) {
        const isApi = call.path.startsWith("/api/");
        const response = isApi
          ? refuseWithStatus({ error: "ratelimited", status: 429 })
          : refuseWebhook({ error: "rate_limited", status: 429 });
        response.headers.set("retry-after", String(retry_after));
        return response;
      },
    }),
    outcome({
      id: "channel_archived",
      about: "is_archived; from a webhook 410, channel_is_archived",
      source: WEBHOOK_STATUSES,
    }, { api: "is_archived", webhook: "channel_is_archived", status: 410 }),
    outcome({
      id: "no_service",
      about: "The webhook was removed: 404, no_service; from the Web API account_inactive",
      // The page documents the word; its status 404 is only known from reported responses.
      source: WEBHOOKS,
    }, { api: "account_inactive", webhook: "no_service", status: 404 }),
    outcome({
      id: "invalid_token",
      about: "invalid_auth; from a webhook 403, invalid_token",
      source: "https://github.com/cloudfoundry-community/slack-notification-resource/issues/96",
    }, { api: "invalid_auth", webhook: "invalid_token", status: 403 }),
    outcome({
      id: "server_error",
      about:
        "internal_error with 200, as is usual in the Web API; from a webhook 500, rollup_error",
      source: WEBHOOK_STATUSES,
    }, { api: "internal_error", webhook: "rollup_error", status: 500 }),
  ],
};
