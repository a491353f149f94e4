import type { Static } from "@sinclair/typebox";
import { compact } from "../compact.ts";
import type { EngineState } from "../events/log.ts";
import { Type } from "../shape_type.ts";

/** JSON shape of the list of writers. */
export const WritersShape = Type.Array(
  Type.Object({
    plugin: Type.String(),
    at: Type.Union([
      Type.Literal("here", { description: "This instance writes its state" }),
      Type.Literal("elsewhere", { description: "Clients are passed on to another instance" }),
      Type.Literal("nowhere", { description: "No instance does now; its clients are refused" }),
    ]),
    instance: Type.Optional(Type.String({ description: "Name of that instance" })),
    host: Type.Optional(Type.String({ description: "Where the others reach it" })),
  }),
  { description: "Plugins whose shared state one instance at a time writes" },
);

/** Describes which instance writes which state; returns nothing without such plugins. */
export function toWriters(
  engine: EngineState | undefined,
): { readonly writers?: Static<typeof WritersShape> } {
  if (engine === undefined || engine.writers.size === 0) return {};
  const writers = [...engine.writers].map(([plugin, writer]) => ({
    plugin,
    at: writer === undefined
      ? "nowhere" as const
      : writer.isSelf
      ? "here" as const
      : "elsewhere" as const,
    ...compact({ instance: writer?.name, host: writer?.host }),
  }));
  return { writers };
}
