/** Faults of Amazon SNS, in its terms. */
import type { HttpFaults, IngressCall } from "../../../core/plugin.ts";
import { type SmsState, toMessage } from "../capture.ts";
import type { Env, OPTIONS } from "./options.ts";
import { optedOut } from "./refusals.ts";
import { REFUSALS, refuse, type VendorRefusal } from "./reply.ts";
import { type Publication, readAction, readBatch, readPublish } from "./request.ts";

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
  subjects: (call) =>
    publicationsOf(call).map(({ draft }) => ({
      payload: toMessage(draft, []),
      summary_parts: { to: [draft.to] },
    })),
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
      answer: ({ call, env }: Call) =>
        refuse(optedOut(publicationsOf(call)[0]?.draft.to ?? ""), env.ctx.uuid()),
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

function publicationsOf({ body }: IngressCall): readonly Publication[] {
  const asked = readAction(body);
  if (!asked.ok) return [];
  const { action, form } = asked.value;
  if (action === "Publish") {
    const read = readPublish(form);
    return read.ok ? [read.value] : [];
  }
  const entries = action === "PublishBatch" ? readBatch(form) : undefined;
  if (!entries?.ok) return [];
  return entries.value.flatMap(({ publication }) => publication.ok ? [publication.value] : []);
}
