/** The AS2 read-back API, under `/api/v1/as2`. */
import { ApiError } from "../../core/errors.ts";
import { messageRoutes } from "../../core/http/messages.ts";
import { boolean } from "../../core/http/params.ts";
import { sendBlob, sendBytes } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, json, rangeDocs, textResponse } from "../../core/http/reply.ts";
import { type Route, routeFor } from "../../core/http/route.ts";
import type { As2State } from "./capture.ts";
import { filters } from "./filters.ts";
import { IdentityInfoShape } from "./schema.ts";
import { type As2Event, MessageEnvelopeShape, toMessageEnvelope, withoutDetails } from "./views.ts";

const route = routeFor<As2State>();

const ABSENT = errorDoc("Unknown id, another plugin's event, or not available");

const messages = messageRoutes<As2State, As2Event>({
  filters,
  shape: MessageEnvelopeShape,
  toView: (event, ctx) => toMessageEnvelope(event, ctx.eventUrl(event.id)),
});

/** Every route of the AS2 read-back API. */
export const routes: readonly Route<As2State>[] = [
  route({
    method: "GET",
    path: "/certificate",
    summary: "Get the certificate that partners encrypt with",
    replies: {
      200: bytesDoc("The certificate, PEM", "application/x-pem-file"),
      404: errorDoc("The service has no certificate"),
    },
    async handle({ state }) {
      const identity = await state.identity?.obtain();
      if (identity?.own === undefined) {
        const reason = identity?.info.error ?? "the provider is not running";
        throw new ApiError(404, `Cannot provide a certificate: ${reason}`);
      }
      const headers = { "content-type": "application/x-pem-file", "cache-control": "no-store" };
      return textResponse(identity.own.pem, { headers });
    },
  }),
  route({
    method: "GET",
    path: "/identity",
    summary: "Describe the service's certificate and key, and the partner's certificate",
    replies: {
      200: { about: "The identity in use", content: { "application/json": IdentityInfoShape } },
    },
    async handle({ state }) {
      const identity = await state.identity?.obtain();
      return json(identity?.info ?? { configured: false, ready: false, source: "none" });
    },
  }),
  messages.list({
    query: {
      include_details: boolean(
        "Whether messages carry layers, digests, certificates and receipt; true by default",
      ),
    },
    viewer: (query, ctx) => (event) => {
      const envelope = toMessageEnvelope(event, ctx.eventUrl(event.id));
      return query.include_details === false ? withoutDetails(envelope) : envelope;
    },
  }),
  messages.clear("Clear all messages"),
  messages.one(),
  messages.remove("Remove one message"),
  route({
    method: "GET",
    path: "/messages/{id}/mdn",
    summary: "Fetch the body of the receipt, byte for byte",
    replies: {
      200: bytesDoc("The receipt", "text/plain"),
      ...rangeDocs("text/plain"),
      404: ABSENT,
    },
    async handle({ params, http, ctx }) {
      const { mdn } = messages.find(ctx, params.id).payload;
      if (mdn === undefined) throw absent("receipt", params.id, "none was requested");
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
    summary: "Fetch the document, with every layer opened",
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
