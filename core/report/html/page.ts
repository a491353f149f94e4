/**
 * A run as one self-contained HTML file: it needs no network and no server, and scripts only for
 * searching.
 */
import { encodeBase64 } from "@std/encoding/base64";
import type { ExpectationRecord } from "../../expect/history.ts";
import type { Logger } from "../../log.ts";
import type { AnyPlugin } from "../../plugin.ts";
import { TimeSlice } from "../../time_slice.ts";
import { partsOf } from "../parts.ts";
import { countsOf, type ReportedRun } from "../run.ts";
import { nameOfExpectation, plural } from "../words.ts";
import { itemMarkup } from "./item.ts";
import { captured, Markup, markup } from "./markup.ts";
import { type FileRoom, folded } from "./parts.ts";
import { SCRIPT } from "./script.ts";
import { STYLES } from "./styles.ts";

/** Maximum number of items; the newest are shown. */
const MAX_ITEMS = 2000;
/** Maximum characters of all items. */
const MAX_CHARS = 64 * 1024 * 1024;
/** Maximum bytes of all files. */
const MAX_FILES_BYTES = 16 * 1024 * 1024;

/** Returns the page. */
export async function toHtml(
  run: ReportedRun,
  { plugins, log }: { readonly plugins: readonly AnyPlugin[]; readonly log: Logger },
): Promise<string> {
  const items = await itemsOf(run, { plugins, log });
  const title = run.instance === undefined ? "Standin report" : `Standin report: ${run.instance}`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${await policy()}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(STYLES)}</style>
</head>
<body>
<header>
<h1>${captured(title)}</h1>
<p class="soft">${run.exportedAt}</p>
${counts(run)}
</header>
<main>
${expectationsMarkup(run)}
<h2>Items</h2>
${TOOLS}
${items}
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

/** Shown by the script, because it works only with scripts. */
const TOOLS = new Markup(
  '<div id="tools" hidden>' +
    '<input id="search" type="search" placeholder="Search" aria-label="Search in all items">' +
    '<label><input id="only" type="checkbox"> with findings</label>' +
    '<button id="open" type="button">Open or close all</button>' +
    '<span id="count" class="soft" role="status"></span></div>',
);

/** Frames inherit it, so it allows the styles of emails, too. */
async function policy(): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(SCRIPT));
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    `script-src 'sha256-${encodeBase64(digest)}'`,
    // Not covered by default-src.
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function counts(run: ReportedRun): Markup {
  const { events, expectations, unmet, findings } = countsOf(run);
  const met = expectations - unmet;
  return markup`<ul class="counts"><li>${plural(events, "item")}</li>${
    met > 0 && markup`<li class="good">${plural(met, "expectation")} met</li>`
  }${unmet > 0 && markup`<li class="bad">${plural(unmet, "expectation")} not met</li>`}${
    (["error", "warning", "info"] as const).filter((level) => findings[level] > 0).map((level) =>
      markup`<li class="${level}">${
        plural(findings[level], level, level === "info" ? level : `${level}s`)
      }</li>`
    )
  }</ul>`;
}

function expectationsMarkup({ expectations, events }: ReportedRun): Markup | undefined {
  if (expectations.length === 0) return undefined;
  const held = new Set(events.map(({ event }) => event.id));
  // Failed expectations come first: they are the reason to read a report.
  const ordered = expectations.toSorted((a, b) => Number(a.met) - Number(b.met));
  return markup`<h2>Expectations</h2>
<div class="list">${ordered.map((record) => expectationMarkup(record, held))}</div>`;
}

function expectationMarkup(record: ExpectationRecord, held: ReadonlySet<string>): Markup {
  const { met, error, duration_ms: ms, started_at: at, expectation, count } = record;
  const matched = record.events.filter((id) => held.has(id));
  const links = matched.map((id) => markup` <a href="#e-${id}">${id}</a>`);
  return markup`<details${!met && new Markup(" open")}><summary><span class="${
    met ? "good" : "bad"
  }">${met ? "met" : "not met"}</span><span class="title">${
    captured(nameOfExpectation(record))
  }</span><time datetime="${at}">${at.slice(11, 19)}, ${ms} ms</time></summary>
<div class="body">${error !== undefined && markup`<pre>${captured(error)}</pre>`}<p>${
    plural(count, "match", "matches")
  }${links}</p>${
    folded("Expectation", JSON.stringify(expectation, null, 2) ?? "It was too long to be kept")
  }</div></details>
`;
}

async function itemsOf(
  run: ReportedRun,
  about: { readonly plugins: readonly AnyPlugin[]; readonly log: Logger },
): Promise<Markup> {
  const { blobs } = run;
  const room: FileRoom = { blobs, left: MAX_FILES_BYTES };
  const shown: Markup[] = [];
  const slice = new TimeSlice();
  let chars = 0;
  for (const reported of run.events.toReversed()) {
    if (shown.length >= MAX_ITEMS || chars > MAX_CHARS) break;
    if (slice.over) await slice.yieldToEventLoop();
    const item = await itemMarkup(
      reported,
      await partsOf(reported.event, { ...about, blobs }),
      room,
    );
    chars += item.text.length;
    shown.push(item);
  }
  if (shown.length === 0) return markup`<p class="soft">Nothing was captured.</p>`;
  const left = run.events.length - shown.length;
  return markup`<div class="list">${shown}</div>${
    left > 0 &&
    markup`<p class="soft">${
      plural(left, "older item")
    } omitted because of the size limit of this page.</p>`
  }`;
}
