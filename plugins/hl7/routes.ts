/** The HL7 read-back API, under `/api/v1/hl7`. */
import type { HeaderValues } from "../../core/http/call.ts";
import { LongList } from "../../core/bytes/long_list.ts";
import { compact } from "../../core/compact.ts";
import { ApiError } from "../../core/errors.ts";
import { messageRoutes, UNKNOWN_ID } from "../../core/http/messages.ts";
import { boolean } from "../../core/http/params.ts";
import { sendBytes } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, json, rangeDocs } from "../../core/http/reply.ts";
import { type Route, routeFor } from "../../core/http/route.ts";
import { Type } from "../../core/shape_type.ts";
import type { Hl7State } from "./capture.ts";
import { filters, place } from "./filters.ts";
import { valuesOf } from "./message.ts";
import {
  type Hl7Event,
  MessageEnvelopeShape,
  PlacedValueShape,
  toMessageEnvelope,
} from "./views.ts";

const route = routeFor<Hl7State>();

const BAD_PARAMETER = errorDoc("A query parameter cannot be read");

const messages = messageRoutes<Hl7State, Hl7Event>({
  filters,
  shape: MessageEnvelopeShape,
  toView: (event, ctx) => toMessageEnvelope(event, { url: ctx.eventUrl(event.id), segments: true }),
});

/** Every route of the HL7 read-back API. */
export const routes: readonly Route<Hl7State>[] = [
  messages.list({
    query: {
      include_segments: boolean("Whether messages carry their segments; true by default"),
    },
    viewer({ include_segments: segments = true }, ctx) {
      return (event) => toMessageEnvelope(event, { url: ctx.eventUrl(event.id), segments });
    },
  }),
  messages.clear("Clear all messages"),
  messages.one(),
  messages.remove("Remove one message"),
  route({
    method: "GET",
    path: "/messages/{id}/raw",
    summary:
      "Fetch the bytes between the frame characters, unchanged; for a message of a batch, the whole batch",
    query: { download: boolean("Serve as an .hl7 file to download") },
    replies: {
      200: bytesDoc("The bytes", "text/plain"),
      ...rangeDocs("text/plain"),
      400: BAD_PARAMETER,
      404: UNKNOWN_ID,
    },
    async handle({ params, query, http, ctx }) {
      const event = messages.find(ctx, params.id);
      return await sendText(event.raw.body, event, {
        headers: http.headers,
        ...(query.download === true ? { filename: `${event.id}.hl7` } : {}),
      });
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/ack",
    summary: "Fetch the acknowledgement that was sent",
    replies: {
      200: bytesDoc("The acknowledgement, without its frame", "text/plain"),
      ...rangeDocs("text/plain"),
      404: errorDoc("Unknown id, another plugin's event, or a message that was not acknowledged"),
    },
    async handle({ params, http, ctx }) {
      const event = messages.find(ctx, params.id);
      const { text } = event.payload.ack;
      if (text === undefined) {
        throw new ApiError(404, `Cannot find an acknowledgement of "${params.id}": none was sent`);
      }
      const bytes = new TextEncoder().encode(text);
      return await sendBytes(bytes, {
        headers: http.headers,
        contentType: "text/plain; charset=utf-8",
        disposition: "inline",
      });
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/values",
    summary: "List the values at a place in one message",
    query: { path: place("The place, such as PID-3.1; required") },
    replies: {
      200: {
        about: "Each value with its place, in message order",
        content: { "application/json": Type.Array(PlacedValueShape) },
      },
      400: errorDoc("The path is missing or cannot be read"),
      404: UNKNOWN_ID,
    },
    handle({ params, query: { path }, ctx }) {
      const { payload } = messages.find(ctx, params.id);
      if (path === undefined) {
        throw new ApiError(400, "Cannot look without path: expected a place, such as path=PID-3.1");
      }
      return json(new LongList(() => valuesOf(payload, path), (found) => found));
    },
  }),
];

/** Sends bytes with the character set they were decoded with, so that a browser decodes them the same way. */
async function sendText(
  bytes: Uint8Array,
  { payload: { encoding } }: Hl7Event,
  { headers, filename }: { headers: HeaderValues; filename?: string },
): Promise<Response> {
  const charset = encoding === "ascii" ? "utf-8" : encoding === "latin-1" ? "iso-8859-1" : encoding;
  return await sendBytes(bytes, {
    headers,
    contentType: `text/plain; charset=${charset}`,
    disposition: filename === undefined ? "inline" : "attachment",
    ...compact({ filename }),
  });
}
