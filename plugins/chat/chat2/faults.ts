/** Faults of Microsoft Teams webhooks, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import type { HttpFaults, HttpOutcome } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { identify, refuse } from "./reply.ts";

const called = onDemand(() => import("./subjects.ts"));

const CONNECTORS = "https://learn.microsoft.com/en-us/microsoftteams/platform/" +
  "webhooks-and-connectors/how-to/connectors-using#rate-limiting-for-connectors";

/**
 * Connectors answer 200 with the status in the text (https://github.com/MicrosoftDocs/msteams-docs/issues/7425), workflows
 * with the status itself.
 */
function failed(status: number, code: string): HttpOutcome<typeof OPTIONS, ChatState>["answer"] {
  const message =
    `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} ` +
    "with ContextId tcid=0,server=standin,cv=standin.0..";
  return ({ env, call }) => {
    const refusal = call.path.startsWith("/webhookb2/")
      ? { status: 200, message }
      : { status, code, message: "The request could not be served." };
    return identify(refuse(refusal), env);
  };
}

/** Outcomes of a post. */
export const FAULTS: HttpFaults<typeof OPTIONS, ChatState> = {
  phases: { capture: "A post: payload is the message" },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "rate_limit",
      about: "200 with a body that reports status 429; for a workflow, status 429",
      source: CONNECTORS,
      answer: failed(429, "WorkflowTriggerIsThrottled"),
    },
    {
      id: "server_error",
      about: "200 with a body that reports status 500; for a workflow, status 500",
      source: "https://github.com/rveachkc/pymsteams/issues/146",
      answer: failed(500, "InternalServerError"),
    },
  ],
};
