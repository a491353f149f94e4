/** The push read-back API, under `/api/v1/push`. */
import { messageRoutes } from "../../core/http/messages.ts";
import type { Route } from "../../core/http/route.ts";
import type { PushState } from "./capture.ts";
import { filters } from "./filters.ts";
import { PushEnvelopeShape, type PushEvent, toPushEnvelope } from "./views.ts";

const messages = messageRoutes<PushState, PushEvent>({
  filters,
  one: "push",
  many: "pushes",
  shape: PushEnvelopeShape,
  toView: (event, ctx) => toPushEnvelope(event, ctx.eventUrl(event.id)),
});

export const routes: readonly Route<PushState>[] = [
  messages.list(),
  messages.clear("Clear every push"),
  messages.one(),
  messages.remove("Remove one push"),
  messages.raw(),
];
