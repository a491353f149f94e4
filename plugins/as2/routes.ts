/** The AS2 read-back API, under `/api/v1/as2`. */
import { Type } from "@sinclair/typebox";
import { ApiError } from "../../core/errors.ts";
import { messageRoutes } from "../../core/http/messages.ts";
import { boolean, text } from "../../core/http/params.ts";
import { sendBlob, sendBytes } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, json, rangeDocs } from "../../core/http/reply.ts";
import { type Param, type Route, routeFor } from "../../core/http/route.ts";
import type { As2State } from "./capture.ts";
import { IdentityInfoShape } from "./model.ts";
import {
  type As2Event,
  matchesAs2,
  MessageEnvelopeShape,
  toMessageEnvelope,
  withoutDetails,
} from "./views.ts";

const route = routeFor<As2State>();

const ABSENT = errorDoc("Unknown id, another plugin's event, or there is none");

const messages = messageRoutes<As2State, As2Event>({
  shape: MessageEnvelopeShape,
  toView: (event, ctx) => toMessageEnvelope(event, ctx.eventUrl(event.id)),
});

const SECURITY_WORDS = ["signed", "encrypted", "compressed"];

/** Words of how a message was protected, separated by commas. */
const security: Param<readonly string[] | undefined> = {
  about: "Only messages with all of these layers: signed, encrypted, compressed",
  schema: Type.String({ examples: ["signed", "signed,encrypted"] }),
  read(given, name) {
    const words = given?.toLowerCase().split(/[,+ ]/).filter((word) => word !== "");
    if (words?.every((word) => SECURITY_WORDS.includes(word)) ?? true) return words;
    throw new ApiError(
      400,
      `Cannot read ${name} "${given}": expected some of ${
        SECURITY_WORDS.join(", ")
      }, separated by commas`,
    );
  },
};

const BOOLEANS: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  true: true,
  "0": false,
  f: false,
  false: false,
};

/** Whether there is an issue, or which. */
const issue: Param<boolean | string | undefined> = {
  about: "Only messages with, or without a recorded problem; or with this one, by its code",
  schema: Type.String({ examples: ["true", "decryption-failed"] }),
  read(given, name) {
    if (given === null) return undefined;
    const word = given.toLowerCase();
    if (Object.hasOwn(BOOLEANS, word)) return BOOLEANS[word];
    if (/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(word)) return word;
    throw new ApiError(
      400,
      `Cannot read ${name} "${given}": expected one of 1, t, true, 0, f, false, or a code such as decryption-failed`,
    );
  },
};

/** Every route of the AS2 read-back API. */
export const routes: readonly Route<As2State>[] = [
  route({
    method: "GET",
    path: "/certificate",
    summary: "The certificate that partners encrypt for",
    replies: {
      200: bytesDoc("The certificate, PEM", "application/x-pem-file"),
      404: errorDoc("The service has no certificate"),
    },
    async handle({ state }) {
      const identity = await state.identity?.obtain();
      if (identity?.own === undefined) {
        const reason = identity?.info.error ?? "the provider does not run";
        throw new ApiError(404, `Cannot give a certificate: ${reason}`);
      }
      const headers = { "content-type": "application/x-pem-file", "cache-control": "no-store" };
      return new Response(identity.own.pem, { headers });
    },
  }),
  route({
    method: "GET",
    path: "/identity",
    summary: "The service's certificate and key, and the partner's certificate",
    replies: {
      200: { about: "What is in use", content: { "application/json": IdentityInfoShape } },
    },
    async handle({ state }) {
      const identity = await state.identity?.obtain();
      return json(identity?.info ?? { configured: false, ready: false, source: "none" });
    },
  }),
  messages.list({
    query: {
      from: text("AS2-From, in any case"),
      to: text("AS2-To, in any case"),
      message_id: text("Message-ID, with or without its angle brackets"),
      format: text("Format of the document: edifact, x12, xml, json, hl7 or text"),
      security,
      issue,
      include_details: boolean(
        "Whether messages carry layers, digests, certificates and receipt; true unless given",
      ),
    },
    select: (query, ctx) => ({
      matches: ({ payload }) => matchesAs2(payload, query),
      toView(event) {
        const envelope = toMessageEnvelope(event, ctx.eventUrl(event.id));
        return query.include_details === false ? withoutDetails(envelope) : envelope;
      },
    }),
  }),
  messages.clear("Clear every message"),
  messages.one(),
  messages.remove("Remove one message"),
  route({
    method: "GET",
    path: "/messages/{id}/mdn",
    summary: "The body of the receipt, byte for byte",
    replies: {
      200: bytesDoc("The receipt", "text/plain"),
      ...rangeDocs("text/plain"),
      404: ABSENT,
    },
    async handle({ params, http, ctx }) {
      const { mdn } = messages.find(ctx, params.id).payload;
      if (mdn === undefined) throw absent("receipt", params.id, "none was asked for");
      const about = {
        headers: http.headers,
        contentType: "text/plain; charset=utf-8",
        disposition: "inline",
      } as const;
      if (mdn.blob !== undefined) return await sendBlob(ctx.blobs, mdn.blob.id, about);
      return await sendBytes(new TextEncoder().encode(mdn.text ?? ""), about);
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/payload",
    summary: "The document after every layer was opened",
    replies: {
      200: bytesDoc("The bytes"),
      ...rangeDocs(),
      404: ABSENT,
    },
    async handle({ params, http, ctx }) {
      const { payload } = messages.find(ctx, params.id).payload;
      if (payload.blob === undefined) throw absent("document", params.id, "it was not stored");
      return await sendBlob(ctx.blobs, payload.blob.id, {
        headers: http.headers,
        contentType: "application/octet-stream",
        filename: payload.filename,
        disposition: "attachment",
      });
    },
  }),
  messages.raw(),
];

function absent(what: string, id: string, reason: string): ApiError {
  return new ApiError(404, `Cannot find a ${what} of "${id}": ${reason}`);
}
