/** Faults of webhooks of Microsoft Teams, in its words. */
import type { HttpFaults } from "../../../core/plugin.ts";
import { type ChatState, toMessage } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { identify } from "./reply.ts";
import { readPost } from "./request.ts";

const CONNECTORS = "https://learn.microsoft.com/en-us/microsoftteams/platform/" +
  "webhooks-and-connectors/how-to/connectors-using#rate-limiting-for-connectors";
const FAILED = "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP";
const CONTEXT = "with ContextId tcid=0,server=standin,cv=0";

function plain(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** Outcomes of a post. */
export const FAULTS: HttpFaults<typeof OPTIONS, ChatState> = {
  phases: { capture: "A post: payload is the message" },
  subjects({ body, headers, path }) {
    const read = readPost(body, headers.get("content-type"));
    if (!read.ok) return [];
    const { author, text, contents } = read.value;
    const channel = { id: path };
    return [{ payload: toMessage({ channel, author: { ...author, bot: true }, text, contents }) }];
  },
  outcomes: [
    {
      id: "rate_limit",
      about: "200, and the body says that Teams answered 429",
      source: CONNECTORS,
      answer: ({ env }) => identify(plain(200, `${FAILED} error 429 ${CONTEXT}`), env),
    },
    {
      id: "server_error",
      about: "500",
      source: CONNECTORS,
      answer: ({ env }) => identify(plain(500, `${FAILED} error 500 ${CONTEXT}`), env),
    },
  ],
};
