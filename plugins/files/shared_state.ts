import { Value } from "@sinclair/typebox/value";
import type { PluginContext, SharedStorage } from "../../core/plugin.ts";
import { carryOut, OrderShape } from "./orders.ts";
import type { FilesState } from "./record.ts";
import { SharedTree } from "./vfs/shared.ts";

/** Opens the tree that several instances share. Rejects with `ConfigError`. */
export async function openShared(ctx: PluginContext, storage: SharedStorage): Promise<FilesState> {
  const { blobs, memory } = ctx;
  const shared = await SharedTree.open({
    storage,
    blobs,
    memory,
    now: () => ctx.now(),
    async answer(vfs, question) {
      if (!Value.Check(OrderShape, question)) throw new RangeError("the command is unknown");
      await carryOut(question, { vfs, ctx });
    },
  });
  return {
    get vfs() {
      return shared.vfs;
    },
    get shown() {
      return shared.shown;
    },
    follow(begin) {
      shared.follow(begin);
      return Promise.resolve();
    },
    order: (order) => shared.ask(order),
    reset: () => shared.ask({ kind: "clear" }),
    current: () => shared.current(),
  };
}
