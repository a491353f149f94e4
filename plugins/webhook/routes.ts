/** The webhook read-back API, under `/api/v1/webhook`. */
import { isJsonObject } from "../../core/codec/json_lenient.ts";
import { ApiError } from "../../core/errors.ts";
import { toMediaType } from "../../core/http/media_type.ts";
import { messageRoutes, readIndex } from "../../core/http/messages.ts";
import { sendBytes } from "../../core/http/range.ts";
import { bytesDoc, emptyDoc, errorDoc, json, noContent, rangeDocs } from "../../core/http/reply.ts";
import { type Route, routeFor } from "../../core/http/route.ts";
import { decodeBody } from "../../core/http/server/body/body.ts";
import { readJsonBody } from "../../core/http/server/body/json_body.ts";
import { onDemand } from "../../core/on_demand.ts";
import { Type } from "../../core/shape_type.ts";
import { text, whole } from "../../core/shapes.ts";
import { readAnswer } from "./answers.ts";
import type { WebhookState } from "./capture.ts";
import { filters } from "./filters.ts";
import { WebhookAnswerShape } from "./schema.ts";
import { toWebhookEnvelope, WebhookEnvelopeShape, type WebhookEvent } from "./views.ts";

const splitBody = onDemand(() => import("./body.ts"))("splitBody");

/** Largest request for a response, in bytes. */
const MAX_BODY = 2 * 1_048_576;

const messages = messageRoutes<WebhookState, WebhookEvent>({
  filters,
  one: "request",
  many: "requests",
  shape: WebhookEnvelopeShape,
  toView: (event, ctx) => toWebhookEnvelope(event, ctx.eventUrl(event.id)),
});

const route = routeFor<WebhookState>();

const AnswerRequestShape = Type.Object({
  name: text("Name after /hook/, or * for every name"),
  method: Type.Optional(text("Method that it answers; by default every method")),
  status: Type.Optional(whole("Status from 200 to 599; 200 by default")),
  headers: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "By name" })),
  body: Type.Optional(text("Body; empty by default")),
  json: Type.Optional(Type.Unknown({ description: "Body as JSON, in place of `body`" })),
  delay: Type.Optional(text("Wait before the response, such as 250ms; at most 60s")),
  times: Type.Optional(whole("Number of requests that it answers; by default all")),
}, { $id: "webhook.AnswerRequest" });

const list = { "application/json": Type.Array(WebhookAnswerShape) };

const answers = [
  route({
    method: "POST",
    path: "/answers",
    summary: "Script the response to a name; it replaces one for the same name and method",
    body: AnswerRequestShape,
    replies: {
      201: { about: "The response", content: { "application/json": WebhookAnswerShape } },
      400: errorDoc("A key is unknown or cannot be used, or there are too many responses"),
      413: errorDoc("The response is too large"),
      503: errorDoc("There is not enough memory at the moment"),
    },
    async handle({ http, state, lease }) {
      const given = await readJsonBody(http, { what: "the response", maxBytes: MAX_BODY, lease });
      if (!isJsonObject(given)) {
        throw new ApiError(400, "Cannot use the response: expected an object");
      }
      try {
        const answer = readAnswer(given);
        state.answers.add(answer);
        return json(answer, 201);
      } catch (error) {
        if (error instanceof RangeError || error instanceof TypeError) {
          throw new ApiError(400, error.message);
        }
        throw error;
      }
    },
  }),
  route({
    method: "GET",
    path: "/answers",
    summary: "List the scripted responses, in the order in which they are tried",
    replies: { 200: { about: "The responses", content: list } },
    handle: ({ state }) => json(state.answers.list()),
  }),
  route({
    method: "DELETE",
    path: "/answers",
    summary: "Remove the scripted responses; those from the configuration file stay",
    replies: { 204: emptyDoc("Removed") },
    handle({ state }) {
      state.answers.clear();
      return noContent();
    },
  }),
  route({
    method: "DELETE",
    path: "/answers/{name}",
    summary: "Remove the scripted responses to one name; those from the configuration file stay",
    replies: { 204: emptyDoc("Removed"), 404: errorDoc("No such response") },
    handle({ params, state }) {
      if (state.answers.remove(params.name) > 0) return noContent();
      throw new ApiError(
        404,
        `Cannot find a response to "${params.name}": GET /api/v1/webhook/answers lists them`,
      );
    },
  }),
];

export const routes: readonly Route<WebhookState>[] = [
  messages.list(),
  messages.clear("Clear all requests"),
  messages.one(),
  messages.remove("Remove one request"),
  messages.raw(),
  route({
    method: "GET",
    path: "/messages/{id}/parts/{idx}",
    summary: "Fetch one part of a multipart body, decoded",
    replies: {
      200: bytesDoc("The bytes of the part"),
      ...rangeDocs(),
      404: errorDoc("Unknown id, another plugin's event, or no such part"),
    },
    async handle({ params, http, ctx }) {
      const { id, raw, payload } = messages.find(ctx, params.id);
      const index = readIndex(params.idx);
      const { "content-type": type = "", "content-encoding": coding = null } = payload.headers;
      const body = await decodeBody(raw.body, coding, { maxBytes: payload.size });
      const parts = payload.parts === undefined ? [] : await splitBody(body, type);
      const part = parts[index];
      if (part === undefined) {
        throw new ApiError(
          404,
          `Cannot find part ${index} of request "${id}": it has ${parts.length}`,
        );
      }
      return await sendBytes(part.bytes, {
        headers: http.headers,
        contentType: toMediaType(part.about.content_type),
        disposition: "attachment",
        filename: part.about.filename,
        etag: `${id}-${index}`,
      });
    },
  }),
  ...answers,
];
