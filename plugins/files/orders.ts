/** Changes through the API, on this instance or for another one. */
import type { Static } from "@sinclair/typebox";
import type { PluginContext } from "../../core/plugin.ts";
import { Type } from "../../core/shape_type.ts";
import { type Actor, remove, type TreeOrder } from "./record.ts";
import type { Vfs } from "./vfs/vfs.ts";

/** An order as another instance sends it. */
export const OrderShape = Type.Union([
  Type.Object({ kind: Type.Literal("clear") }),
  Type.Object({
    kind: Type.Literal("remove"),
    path: Type.String(),
    recursive: Type.Boolean(),
    command: Type.String(),
    peer: Type.String(),
  }),
]);

/** Carries out an order. Rejects with `VfsError`. */
export async function carryOut(
  order: TreeOrder & Static<typeof OrderShape>,
  { vfs, ctx }: { vfs: Vfs; ctx: PluginContext },
): Promise<void> {
  if (order.kind === "clear") return await vfs.clear();
  const { path, recursive, command, peer } = order;
  await remove(vfs, toActor(ctx, peer), { path, recursive, command });
}

/** Records a deletion through our own API like any other. */
function toActor({ events, plugin }: PluginContext, peer: string): Actor {
  return {
    provider: "api",
    transport: "http",
    peer,
    capture: (event) => events.settled(events.add(plugin, "api", event)),
  };
}
