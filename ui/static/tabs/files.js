/** The tree of files: one directory, the file that is selected, and what happened last. */
import { html, useEffect, useState } from "../lib/dom.js";
import { messageOf, remove } from "../lib/api.js";
import { useFetched } from "../lib/fetched.js";
import { formatSize, plural } from "../lib/format.js";
import { place, setQuery } from "../lib/router.js";
import { loadStyles } from "../lib/styles.js";
import { markRead } from "../lib/unread.js";
import { Time, ToolButton } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty, HowTo } from "../components/empty.js";
import { Icon } from "../components/icons.js";
import { List } from "../components/list.js";
import { Page, Problem } from "../components/page.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { toast } from "../components/toast.js";
import { Preview } from "./files/preview.js";

/** @import { FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { Entry, TreeView } from "./files/types.d.ts" */

await loadStyles("tabs/files.css");

/** As `.files-row` in files.css. */
const ROW_HEIGHT = 40;
/** Events shown beside the tree, the newest. */
const RECENT = 30;
/** Events that count as read when the tree is looked at: as many as the service holds by default. */
const HELD = 500;

/** @param {{ plugin: PluginInfo }} props */
export function Tab({ plugin }) {
  const { query } = place.value;
  const path = query.get("path") ?? "/";
  // Emptying the tree is no event: a new number asks for the tree again.
  const [version, setVersion] = useState(0);
  const [howTo, setHowTo] = useState(false);
  const treePath = `/files/tree?path=${encodeURIComponent(path)}`;
  const { value: tree, problem } = useFetched(treePath, "files", { version });
  const { value: events = [] } = useFetched(`/events?plugin=files&limit=${HELD}`, "files");
  const recent = /** @type {readonly FullEvent[]} */ (events);
  // The tree shows what all of them came to.
  useEffect(() => markRead(recent.map(({ id }) => id)), [recent]);
  const stats = tree?.stats ?? { files: 0, dirs: 0, bytes: 0 };
  const isEmpty = tree !== undefined && stats.files + stats.dirs === 0;
  const clear = () => {
    askToClear(stats.files, () => {
      setQuery({ path: null, file: null }, { replace: true });
      setVersion(version + 1);
    });
  };
  const tools = html`
    <${ToolButton} icon="terminal" text="How to send" label="How to send" pressed=${howTo}
      onClick=${() => setHowTo(!howTo)} />
    <${ToolButton} icon="trash" text="Empty" label="Empty the tree" danger=${true}
      disabled=${stats.files + stats.dirs === 0} onClick=${clear} />
  `;
  const count = `${plural(stats.files, "file")} in ${
    plural(stats.dirs, "directory", "directories")
  }, ${formatSize(stats.bytes)}`;
  return html`
    <${Page} title=${plugin.title} count=${count} tools=${tools} class="files-page">
      <${Problem} text=${tree?.path === path ? undefined : problem} />
      ${isEmpty || howTo
        ? html`<${Start} plugin=${plugin} isEmpty=${isEmpty} events=${recent} />`
        : tree !== undefined &&
          html`<${Directory} tree=${tree} events=${recent} />`}
    <//>
  `;
}

/** @param {{ plugin: PluginInfo, isEmpty: boolean, events: readonly FullEvent[] }} props */
function Start({ plugin, isEmpty, events }) {
  return html`<div class="page-scroll">
    ${
    isEmpty && html`
      <${Empty} icon="files" title="No files yet">
        <p>Upload to one of these addresses. Files arrive here at once, and go nowhere else.</p>
        <//>
    `
  }
    <div class="howto-page"><h2>How to send</h2><${HowTo} plugin=${plugin} /></div>
    ${isEmpty && html`<${Activity} events=${events} />`}
  </div>`;
}

/** @param {{ tree: TreeView, events: readonly FullEvent[] }} props */
function Directory({ tree, events }) {
  const selected = place.value.query.get("file");
  const entry = tree.entries.find(({ path }) => path === selected);
  const items = tree.entries.map((one) => ({ id: one.path, entry: one }));
  /** @param {string} id @param {"step" | "open"} how */
  const pick = (id, how) => {
    const picked = tree.entries.find(({ path }) => path === id);
    if (picked?.dir && how === "open") setQuery({ path: id, file: null });
    else setQuery({ file: id }, { replace: how === "step" });
  };
  const list = html`
    <${Breadcrumb} tree=${tree} />
    ${items.length === 0 ? html`<${Empty} icon="files" title="This directory is empty" />` : html`
      <${List} items=${items} selected=${selected} rowHeight=${ROW_HEIGHT}
        label=${`Entries of ${tree.path}`} group="Files" onSelect=${pick}
        renderRow=${(/** @type {{ entry: Entry }} */ item) =>
          html`<${Row} entry=${item.entry} />`} />
    `}
  `;
  const detail = entry === undefined
    ? html`
      <div class="page-scroll">
        <${Activity} events=${events} />
      </div>
    `
    : html`
      <${Preview} key=${entry.path} entry=${entry} onDelete=${() => askToDelete(entry)} />
    `;
  return html`
    <${Split} class="files-split" list=${list} detail=${detail} showDetail=${entry !== undefined} />
  `;
}

/** @param {{ tree: TreeView }} props */
function Breadcrumb({ tree }) {
  return html`
    <nav class="files-crumbs" aria-label="Path">
      ${tree.breadcrumb.map(({ name, path }) =>
        html`
          <button type="button" class="button quiet" aria-current=${path === tree.path
            ? "page"
            : undefined}
            onClick=${() => setQuery({ path: path === "/" ? null : path, file: null })}>
            <${Captured} text=${path === "/" ? "Root" : name} />
          </button>
        `
      )}
    </nav>
  `;
}

/** @param {{ entry: Entry }} props */
function Row({ entry }) {
  return html`
    <span class="files-row">
      <${Icon} name=${iconOf(entry)} />
      <${Captured} class="row-title" text=${entry.name} />
      <span class="files-size">${entry.dir ? "" : formatSize(entry.size)}</span>
      <span class="files-by">${entry.provider ?? ""}</span>
      <${Time} iso=${entry.mod_time} />
    </span>
  `;
}

/** @param {Entry} entry */
function iconOf({ dir, content_type: type = "" }) {
  if (dir) return "files";
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("audio/")) return "audio";
  return /zip|tar|compress/.test(type) ? "archive" : "file";
}

/**
 * What happened to the tree last, newest first.
 * @param {{ events: readonly FullEvent[] }} props
 */
function Activity({ events }) {
  return html`
    <section class="files-activity" aria-label="Recent activity">
      <h2>Recent activity</h2>
      ${events.length === 0 && html`<p class="quiet">Nothing happened yet.</p>`}
      <ol>
        ${events.slice(0, RECENT).map((
          { id, summary, provider, received_at },
        ) =>
          html`
            <li key=${id}>
              <a href=${`/ui/events/${id}`}><${Captured} text=${summary} /></a>
              <span class="quiet">${provider} · <${Time} iso=${received_at} /></span>
            </li>
          `
        )}
      </ol>
    </section>
  `;
}

/** @param {Entry} entry */
function askToDelete(entry) {
  const what = entry.dir ? "directory with all that is in it" : "file";
  confirm({
    title: `Delete this ${entry.dir ? "directory" : "file"}?`,
    text: `The ${what} is removed for everybody who uses this service. This cannot be undone.`,
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
function askToClear(files, done) {
  confirm({
    title: `Empty the tree of ${plural(files, "file")}?`,
    text:
      "Every file and directory is removed for everybody who uses this service. This cannot be undone.",
    action: "Empty the tree",
    run: async () => {
      await act("/files/tree", "The tree is empty");
      done();
    },
  });
}

/**
 * @param {string} path
 * @param {string} done what to say then
 */
async function act(path, done) {
  try {
    await remove(path);
    toast(done);
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}
