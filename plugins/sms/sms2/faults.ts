/** Faults of Amazon SNS, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import type { HttpFaults, IngressCall } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, type VendorRefusal } from "./reply.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://docs.aws.amazon.com/sns/latest/api/API_Publish.html#API_Publish_Errors";
const COMMON = "https://docs.aws.amazon.com/sns/latest/api/CommonErrors.html";

interface Call {
  readonly call: IngressCall;
  readonly env: Env;
}

const answer = (refusal: VendorRefusal) => ({ env }: Call) => refuse(refusal, env.ctx.uuid());

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, SmsState> = {
  phases: {
    capture: "Messages to publish: payload is a message, one subject for each entry of a batch",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "rate_limit",
      about: "400, Throttling: too many requests",
      source: COMMON,
      answer: answer(REFUSALS.throttled),
    },
    {
      id: "unauthorized",
      about: "403, InvalidClientTokenId: the access key is unknown",
      source: COMMON,
      answer: answer(REFUSALS.wrongKey),
    },
    {
      id: "denied",
      about: "403, AuthorizationError: the user may not publish",
      source: ERRORS,
      answer: answer(REFUSALS.denied),
    },
    {
      id: "no_topic",
      about: "404, NotFound: the topic does not exist",
      source: ERRORS,
      answer: answer(REFUSALS.noTopic),
    },
    {
      id: "opted_out",
      about: "403, OptedOut: the number has opted out of messages",
      source: "https://docs.aws.amazon.com/sns/latest/api/API_VerifySMSSandboxPhoneNumber.html",
      answer: called("refuseOptedOut"),
    },
    {
      id: "server_error",
      about: "500, InternalError",
      source: ERRORS,
      answer: answer(REFUSALS.internal),
    },
    {
      id: "unavailable",
      about: "503, ServiceUnavailable",
      source: COMMON,
      answer: answer(REFUSALS.unavailable),
    },
  ],
};
