/** Deletions, after they were confirmed. */
import { messageOf, remove } from "../lib/api.js";
import { setQuery } from "../lib/router.js";
import { toast } from "./toast.js";

/**
 * Deletes a path, then shows the next item, or none, and a notice.
 * @param {string} path
 * @param {{ done: string, next?: string | null }} then
 */
export async function removeAndTell(path, { done, next = null }) {
  try {
    await remove(path);
    setQuery({ id: next }, { replace: true });
    toast(done);
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}
