/** One bucket, level by level. */
import { html, useMemo } from "../../lib/dom.js";
import { formatSize, plural } from "../../lib/format.js";
import { useKeys } from "../../lib/keys.js";
import { place, setQuery } from "../../lib/router.js";
import { Time } from "../../components/controls.js";
import { Columns, Crumbs, iconOf, ROW_HEIGHT } from "../../components/browse.js";
import { Empty } from "../../components/empty.js";
import { QueryField } from "../../components/filters.js";
import { Icon } from "../../components/icons.js";
import { List } from "../../components/list.js";
import { Problem } from "../../components/page.js";
import { Split } from "../../components/split.js";
import { Captured } from "../../components/text.js";
import { useListing } from "./listing.js";
import { ObjectDetail } from "./object.js";
import { BucketDetail, FolderDetail, PanelButton } from "./panel.js";
import { askToDeleteFolder } from "./removal.js";
import { folderOf, inOrder, nameOf } from "./rows.js";

/** @import { EventRecord } from "../../lib/types.d.ts" */
/** @import { Fetched } from "./listing.js" */
/** @import { BucketsView, Row as ListRow, UploadView } from "./types.d.ts" */

/** Sort columns of a listing. */
const COLUMNS = [
  { id: "name", label: "Name" },
  { id: "size", label: "Size" },
  { id: "modified", label: "Modified" },
];

/**
 * @param {{ name: string, store: BucketsView, url: string, events: readonly EventRecord[], uploads: readonly UploadView[] }} props
 */
export function Browser({ name, store, url, events, uploads }) {
  const { query } = place.value;
  const read = (/** @type {string} */ word) => query.get(word) ?? "";
  const [prefix, search, id] = [read("prefix"), read("search"), read("key")];
  const listing = useListing({ bucket: name, prefix, search });
  const order = read("order");
  // Cached: there may be 50 000 entries, and other parts render often.
  const rows = useMemo(
    () => listing.listing === undefined ? [] : inOrder(listing.listing, order),
    [listing.listing, order],
  );
  const bucket = store.buckets.find((one) => one.name === name) ?? listing.listing?.bucket;
  const isFolder = id !== "" && search === "" && folderOf(id, prefix) === id;
  const up = () => setQuery(parentOf(prefix));
  useKeys([{ keys: "u", about: "Up one level", group: "S3", run: up }]);
  const isPanel = query.get("panel") !== null;
  const list = html`
    <${Crumbs} steps=${stepsTo(name, prefix)} />
    <div class="filters">
      <div class="filters-line">
        <${QueryField} key=${prefix} name="search" label="Search keys"
          placeholder=${prefix === ""
            ? "Search the whole bucket"
            : "Search below here"} search=${true} />
        <${PanelButton} />
      </div>
    </div>
    <${Problem} text=${listing.problem} />
    <${Rows} rows=${rows} fetched=${listing} prefix=${prefix} search=${search}
      selected=${id} versions=${bucket?.versions ?? 0} />
  `;
  const detail = isFolder
    ? html`
      <${Folder} key=${id} bucket=${name} prefix=${id} url=${url} />
    `
    : id !== ""
    ? html`<${ObjectDetail} key=${id} bucket=${name} id=${id} url=${url} next=${
      nextOf(rows, id)
    } />`
    : bucket !== undefined && html`
      <${BucketDetail} bucket=${bucket} url=${url} events=${events} uploads=${uploads}
        prefix=${prefix}
        onClose=${() => setQuery({ panel: null })} />
    `;
  return html`
    <${Split} class="s3-split" list=${list} detail=${html`<div class="panel">${detail}</div>`}
      showDetail=${id !== "" || isPanel} />
  `;
}

/** @param {{ bucket: string, prefix: string, url: string }} props */
function Folder({ bucket, prefix, url }) {
  const close = () => setQuery({ key: null });
  useKeys([
    { keys: "Escape", about: "Close the folder", group: "S3", run: close },
    {
      keys: "#",
      about: "Delete, after confirmation",
      group: "S3",
      run: () => askToDeleteFolder({ bucket, prefix }),
    },
  ]);
  return html`
    <${FolderDetail} bucket=${bucket} prefix=${prefix} url=${url} onClose=${close}
      onOpen=${() => setQuery({ prefix, key: null })} />
  `;
}

/**
 * Returns what to show after a deletion.
 * @param {readonly ListRow[]} rows
 * @param {string} id
 */
function nextOf(rows, id) {
  const at = rows.findIndex((row) => row.id === id);
  const next = at < 0 ? undefined : rows[at + 1] ?? rows[at - 1];
  return next === undefined || next.folder ? null : next.id;
}

/**
 * Returns the next level up; the topmost one leads to all buckets.
 * @param {string} prefix
 */
function parentOf(prefix) {
  const none = { key: null, search: null };
  if (prefix === "") return { ...none, bucket: null };
  return { ...none, prefix: prefix.slice(0, prefix.lastIndexOf("/", prefix.length - 2) + 1) };
}

/**
 * Returns the path from all buckets to the listed prefix.
 * @param {string} bucket
 * @param {string} prefix
 */
function stepsTo(bucket, prefix) {
  const parts = prefix.match(/[^/]*\/|[^/]+$/g) ?? [];
  const here = { key: null, search: null };
  return [
    { name: "Buckets", open: () => setQuery({ ...here, bucket: null, prefix: null }) },
    { name: bucket, open: () => setQuery({ ...here, prefix: null }) },
    ...parts.map((part, at) => ({
      name: part.replace(/\/$/, "") || "/",
      open: () => setQuery({ ...here, prefix: parts.slice(0, at + 1).join("") }),
    })),
  ];
}

/**
 * @param {{ rows: readonly ListRow[], fetched: Fetched & { more: (options?: { all?: boolean }) => void },
 *   prefix: string, search: string, selected: string, versions: number }} props
 */
function Rows({ rows, fetched, prefix, search, selected, versions }) {
  const { listing, busy, more } = fetched;
  if (listing === undefined) return null;
  if (rows.length === 0) {
    return html`<${Nothing} prefix=${prefix} search=${search} versions=${versions} />`;
  }
  /** @param {string} id @param {"step" | "open"} how */
  const pick = (id, how) => {
    const isFolder = listing.folders.some((row) => row.id === id);
    if (isFolder && how === "open") setQuery({ prefix: id, key: null });
    else setQuery({ key: id }, { replace: how === "step" });
  };
  const isPartial = listing.token !== undefined;
  const isSorted = (place.value.query.get("order") ?? "") !== "";
  return html`
    <${Columns} columns=${COLUMNS} />
    <${List} items=${rows} selected=${selected === "" ? null : selected} rowHeight=${ROW_HEIGHT}
      label="Objects" group="S3" onSelect=${pick}
      ...${isPartial && !busy ? { onNearEnd: () => more() } : {}}
      renderRow=${(/** @type {ListRow} */ row) =>
        html`<${Row} row=${row} prefix=${search === "" ? prefix : ""} />`} />
    <footer class="browse-foot" role="status">
      <span>${listing.folders.length > 0 &&
        `${plural(listing.folders.length, "folder")}, `}${plural(
          listing.objects.length,
          "object",
        )}${isPartial ? " so far" : ""}</span>
      ${isPartial && html`
        <button type="button" class="link-button" disabled=${busy}
          onClick=${() => more({ all: true })}>${busy
            ? "Fetching…"
            : isSorted
            ? "Fetch all to sort all"
            : "Fetch all"}</button>
      `}
    </footer>
  `;
}

/** @param {{ prefix: string, search: string, versions: number }} props */
function Nothing({ prefix, search, versions }) {
  if (search !== "") {
    return html`
      <${Empty} icon="search" title="No key matches">
        <p>Search for something else.</p>
        <//>
    `;
  }
  if (prefix === "" && versions > 0) {
    return html`
      <${Empty} icon="s3" title="No current objects">
        <p>${plural(versions, "version")} remain${versions === 1 ? "s" : ""}, delete markers
          included; <code>ListObjectVersions</code> returns them.</p>
        <//>
    `;
  }
  return html`
    <${Empty} icon="s3" title=${prefix === "" ? "This bucket is empty" : "Nothing here"}>
      <p>${prefix === ""
        ? "Put an object, and it"
        : "An object whose key has this prefix"} appears at once.</p>
      <//>
  `;
}

/** @param {{ row: ListRow, prefix: string }} props */
function Row({ row, prefix }) {
  return html`
    <span class="browse-row">
      <${Icon} name=${iconOf(row)} />
      <${Captured} class="row-title" text=${nameOf(row.id, prefix)} />
      <span class="browse-size">${row.folder ? "" : formatSize(row.size)}</span>
      ${row.folder ? html`<span></span>` : html`<${Time} iso=${row.modified} />`}
    </span>
  `;
}
