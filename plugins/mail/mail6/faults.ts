/** Faults of Amazon SES, in the form of the called API. */
import { onDemand } from "../../../core/on_demand.ts";
import type { HttpFaults, IngressCall } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { Env, OPTIONS } from "./options.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import { refuse } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const ERRORS = "https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html";
const SEND = "https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html";
const QUOTAS = "https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html";

const answer = (refusal: VendorRefusal) => ({ call, env }: { call: IngressCall; env: Env }) =>
  refuse(refusal, { call, requestId: env.ctx.uuid() });

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState, Store> = {
  phases: {
    capture: "Messages to send: payload is a message, one subject for each entry of a bulk call",
    read: "Templates, identities and the account, over version 2",
  },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "rate_limit",
      about: "429, TooManyRequestsException; Throttling with 400 over version 1",
      source: QUOTAS,
      answer: answer(REFUSALS.rate),
    },
    {
      id: "daily_quota",
      about: "400, LimitExceededException; Throttling over version 1",
      source: QUOTAS,
      answer: answer(REFUSALS.quota),
    },
    {
      id: "not_verified",
      about: "400, MessageRejected: the sender is not verified",
      source: SEND,
      answer: called("refuseSender"),
    },
    {
      id: "paused",
      about: "400, SendingPausedException: sending is disabled for the account",
      source: SEND,
      answer: answer(REFUSALS.paused),
    },
    {
      id: "unauthorized",
      about: "403, UnrecognizedClientException; InvalidClientTokenId over version 1",
      source: ERRORS,
      answer: answer(REFUSALS.wrongKey),
    },
    {
      id: "server_error",
      about: "500, InternalServiceErrorException; InternalFailure over version 1",
      source: ERRORS,
      answer: answer(REFUSALS.internal),
    },
    {
      id: "unavailable",
      about: "503, ServiceUnavailable",
      source: ERRORS,
      answer: answer(REFUSALS.unavailable),
    },
  ],
};
