/** The SMS read-back API, under `/api/v1/sms`. */
import { Type } from "@sinclair/typebox";
import { ApiError } from "../../core/errors.ts";
import {
  clearRoute,
  findEvent,
  LIST_PARAMS,
  LIST_REFUSALS,
  listEvents,
  readIndex,
  removeRoute,
} from "../../core/http/list.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import { sendBlob } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, json, jsonList } from "../../core/http/reply.ts";
import { type Route, type RouteContext, routeFor } from "../../core/http/route.ts";
import type { SmsState } from "./capture.ts";
import { SMS_DIRECTIONS, SMS_ENCODINGS, SMS_STATUSES } from "./model.ts";
import { matchesSms, SmsEnvelopeShape, type SmsEvent, toSmsEnvelope } from "./views.ts";

const route = routeFor<SmsState>();

const UNKNOWN = errorDoc("Unknown id, or the id of another plugin's event");

/** Every route of the SMS read-back API. */
export const routes: readonly Route<SmsState>[] = [
  route({
    method: "GET",
    path: "/messages",
    summary: "Captured messages, newest first",
    query: {
      ...LIST_PARAMS,
      to: text("Substring of the recipient's number"),
      from: text("Substring of the sender's number, id or messaging service"),
      status: word("Only messages of this status", SMS_STATUSES),
      direction: word("Only messages of this direction", SMS_DIRECTIONS),
      encoding: word("Only messages in this alphabet", SMS_ENCODINGS),
      mms: boolean("Only messages with, or only without media"),
    },
    replies: {
      200: {
        about: "The messages",
        content: { "application/json": Type.Array(SmsEnvelopeShape) },
      },
      ...LIST_REFUSALS,
    },
    async handle({ query, ctx }) {
      const found = await listEvents(
        { query, ctx },
        (event) => matchesSms((event as SmsEvent).payload, query),
      );
      return jsonList(
        found,
        (event) => toSmsEnvelope(event as SmsEvent, ctx.eventUrl(event.id)),
      );
    },
  }),
  clearRoute("Clear every message; media blobs survive"),
  route({
    method: "GET",
    path: "/messages/{id}",
    summary: "One message",
    replies: {
      200: { about: "The message", content: { "application/json": SmsEnvelopeShape } },
      404: UNKNOWN,
    },
    handle({ params, ctx }) {
      const event = findSms(ctx, params.id);
      return json(toSmsEnvelope(event, ctx.eventUrl(event.id)));
    },
  }),
  removeRoute("Remove one message; its media blobs survive"),
  route({
    method: "GET",
    path: "/messages/{id}/media/{idx}",
    summary: "The bytes of one attachment, with its recorded type",
    replies: {
      200: bytesDoc("The attachment"),
      206: bytesDoc("The range asked for"),
      404: errorDoc("Unknown id or index, or media that is only a link"),
      416: errorDoc("The range lies outside the attachment"),
    },
    async handle({ params, http, ctx }) {
      const media = findSms(ctx, params.id).payload.media ?? [];
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

function findSms(ctx: RouteContext, id: string): SmsEvent {
  return findEvent(ctx, id) as SmsEvent;
}
