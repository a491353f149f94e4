/** The push read-back API, under `/api/v1/push`. */
import { messageRoutes } from "../../core/http/messages.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import type { Route } from "../../core/http/route.ts";
import type { PushState } from "./capture.ts";
import {
  KIND_WORDS,
  matchesPush,
  PushEnvelopeShape,
  type PushEvent,
  TARGET_WORDS,
  toPushEnvelope,
} from "./views.ts";

const messages = messageRoutes<PushState, PushEvent>({
  one: "push",
  many: "pushes",
  shape: PushEnvelopeShape,
  toView: (event, ctx) => toPushEnvelope(event, ctx.eventUrl(event.id)),
});

/** Every route of the push read-back API. */
export const routes: readonly Route<PushState>[] = [
  messages.list({
    query: {
      plugin: text("Only pushes of this plugin: push, or none at all"),
      displays: boolean("Only pushes that a device would, or would not show"),
      kind: word(
        "Only pushes of this kind; alert stands for notification, background for silent",
        KIND_WORDS,
      ),
      target_kind: word(
        "Only pushes to this kind of target; token and fid stand for device",
        TARGET_WORDS,
      ),
      target: text("Substring of the address"),
      app: text("Bundle id or project"),
      push_type: text("What the sender declared the push to be"),
      priority: text("high, normal or low, or the value exactly as sent"),
      data_key: text("Only pushes whose data has this key"),
    },
    select: (query, ctx) => ({
      matches: ({ payload }) =>
        (query.plugin ?? ctx.plugin) === ctx.plugin && matchesPush(payload, query),
    }),
  }),
  messages.clear("Clear every push"),
  messages.one(),
  messages.remove("Remove one push"),
  messages.raw(),
];
