/** The SMS read-back API, under `/api/v1/sms`. */
import { ApiError } from "../../core/errors.ts";
import { messageRoutes, readIndex } from "../../core/http/messages.ts";
import { sendBlob } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, rangeDocs } from "../../core/http/reply.ts";
import { type Route, routeFor } from "../../core/http/route.ts";
import type { SmsState } from "./capture.ts";
import { filters } from "./filters.ts";
import { SmsEnvelopeShape, type SmsEvent, toSmsEnvelope } from "./views.ts";

const route = routeFor<SmsState>();

const messages = messageRoutes<SmsState, SmsEvent>({
  filters,
  shape: SmsEnvelopeShape,
  toView: (event, ctx) => toSmsEnvelope(event, ctx.eventUrl(event.id)),
});

export const routes: readonly Route<SmsState>[] = [
  messages.list(),
  messages.clear("Clear all messages; the blobs of their media stay"),
  messages.one(),
  messages.remove("Remove one message; the blobs of its media stay"),
  route({
    method: "GET",
    path: "/messages/{id}/media/{idx}",
    summary: "Fetch the bytes of one attachment, with its recorded type",
    replies: {
      200: bytesDoc("The attachment"),
      ...rangeDocs(),
      404: errorDoc("Unknown id or index, or media that is only a link"),
    },
    async handle({ params, http, ctx }) {
      const media = messages.find(ctx, params.id).payload.media ?? [];
      const item = media[readIndex(params.idx)];
      if (item?.blob === undefined) {
        const detail = item === undefined
          ? `the message has ${media.length}`
          : "only its link was given, and links are never fetched";
        throw new ApiError(404, `Cannot find media "${params.idx}": ${detail}`);
      }
      return await sendBlob(ctx.blobs, item.blob.id, {
        headers: http.headers,
        contentType: item.content_type,
        filename: item.filename,
        disposition: "inline",
      });
    },
  }),
];
