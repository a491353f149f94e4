import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import { openState } from "../../core/persist/state.ts";
import { ftp } from "./ftp/mod.ts";
import { nfs } from "./nfs/mod.ts";
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
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  open({ ctx, storage }) {
    const now = (): Date => ctx.now();
    const nowMs = now().getTime();
    const { blobs, memory } = ctx;
    if (storage.folder === undefined) {
      return toState(
        new Vfs(new Tree({ journal: { commit() {} }, nowMs }), { blobs, memory, now }),
      );
    }
    const place = { folder: storage.folder, schema: TREE_SCHEMA, blobs, what: "the tree" };
    return openState(place, (catalog) => {
      const tree = restoreTree(catalog, { blobs, nowMs });
      const pending = restorePending(catalog, { blobs, tree });
      return toState(new Vfs(tree, { blobs, memory, now, pending }));
    });
  },
});

function toState(vfs: Vfs): FilesState {
  return { vfs, reset: () => vfs.clear() };
}
