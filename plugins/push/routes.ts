/** The push read-back API, under `/api/v1/push`. */
import type { Static } from "@sinclair/typebox";
import { isJsonObject } from "../../core/codec/json_lenient.ts";
import { ApiError } from "../../core/errors.ts";
import { readJsonBody } from "../../core/http/server/body/json_body.ts";
import { messageRoutes } from "../../core/http/messages.ts";
import { emptyDoc, errorDoc, json, noContent } from "../../core/http/reply.ts";
import { type Route, routeFor } from "../../core/http/route.ts";
import { unknownName } from "../../core/options/suggest.ts";
import { Type } from "../../core/shape_type.ts";
import { text, words } from "../../core/shapes.ts";
import type { PushState } from "./capture.ts";
import { filters } from "./filters.ts";
import { SERVICES } from "./subscriptions.ts";
import { PushEnvelopeShape, type PushEvent, toPushEnvelope } from "./views.ts";

const messages = messageRoutes<PushState, PushEvent>({
  filters,
  one: "push",
  many: "pushes",
  shape: PushEnvelopeShape,
  toView: (event, ctx) => toPushEnvelope(event, ctx.eventUrl(event.id)),
});

const route = routeFor<PushState>();

/** Largest request for a subscription, in bytes. */
const MAX_BODY = 65_536;

const SubscriptionRequestShape = Type.Object({
  applicationServerKey: Type.Optional(
    text("Public VAPID key of the only sender, base64url; without it anyone may send"),
  ),
  origin: Type.Optional(
    text("Scheme, host and port of the endpoint; by default those of the ingress"),
  ),
  service: Type.Optional(words(
    SERVICES,
    "Push service that the endpoint imitates, address and refusals included: Firefox's (the default) or Chrome's",
  )),
}, { $id: "push.SubscriptionRequest" });

const SubscriptionShape = Type.Object({
  id: text("Id in /subscriptions/{id}, and `meta.subscription` of its pushes"),
  endpoint: text("Address that the application sends to"),
  expirationTime: Type.Null({ description: "It does not expire" }),
  keys: Type.Object({
    p256dh: text("Public key of the subscription, base64url"),
    auth: text("Authentication secret, base64url"),
  }, { description: "Keys to encrypt payloads with" }),
  created_at: Type.String({ format: "date-time", description: "When it was created" }),
}, {
  $id: "push.Subscription",
  description: "A push subscription, as a browser's PushSubscription.toJSON() returns it",
});

/** Names and checks of the fields of a request. */
const FIELDS = Object.keys(SubscriptionRequestShape.properties);

const subscriptions = [
  route({
    method: "POST",
    path: "/subscriptions",
    summary: "Create a web push subscription, as a browser would; its pushes are decrypted",
    body: SubscriptionRequestShape,
    replies: {
      201: { about: "The subscription", content: { "application/json": SubscriptionShape } },
      400: errorDoc("A field is unknown or cannot be used"),
      413: errorDoc("The request is too large"),
      503: errorDoc("There is not enough memory at the moment"),
    },
    async handle({ http, state, lease }) {
      const request = readRequest(
        http.headers.get("content-length") === "0" || http.headers.get("content-type") === null
          ? {}
          : await readJsonBody(http, { what: "the request", maxBytes: MAX_BODY, lease }),
      );
      try {
        return json(state.subscriptions.make(request), 201);
      } catch (error) {
        if (error instanceof RangeError) throw new ApiError(400, error.message);
        throw error;
      }
    },
  }),
  route({
    method: "GET",
    path: "/subscriptions",
    summary: "List the subscriptions created here, newest first",
    replies: {
      200: {
        about: "The subscriptions",
        content: { "application/json": Type.Array(SubscriptionShape) },
      },
    },
    handle: ({ state }) => json(state.subscriptions.list()),
  }),
  route({
    method: "DELETE",
    path: "/subscriptions/{id}",
    summary: "End a subscription: from then on, pushes to it are answered with 410",
    replies: { 204: emptyDoc("Ended"), 404: errorDoc("Unknown, or already ended") },
    handle({ params, state }) {
      if (state.subscriptions.expire(params.id)) return noContent();
      throw new ApiError(
        404,
        `Cannot find subscription "${params.id}": GET /api/v1/push/subscriptions lists them`,
      );
    },
  }),
];

function readRequest(body: unknown): Static<typeof SubscriptionRequestShape> {
  if (!isJsonObject(body)) throw new ApiError(400, "Cannot use the request: expected an object");
  for (const [name, value] of Object.entries(body)) {
    if (!FIELDS.includes(name)) throw new ApiError(400, unknownName("field", name, FIELDS));
    if (typeof value !== "string") {
      throw new ApiError(400, `Cannot use ${name}: expected text, got ${typeof value}`);
    }
  }
  const { service } = body;
  if (service !== undefined && !(SERVICES as readonly unknown[]).includes(service)) {
    throw new ApiError(400, `Cannot use service: expected one of ${SERVICES.join(", ")}`);
  }
  return body as Static<typeof SubscriptionRequestShape>;
}

export const routes: readonly Route<PushState>[] = [
  messages.list(),
  messages.clear("Clear all pushes"),
  messages.one(),
  messages.remove("Remove one push"),
  messages.raw(),
  ...subscriptions,
];
