/** Faults of a generic HTTP service. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer, text } from "../../../core/options/spec.ts";
import { type HttpFaults, httpOutcome } from "../../../core/plugin.ts";
import type { WebhookState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { refuse } from "./reply.ts";

const called = onDemand(() => import("./subjects.ts"));

const HTTP = "https://www.rfc-editor.org/rfc/rfc9110#section-15";

/** Outcomes of a request. */
export const FAULTS: HttpFaults<typeof OPTIONS, WebhookState> = {
  phases: { capture: "A request: payload is the request" },
  subjects: called("subjectsOf"),
  outcomes: [
    httpOutcome({
      id: "status",
      about: "Any status, with text of your own",
      source: HTTP,
      params: defineOptions({
        status: integer("Status", 500, { min: 400, max: 599 }),
        body: text("Message of the error", "Simulated failure"),
        retry_after: integer("Seconds for Retry-After; 0 leaves it out", 0, { max: 86_400 }),
      }),
      answer({ env, with: { status, body, retry_after } }) {
        const response = refuse({ status, message: body }, env);
        if (retry_after > 0) response.headers.set("retry-after", String(retry_after));
        return response;
      },
    }),
  ],
};
