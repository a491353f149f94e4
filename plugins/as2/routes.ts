/** The AS2 read-back API, under `/api/v1/as2`. */
import { Type } from "@sinclair/typebox";
import { ApiError } from "../../core/errors.ts";
import {
  clearRoute,
  findEvent,
  LIST_PARAMS,
  LIST_REFUSALS,
  listEvents,
  removeRoute,
} from "../../core/http/list.ts";
import { boolean, text } from "../../core/http/params.ts";
import { sendBlob, sendBytes } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, json, jsonList } from "../../core/http/reply.ts";
import { type Param, type Route, type RouteContext, routeFor } from "../../core/http/route.ts";
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

const UNKNOWN = errorDoc("Unknown id, or the id of another plugin's event");
const ABSENT = errorDoc("Unknown id, another plugin's event, or there is none");
const BEYOND = errorDoc("The range lies outside the bytes");
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
  route({
    method: "GET",
    path: "/messages",
    summary: "Captured messages, newest first",
    query: {
      ...LIST_PARAMS,
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
    replies: {
      200: {
        about: "The messages",
        content: { "application/json": Type.Array(MessageEnvelopeShape) },
      },
      ...LIST_REFUSALS,
    },
    async handle({ query, ctx }) {
      const match = (event: unknown) => matchesAs2((event as As2Event).payload, query);
      const found = await listEvents({ query, ctx }, match);
      return jsonList(found, (event) => {
        const envelope = toMessageEnvelope(event as As2Event, ctx.eventUrl(event.id));
        return query.include_details === false ? withoutDetails(envelope) : envelope;
      });
    },
  }),
  clearRoute("Clear every message"),
  route({
    method: "GET",
    path: "/messages/{id}",
    summary: "One message",
    replies: {
      200: { about: "The message", content: { "application/json": MessageEnvelopeShape } },
      404: UNKNOWN,
    },
    handle({ params, ctx }) {
      const event = findMessage(ctx, params.id);
      return json(toMessageEnvelope(event, ctx.eventUrl(event.id)));
    },
  }),
  removeRoute("Remove one message"),
  route({
    method: "GET",
    path: "/messages/{id}/mdn",
    summary: "The body of the receipt, byte for byte",
    replies: {
      200: bytesDoc("The receipt", "text/plain"),
      206: bytesDoc("The range asked for", "text/plain"),
      404: ABSENT,
      416: BEYOND,
    },
    async handle({ params, http, ctx }) {
      const { mdn } = findMessage(ctx, params.id).payload;
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
      206: bytesDoc("The range asked for"),
      404: ABSENT,
      416: BEYOND,
    },
    async handle({ params, http, ctx }) {
      const { payload } = findMessage(ctx, params.id).payload;
      if (payload.blob === undefined) throw absent("document", params.id, "it was not stored");
      return await sendBlob(ctx.blobs, payload.blob.id, {
        headers: http.headers,
        contentType: "application/octet-stream",
        filename: payload.filename,
        disposition: "attachment",
      });
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/raw",
    summary: "The request body exactly as received",
    replies: {
      200: bytesDoc("The bytes", "text/plain"),
      206: bytesDoc("The range asked for", "text/plain"),
      404: UNKNOWN,
      416: BEYOND,
    },
    async handle({ params, http, ctx }) {
      const { id, raw } = findMessage(ctx, params.id);
      return await sendBytes(raw.body, {
        headers: http.headers,
        contentType: raw.text ? "text/plain; charset=utf-8" : "text/plain",
        disposition: "inline",
        etag: id,
      });
    },
  }),
];

function findMessage(ctx: RouteContext, id: string): As2Event {
  return findEvent(ctx, id) as As2Event;
}

function absent(what: string, id: string, reason: string): ApiError {
  return new ApiError(404, `Cannot find a ${what} of "${id}": ${reason}`);
}
