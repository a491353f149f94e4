import type { Static } from "@sinclair/typebox";
import { CHECK_LEVELS } from "../checks/check.ts";
import { errorDoc, json } from "../http/reply.ts";
import { routeFor } from "../http/route.ts";
import { Type } from "../shape_type.ts";
import { unknownEvent } from "./events.ts";
import type { ApiState } from "./state.ts";

const optional = (description: string) => Type.Optional(Type.String({ description }));

/** JSON shape of a finding. */
export const FindingShape = Type.Object({
  id: Type.String({ description: "Check that found it: plugin.name" }),
  level: Type.Union(CHECK_LEVELS.map((level) => Type.Literal(level)), {
    description: "How bad it is",
  }),
  message: Type.String({ description: "What is wrong, and what would be right" }),
  where: Type.Optional(Type.Object({
    part: Type.String({ description: "Part of the item, such as html, text, headers or body" }),
    line: Type.Optional(Type.Integer({ minimum: 1 })),
    column: Type.Optional(Type.Integer({ minimum: 1 })),
    path: optional("Path in a structured part"),
    before: optional("What precedes the place on its line, shortened"),
    marked: optional("The place itself, shortened; empty where something is missing"),
    after: optional("What follows the place on its line, shortened"),
  }, { description: "Its place, if it has one" })),
  source: optional("Address of its documentation"),
}, { $id: "checks.Finding" });

/** JSON shape of the findings of an event. */
export const FindingsShape = Type.Object({
  checks: Type.Array(FindingShape, { description: "The worst first" }),
  count: Type.Integer({ description: "Number of findings" }),
}, { $id: "checks.Findings" });

/** The route that checks an event. */
export const checkRoutes = [
  routeFor<ApiState>()({
    method: "GET",
    path: "/events/{id}/checks",
    summary: "Check an event: list what the vendor or the reader would not accept",
    replies: {
      200: { about: "The findings", content: { "application/json": FindingsShape } },
      404: errorDoc("Unknown or no longer held"),
    },
    async handle({ params, state, ctx }) {
      const event = state.events.get(params.id);
      if (event === undefined) throw unknownEvent(params.id);
      const checks = await ctx.findings(event);
      return json(
        { checks: [...checks], count: checks.length } satisfies Static<typeof FindingsShape>,
      );
    },
  }),
];
