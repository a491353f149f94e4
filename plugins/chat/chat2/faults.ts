/** Faults of Microsoft Teams webhooks, in its words. */
import type { HttpFaults, HttpOutcome } from "../../../core/plugin.ts";
import { type ChatState, toMessage } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { identify, refuse } from "./reply.ts";
import { readPost } from "./request.ts";

const CONNECTORS = "https://learn.microsoft.com/en-us/microsoftteams/platform/" +
  "webhooks-and-connectors/how-to/connectors-using#rate-limiting-for-connectors";

/** Connectors answer 200 and give the status in the text (https://github.com/MicrosoftDocs/msteams-docs/issues/7425). */
function failed(status: number): HttpOutcome<typeof OPTIONS, ChatState>["answer"] {
  const message =
    `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} ` +
    "with ContextId tcid=0,server=standin,cv=standin.0..";
  return ({ env }) => identify(refuse({ status: 200, message }), env);
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
      about: "200 with a body that says that Teams answered 429",
      source: CONNECTORS,
      answer: failed(429),
    },
    {
      id: "server_error",
      about: "200 with a body that says that Teams answered 500",
      source: "https://github.com/rveachkc/pymsteams/issues/146",
      answer: failed(500),
    },
  ],
};
