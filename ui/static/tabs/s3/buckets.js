/** The list of buckets. */
import { html } from "../../lib/dom.js";
import { formatSize, plural } from "../../lib/format.js";
import { useKeys } from "../../lib/keys.js";
import { place, setQuery } from "../../lib/router.js";
import { IconButton, Time } from "../../components/controls.js";
import { ROW_HEIGHT } from "../../components/browse.js";
import { Empty } from "../../components/empty.js";
import { QueryField } from "../../components/filters.js";
import { Icon } from "../../components/icons.js";
import { List } from "../../components/list.js";
import { Split } from "../../components/split.js";
import { Captured } from "../../components/text.js";
import { Activity } from "./activity.js";
import { BucketDetail, PanelButton } from "./panel.js";
import { askToDeleteBucket } from "./removal.js";
import { Uploads } from "./uploads.js";

/** @import { EventRecord } from "../../lib/types.d.ts" */
/** @import { BucketsView, BucketView, UploadView } from "./types.d.ts" */

/**
 * @param {{ store: BucketsView, url: string, events: readonly EventRecord[], uploads: readonly UploadView[] }} props
 */
export function Buckets({ store, url, events, uploads }) {
  const { query } = place.value;
  const search = (query.get("search") ?? "").toLowerCase();
  const items = store.buckets.filter(({ name }) => name.includes(search))
    .map((bucket) => ({ id: bucket.name, bucket }));
  const selected = query.get("key");
  const picked = items.find(({ id }) => id === selected)?.bucket;
  /** @param {string} id @param {"step" | "open"} how */
  const pick = (id, how) => {
    if (how === "open") setQuery({ bucket: id, key: null, search: null });
    else setQuery({ key: id }, { replace: true });
  };
  useKeys(
    picked === undefined ? [] : [
      { keys: "Escape", about: "Close", group: "S3", run: () => setQuery({ key: null }) },
      {
        keys: "#",
        about: "Delete, after confirmation",
        group: "S3",
        run: () => askToDeleteBucket(picked),
      },
    ],
  );
  const list = html`
    <div class="filters">
      <div class="filters-line">
        <${QueryField} name="search" label="Search buckets" placeholder="Search buckets"
          search=${true} />
        <${PanelButton} />
      </div>
    </div>
    ${items.length === 0
      ? html`
        <${Empty} icon="search" title="No bucket matches">
          <p>Search for something else.</p>
          <//>
      `
      : html`
        <${List} items=${items} selected=${selected} rowHeight=${ROW_HEIGHT} label="Buckets"
          group="S3" onSelect=${pick}
          renderRow=${(/** @type {{ bucket: BucketView }} */ { bucket }) =>
            html`<${Row} bucket=${bucket} />`} />
      `}
  `;
  const isPanel = query.get("panel") !== null;
  const detail = html`
    <div class="panel">
      ${picked === undefined
        ? html`
          ${isPanel && html`
            <div class="pane-bar only-narrow">
              <${IconButton} icon="back" label="Back to the list" class="back"
                onClick=${() => setQuery({ panel: null })} />
            </div>
          `}
          <${Uploads} uploads=${uploads} />
          <${Activity} events=${events} />
        `
        : html`
          <${BucketDetail} bucket=${picked} url=${url} events=${events} uploads=${uploads}
            onOpen=${() => pick(picked.name, "open")} onClose=${() => setQuery({ key: null })} />
        `}
    </div>
  `;
  return html`
    <${Split} class="s3-split" list=${list} detail=${detail}
      showDetail=${picked !== undefined || isPanel} />
  `;
}

/** @param {{ bucket: BucketView }} props */
function Row({ bucket: { name, objects, bytes, creation_time } }) {
  return html`
    <span class="browse-row wide">
      <${Icon} name="s3" />
      <${Captured} class="row-title" text=${name} />
      <span class="browse-size least" title=${plural(objects, "object")}>${plural(
        objects,
        "object",
      )}</span>
      <span class="browse-size">${formatSize(bytes)}</span>
      <${Time} iso=${creation_time} />
    </span>
  `;
}
