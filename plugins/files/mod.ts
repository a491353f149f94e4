import { type AnyPlugin, definePlugin, type PluginContext } from "../../core/plugin.ts";
import { openState } from "../../core/persist/state.ts";
import { ftp } from "./ftp/mod.ts";
import { nfs } from "./nfs/mod.ts";
import { carryOut } from "./orders.ts";
import type { FilesState } from "./record.ts";
import { routes } from "./routes.ts";
import { sftp } from "./sftp/mod.ts";
import { storyKeysOfFiles } from "./story_keys.ts";
import { tftp } from "./tftp/mod.ts";
import { restorePending } from "./vfs/pending.ts";
import { restoreTree, TREE_SCHEMA } from "./vfs/store.ts";
import { Tree } from "./vfs/tree.ts";
import { Vfs } from "./vfs/vfs.ts";

/** Files: uploads into one virtual tree, over file transfer protocols. */
export const files: AnyPlugin = definePlugin<FilesState>({
  id: "files",
  title: "Files",
  about: "Keeps uploads in one virtual tree, shared by every file transfer protocol.",
  eventTypes: ["files.upload", "files.mkdir", "files.rename", "files.delete"],
  providers: [ftp, sftp, tftp, nfs],
  routes,
  storyKeys: storyKeysOfFiles,
  tab: "tabs/files.js",
  persists: true,
  shares: true,
  elects: true,
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  async open({ ctx, storage }) {
    const now = (): Date => ctx.now();
    const nowMs = now().getTime();
    const { blobs, memory } = ctx;
    if (storage.shared !== undefined) {
      const { openShared } = await import("./shared_state.ts");
      return await openShared(ctx, storage.shared);
    }
    if (storage.folder === undefined) {
      const tree = new Tree({ journal: { commit() {} }, nowMs });
      return toState(ctx, new Vfs(tree, { blobs, memory, now }));
    }
    const place = { folder: storage.folder, schema: TREE_SCHEMA, blobs, what: "the tree" };
    return openState(place, (catalog) => {
      const tree = restoreTree(catalog, { blobs, nowMs });
      const pending = restorePending(catalog, { blobs, tree });
      return toState(ctx, new Vfs(tree, { blobs, memory, now, pending }));
    });
  },
});

/** The state of an instance that shares its tree with no other. */
function toState(ctx: PluginContext, vfs: Vfs): FilesState {
  return {
    vfs,
    shown: vfs,
    follow: async (begin) => void await begin(vfs),
    order: (order) => carryOut(order, { vfs, ctx }),
    reset: () => vfs.clear(),
  };
}
