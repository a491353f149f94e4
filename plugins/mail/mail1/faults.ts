/** Faults of the Send API v3.1 of Mailjet, in its terms. */
import { textResponse } from "../../../core/http/reply.ts";
import { onDemand } from "../../../core/on_demand.ts";
import type { Fault, FaultyCall, HttpFaults } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import { refuseAt } from "./reply.ts";
import type { Entry } from "./request.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://dev.mailjet.com/email/reference/overview/errors/";
const SEND_ERRORS = "https://dev.mailjet.com/email/guides/send-api-v31/#send-api-errors";

const ITEM_ERROR = "item_error";

/** The load balancer's page. */
const NO_SERVER = "<html><body><h1>503 Service Unavailable</h1>\n" +
  "No server is available to handle this request.\n</body></html>\n\n";

type Call = Pick<FaultyCall<typeof OPTIONS, MailState, Store>, "call" | "env">;

const answer = (refusal: VendorRefusal) => ({ call, env: { ctx } }: Call) =>
  refuseAt(call.path, refusal, { newId: ctx.uuid });

/** A response that is not JSON. */
const html = (status: number, body: string) => () =>
  textResponse(body, { status, headers: { "content-type": "text/html" } });

/** Outcomes of `POST /v3.1/send` and `POST /v3/send`, and of fetching a message. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState, Store> = {
  phases: {
    capture: "Messages to send: payload is a message, one subject for each entry",
    read: "A message to fetch",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "rate_limit",
      about: "429 with plain text instead of JSON",
      source: ERRORS,
      answer: html(429, "Rate limit exceeded"),
    },
    {
      id: "unauthorized",
      about: "401, mj-0015: the keys are wrong or have expired",
      source: SEND_ERRORS,
      answer: answer(REFUSALS.unauthorized),
    },
    {
      id: "forbidden",
      about: "403: the keys give no access to the resource",
      source: ERRORS,
      answer: answer({
        status: 403,
        message: "You are not authorized to access this resource.",
        relatedTo: [],
      }),
    },
    {
      id: "server_error",
      about: "500 with an error identifier",
      source: "https://github.com/mailjet/mailjet-apiv3-nodejs/issues/37",
      answer: answer({
        status: 500,
        message:
          "Ouch! Something went wrong on our side and we apologize! Please contact our support team who’ll be able to help you on this",
        relatedTo: [],
      }),
    },
    {
      id: "unavailable",
      about: "503 with a page of HTML instead of JSON",
      source: "https://github.com/ThetaTau/CMT/issues/870",
      answer: html(503, NO_SERVER),
    },
    {
      id: ITEM_ERROR,
      about: "200, and one message failed: send-0008; the others are captured",
      // As quoted by a maintainer of the vendor's clients; the vendor's page has only the code.
      source: "https://gist.github.com/arnaudbreton/f09ac2dcb1316790a5336756556e5f72",
      phases: ["capture"],
      captures: true,
      answer: ({ handle }) => handle(),
    },
  ],
};

/** Returns the entry that a fault refuses, and the refusal; `undefined` for other faults. */
export function failingEntry(
  fault: Fault | undefined,
  entries: readonly Entry[],
): { readonly entry: Entry; readonly refusal: VendorRefusal } | undefined {
  if (fault?.outcome !== ITEM_ERROR) return undefined;
  const read = entries.filter((entry) => entry.ok);
  const entry = read[fault.at ?? 0];
  return entry && { entry, refusal: senderRefused(entry.value.draft.from.email) };
}

function senderRefused(email: string): VendorRefusal {
  return {
    status: 403,
    code: "send-0008",
    message: `"${email}" is not an authorized sender email address for your account.`,
    relatedTo: ["From"],
  };
}
