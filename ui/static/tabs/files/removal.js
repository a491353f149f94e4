/** Deletions in the tree, each after a confirmation. */
import { messageOf, remove } from "../../lib/api.js";
import { plural } from "../../lib/format.js";
import { setQuery } from "../../lib/router.js";
import { confirm } from "../../components/dialog.js";
import { toast } from "../../components/toast.js";

/** @import { Entry } from "./types.d.ts" */

/** @param {Entry} entry */
export function askToDelete(entry) {
  const what = entry.dir ? "directory with everything in it" : "file";
  confirm({
    title: `Delete this ${entry.dir ? "directory" : "file"}?`,
    text: `The ${what} is deleted for everyone who uses this service. This cannot be undone.`,
    action: "Delete",
    run: async () => {
      const path = entry.path.split("/").map(encodeURIComponent).join("/");
      await act(`/files/content${path}?recursive=1`, "Deleted");
      setQuery({ file: null }, { replace: true });
    },
  });
}

/**
 * @param {number} files
 * @param {() => void} done
 */
export function askToClear(files, done) {
  confirm({
    title: `Clear the tree of ${plural(files, "file")}?`,
    text:
      "Every file and directory is deleted for everyone who uses this service. This cannot be undone.",
    action: "Clear the tree",
    run: async () => {
      await act("/files/tree", "The tree is empty");
      done();
    },
  });
}

/**
 * @param {string} path
 * @param {string} done notice to show afterwards
 */
async function act(path, done) {
  try {
    await remove(path);
    toast(done);
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}
