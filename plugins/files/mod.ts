import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import { openCatalog } from "../../core/persist/catalog.ts";
import { ftp } from "./ftp/mod.ts";
import type { FilesState } from "./record.ts";
import { routes } from "./routes.ts";
import { sftp } from "./sftp/mod.ts";
import { tftp } from "./tftp/mod.ts";
import { restoreTree, TREE_SCHEMA } from "./vfs/store.ts";
import { Tree } from "./vfs/tree.ts";
import { Vfs } from "./vfs/vfs.ts";

/** Files: uploads into one virtual tree, over file transfer protocols. */
export const files: AnyPlugin = definePlugin<FilesState>({
  id: "files",
  title: "Files",
  about: "Keeps uploads in one virtual tree, shared by every file transfer protocol.",
  eventTypes: ["files.upload", "files.mkdir", "files.rename", "files.delete"],
  providers: [ftp, sftp, tftp],
  routes,
  tab: "tabs/files.js",
  persists: true,
  open({ ctx, storage }) {
    const now = (): Date => ctx.now();
    const nowMs = now().getTime();
    if (storage.folder === undefined) {
      const vfs = new Vfs(new Tree({ journal: { commit() {} }, nowMs }), { blobs: ctx.blobs, now });
      return { vfs, reset: () => vfs.clear() };
    }
    const catalog = openCatalog(storage.folder, TREE_SCHEMA);
    try {
      const vfs = new Vfs(restoreTree(catalog, { blobs: ctx.blobs, nowMs }), {
        blobs: ctx.blobs,
        now,
      });
      // Bytes whose name did not come to be kept, or whose file was deleted, before the last process ended.
      ctx.blobs.prune();
      return {
        vfs,
        reset: () => vfs.clear(),
        [Symbol.asyncDispose]() {
          catalog[Symbol.dispose]();
          return Promise.resolve();
        },
      };
    } catch (error) {
      catalog[Symbol.dispose]();
      throw error;
    }
  },
});
