/** One directory, or the search results below it. */
import { html, useMemo } from "../../lib/dom.js";
import { formatSize } from "../../lib/format.js";
import { useKeys } from "../../lib/keys.js";
import { vendorOf } from "../../lib/providers.js";
import { place, setQuery } from "../../lib/router.js";
import { Columns, Crumbs, iconOf, ROW_HEIGHT } from "../../components/browse.js";
import { Time } from "../../components/controls.js";
import { Empty } from "../../components/empty.js";
import { QueryField } from "../../components/filters.js";
import { Icon } from "../../components/icons.js";
import { List } from "../../components/list.js";
import { Split } from "../../components/split.js";
import { Captured } from "../../components/text.js";
import { Activity } from "./activity.js";
import { Preview } from "./preview.js";
import { askToDelete } from "./removal.js";
import { entriesOf } from "./rows.js";

/** @import { FullEvent, PluginInfo } from "../../lib/types.d.ts" */
/** @import { Entry, TreeView } from "./types.d.ts" */

/** Sort columns of a directory. */
const COLUMNS = [
  { id: "name", label: "Name" },
  { id: "by", label: "By", least: true },
  { id: "size", label: "Size" },
  { id: "modified", label: "Modified" },
];

/** @param {{ plugin: PluginInfo, tree: TreeView, events: readonly FullEvent[] }} props */
export function Directory({ plugin, tree, events }) {
  const { query } = place.value;
  const selected = query.get("file");
  const search = query.get("search") ?? "";
  const order = query.get("order") ?? "";
  // Cached: there may be 50 000 entries, and other parts render often.
  const items = useMemo(() => entriesOf(tree, { search, order }), [tree, search, order]);
  const entry = items.find(({ id }) => id === selected)?.entry;
  const up = () => setQuery({ path: parentOf(tree), file: null, search: null });
  useKeys([
    { keys: "u", about: "Up one level", group: "Files", run: up },
    ...(entry === undefined ? [] : [
      { keys: "Escape", about: "Close", group: "Files", run: () => setQuery({ file: null }) },
      {
        keys: "#",
        about: "Delete, after confirmation",
        group: "Files",
        run: () => askToDelete(entry),
      },
    ]),
  ]);
  /** @param {string} id @param {"step" | "open"} how */
  const pick = (id, how) => {
    const picked = items.find((item) => item.id === id)?.entry;
    if (picked?.dir && how === "open") setQuery({ path: id, file: null, search: null });
    else setQuery({ file: id }, { replace: how === "step" });
  };
  const list = html`
    <${Crumbs} steps=${stepsTo(tree)} />
    <div class="filters">
      <div class="filters-line">
        <${QueryField} key=${tree.path} name="search" label="Search files" search=${true}
          placeholder=${tree.path === "/" ? "Search the whole tree" : "Search below here"} />
      </div>
    </div>
    ${items.length === 0
      ? html`
        <${Empty} icon="files" title=${search === ""
          ? "This directory is empty"
          : "No file matches"} />
      `
      : html`
        <${Columns} columns=${COLUMNS} />
        <${List} items=${items} selected=${selected} rowHeight=${ROW_HEIGHT}
          label=${`Entries of ${tree.path}`} group="Files" onSelect=${pick}
          renderRow=${(/** @type {{ entry: Entry }} */ item) =>
            html`<${Row} entry=${item.entry} base=${tree.path} search=${search} />`} />
      `}
  `;
  const detail = entry === undefined
    ? html`<${Activity} events=${events} />`
    : html`<${Preview} key=${entry.path} plugin=${plugin} entry=${entry} />`;
  return html`
    <${Split} class="files-split" list=${list} detail=${html`<div class="panel">${detail}</div>`}
      showDetail=${entry !== undefined} />
  `;
}

/** @param {TreeView} tree */
function parentOf({ breadcrumb }) {
  const parent = breadcrumb.at(-2)?.path ?? "/";
  return parent === "/" ? null : parent;
}

/** @param {TreeView} tree */
function stepsTo({ breadcrumb }) {
  return breadcrumb.map(({ name, path }) => ({
    name: path === "/" ? "Root" : name,
    open: () => setQuery({ path: path === "/" ? null : path, file: null, search: null }),
  }));
}

/** @param {{ entry: Entry, base: string, search: string }} props */
function Row({ entry, base, search }) {
  const { dir, path, name, size, provider = "", content_type: type = "", mod_time } = entry;
  // A search result may be in a subdirectory.
  const shown = search === "" ? name : path.slice(base === "/" ? 1 : base.length + 1);
  return html`
    <span class="browse-row files-row wide">
      <${Icon} name=${iconOf({ folder: dir, type })} />
      <${Captured} class="row-title" text=${shown} found=${search} />
      <span class="browse-size least">${provider && vendorOf("files", provider)}</span>
      <span class="browse-size">${dir ? "" : formatSize(size)}</span>
      <${Time} iso=${mod_time} />
    </span>
  `;
}
