/** Faults of the Send API v3.1 of Mailjet, in its words. */
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { toResponse } from "../../../core/http/answer.ts";
import type { FaultyCall, HttpFaults } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { toFaultSubject } from "../fault_subject.ts";
import type { OPTIONS } from "./options.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import { refuse, refusedEntry } from "./reply.ts";
import { readSend } from "./request.ts";

const ERRORS = "https://dev.mailjet.com/email/reference/overview/errors/";
const SEND_ERRORS = "https://dev.mailjet.com/email/guides/send-api-v31/#send-api-errors";

const answer =
  (refusal: VendorRefusal) =>
  ({ env: { ctx } }: Pick<FaultyCall<typeof OPTIONS, MailState>, "env">) =>
    refuse(refusal, { newId: ctx.uuid });

/** Outcomes of `POST /v3.1/send`, and of a look at a message. */
export const FAULTS: HttpFaults<typeof OPTIONS, MailState> = {
  phases: {
    capture: "Messages to send: payload is a message, one subject per entry",
    read: "A look at a message",
  },
  subjects({ body, headers }) {
    const json = readJson(body, headers.get("content-type"));
    const request = json.ok && readSend(json.value);
    if (!request || !request.ok) return [];
    return request.value.entries.flatMap((entry) =>
      entry.ok ? [toFaultSubject(entry.value.draft)] : []
    );
  },
  outcomes: [
    {
      id: "rate_limit",
      about: "429, and no JSON",
      source: ERRORS,
      answer: () =>
        new Response("Rate limit exceeded", {
          status: 429,
          headers: { "content-type": "text/html" },
        }),
    },
    {
      id: "unauthorized",
      about: "401, mj-0015: the keys are wrong or expired",
      source: SEND_ERRORS,
      answer: answer(REFUSALS.unauthorized),
    },
    {
      id: "forbidden",
      about: "403: not authorized to access the resource",
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
      source: ERRORS,
      answer: answer({ status: 500, message: "Internal Server Error", relatedTo: [] }),
    },
    {
      id: "unavailable",
      about: "503: the service is not available",
      source: ERRORS,
      answer: answer({ status: 503, message: "Service Unavailable", relatedTo: [] }),
    },
    {
      id: "item_error",
      about: "Everything is captured, and the first entry of the answer says that it failed",
      source: SEND_ERRORS,
      phases: ["capture"],
      captures: true,
      async answer({ handle, env: { ctx } }) {
        const response = toResponse(await handle());
        const body: unknown = await response.json();
        if (!isJsonObject(body) || !Array.isArray(body.Messages)) {
          return Response.json(body, response);
        }
        const failed = refusedEntry([SENDER_REFUSED], { newId: ctx.uuid });
        const Messages = [failed, ...body.Messages.slice(1)];
        return Response.json({ Messages }, { status: 200, headers: response.headers });
      },
    },
  ],
};

const SENDER_REFUSED: VendorRefusal = {
  status: 403,
  code: "send-0008",
  message: "Sender address is not authorized.",
  relatedTo: ["From"],
};
