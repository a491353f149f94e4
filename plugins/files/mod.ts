import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import { ftp } from "./ftp/mod.ts";
import type { FilesState } from "./record.ts";
import { routes } from "./routes.ts";
import { sftp } from "./sftp/mod.ts";
import { tftp } from "./tftp/mod.ts";
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
  open({ ctx }) {
    const now = (): Date => ctx.now();
    const tree = new Tree({ journal: { commit() {} }, nowMs: now().getTime() });
    const vfs = new Vfs(tree, { blobs: ctx.blobs, now });
    return { vfs, reset: () => vfs.clear() };
  },
});
