/** Faults of Amazon SES, in the form of the called API. */
import type { HttpFaults, IngressCall } from "../../../core/plugin.ts";
import type { MailDraft, MailState } from "../capture.ts";
import { toFaultSubjects } from "../fault_subject.ts";
import { signerOf } from "./account.ts";
import { readMessages } from "./actions.ts";
import type { Env, OPTIONS } from "./options.ts";
import { notVerified, REFUSALS, type VendorRefusal } from "./refusals.ts";
import { isV2, refuse } from "./reply.ts";
import { readBody, readBulk, readEmail } from "./request.ts";
import { toOutgoing } from "./send.ts";
import type { Store } from "./store.ts";

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
  subjects: (call, env) => toFaultSubjects(draftsOf(call, env)),
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
      async answer({ call, env }) {
        const [message] = messagesOf(call);
        const outgoing = message && await toOutgoing(message, { call, env });
        const sender = outgoing?.ok ? outgoing.value.draft.from.email : "";
        const refusal = notVerified([sender], signerOf(call).region);
        return refuse(refusal, { call, requestId: env.ctx.uuid() });
      },
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

function messagesOf(call: IngressCall): ReturnType<typeof readMessages> {
  if (!isV2(call)) return readMessages(call);
  if (call.path.endsWith("/outbound-bulk-emails")) {
    const messages = readBody(call, readBulk);
    return messages.ok ? messages.value : [];
  }
  const message = call.path.endsWith("/outbound-emails") ? readBody(call, readEmail) : undefined;
  return message?.ok ? [message.value] : [];
}

async function* draftsOf(call: IngressCall, env: Env): AsyncIterable<MailDraft> {
  for (const message of messagesOf(call)) {
    const outgoing = await toOutgoing(message, { call, env });
    if (outgoing.ok) yield outgoing.value.draft;
  }
}
