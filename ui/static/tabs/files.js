/** The tree of files: one directory, the selected entry, and the latest operations. */
import { html, useEffect, useState } from "../lib/dom.js";
import { useFetched } from "../lib/fetched.js";
import { formatSize, plural } from "../lib/format.js";
import { place, setQuery } from "../lib/router.js";
import { loadStyles } from "../lib/styles.js";
import { markRead } from "../lib/unread.js";
import { ToolButton } from "../components/controls.js";
import { OperationItem } from "../components/operation.js";
import { PluginPage } from "../components/plugin_page.js";
import { Activity } from "./files/activity.js";
import { Directory } from "./files/directory.js";
import { askToClear } from "./files/removal.js";

/** @import { FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { FileOperation, TreeView } from "./files/types.d.ts" */

await loadStyles("tabs/files.css");

/** Events marked as read when the tree is shown: as many as the service holds by default. */
const HELD = 500;

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const { query } = place.value;
  const path = query.get("path") ?? "/";
  // Emptying the tree makes no event: a new number fetches the tree again.
  const [version, setVersion] = useState(0);
  const isSearch = query.has("search");
  const treePath = `/files/tree?path=${encodeURIComponent(path)}${isSearch ? "&recursive=1" : ""}`;
  /** @type {{ value?: TreeView, problem?: string }} */
  const { value: tree, problem } = useFetched(treePath, "files", { version });
  const { value: events = [] } = useFetched(`/events?plugin=files&limit=${HELD}`, "files");
  const recent = /** @type {readonly FullEvent[]} */ (events);
  // The tree shows the result of all of them.
  useEffect(() => markRead(recent.map(({ id }) => id)), [recent]);
  const stats = tree?.stats ?? { files: 0, dirs: 0, bytes: 0 };
  const isEmpty = tree !== undefined && stats.files + stats.dirs === 0;
  const clear = () => {
    askToClear(stats.files, () => {
      setQuery({ path: null, file: null, search: null }, { replace: true });
      setVersion(version + 1);
    });
  };
  const tools = html`
    <${ToolButton} icon="trash" text="Clear" label="Clear the tree" danger=${true}
      disabled=${stats.files + stats.dirs === 0} onClick=${clear} />
  `;
  const count = `${plural(stats.files, "file")} in ${
    plural(stats.dirs, "directory", "directories")
  }, ${formatSize(stats.bytes)}`;
  const start = {
    title: "No files yet",
    text: "Upload to one of these addresses. Files appear here at once and go nowhere else.",
    children: isEmpty && recent.length > 0 && html`<${Activity} events=${recent} />`,
  };
  return html`
    <${PluginPage} plugin=${plugin} start=${start} count=${count}
      problem=${tree?.path === path ? undefined : problem} isEmpty=${isEmpty} tools=${tools}>
      ${tree !== undefined && html`<${Directory} plugin=${plugin} tree=${tree} events=${recent} />`}
    <//>
  `;
}

/** An operation on the tree, and the bytes of an upload. @param {{ event: FullEvent }} props */
export function Item({ event }) {
  const operation = /** @type {FileOperation} */ (event.payload);
  const { path, old_path, dir, size, user, command, content_type: type } = operation;
  const isThere = operation.operation !== "delete";
  return html`
    <${OperationItem} title=${event.summary} blob=${operation.blob} type=${type ?? ""}
      name=${path.slice(path.lastIndexOf("/") + 1)}
      href=${isThere ? hrefOf(path, dir) : undefined} rows=${[
        ["Path", path],
        ["Before", old_path],
        ["Size", dir ? "Directory" : formatSize(size)],
        ["Type", type],
        ["User", user],
        ["Command", command],
      ]} />
  `;
}

/**
 * Returns the address of an entry in the tab.
 * @param {string} path
 * @param {boolean} dir
 */
function hrefOf(path, dir) {
  if (dir) return `/ui/files/?path=${encodeURIComponent(path)}`;
  const folder = path.slice(0, path.lastIndexOf("/")) || "/";
  return `/ui/files/?path=${encodeURIComponent(folder)}&file=${encodeURIComponent(path)}`;
}
