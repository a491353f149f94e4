import type { Static } from "@sinclair/typebox";
import { Type } from "../shape_type.ts";
import { WritersShape } from "./writers.ts";

/** JSON shape of the report on readiness. */
export const ReadinessShape = Type.Object({
  status: Type.Union([
    Type.Literal("starting"),
    Type.Literal("ready"),
    Type.Literal("unwritable", { description: "The event log accepts nothing at the moment" }),
    Type.Literal("stopping"),
  ]),
  instance: Type.Optional(Type.String({ description: "Name given with --instance" })),
  silent_seconds: Type.Optional(
    Type.Number({ description: "Time since the log that the instances share last responded" }),
  ),
  writers: Type.Optional(WritersShape),
  listeners: Type.Array(
    Type.Object({
      name: Type.String({ description: "ui, api, ingress, or plugin/provider" }),
      url: Type.String(),
      connections: Type.Optional(
        Type.Integer({ description: "Open connections; absent for UDP, like the members below" }),
      ),
      max_connections: Type.Optional(Type.Integer({ description: "Maximum number at a time" })),
      at_cap: Type.Optional(Type.Boolean({ description: "Whether all of them are in use" })),
      refused: Type.Optional(
        Type.Integer({ description: "Connections turned away at the cap since the start" }),
      ),
    }),
    { description: "Listeners that accept connections" },
  ),
}, { $id: "service.Readiness" });

/** Readiness of the service, and its listeners. */
export type Readiness = Static<typeof ReadinessShape>;
