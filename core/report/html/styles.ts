/** Styles of the page: those of the user interface, light and dark. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #0c0e12);
  --surface: light-dark(#ffffff, #13161b);
  --sunken: light-dark(#f3f4f7, #0f1216);
  --line: light-dark(#e4e7ec, #252a33);
  --text: light-dark(#171a21, #eceef2);
  --soft: light-dark(#565d6c, #a3abba);
  --accent: light-dark(#4338ca, #a9a6ff);
  --accent-ground: light-dark(#eef0ff, #1f2040);
  --good: light-dark(#136c34, #4ade80);
  --warn: light-dark(#8a4f05, #f2b84b);
  --warn-ground: light-dark(#fdf4e3, #2b2213);
  --danger: light-dark(#b42318, #ff8b80);
  --danger-ground: light-dark(#fdeeec, #321817);
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 72rem;
  padding: 1.5rem 1rem 4rem;
  font: 400 0.875rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  color: var(--text);
  background: var(--ground);
}
h1 { margin: 0; font-size: 1.375rem; letter-spacing: -0.01em; }
h2 { margin: 2rem 0 0.75rem; font-size: 1rem; }
h4 { margin: 0 0 0.375rem; font-size: 0.75rem; font-weight: 600; color: var(--soft); }
p { margin: 0; }
a { color: var(--accent); }
bdi { unicode-bidi: isolate; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: 0.75rem; }
.counts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.75rem 0 0; padding: 0; list-style: none; }
.counts li { padding: 0.125rem 0.625rem; border: 1px solid var(--line); border-radius: 99px; background: var(--surface); }
.bad, .error { color: var(--danger); }
.warning { color: var(--warn); }
.good { color: var(--good); }
#tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; margin: 0 0 0.75rem; }
#tools[hidden] { display: none; }
#search {
  flex: 1 1 14rem; min-width: 0; padding: 0.5rem 0.75rem; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: 6px;
}
button {
  padding: 0.5rem 0.75rem; font: inherit; color: inherit; cursor: pointer;
  background: var(--surface); border: 1px solid var(--line); border-radius: 6px;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.list { border: 1px solid var(--line); border-radius: 10px; background: var(--surface); overflow: hidden; }
.list > details + details { border-top: 1px solid var(--line); }
.list > details > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.75rem; padding: 0.625rem 1rem; cursor: pointer; list-style: none; }
.list > details > summary::-webkit-details-marker { display: none; }
.list > details > summary::before { content: "▸"; color: var(--soft); }
.list > details[open] > summary::before { content: "▾"; }
.list > details > summary:hover, .list > details[open] > summary { background: var(--sunken); }
time { color: var(--soft); font-variant-numeric: tabular-nums; font-size: 0.75rem; }
.chip, .badge { padding: 0 0.5rem; border-radius: 99px; font-size: 0.75rem; white-space: nowrap; background: var(--accent-ground); color: var(--accent); }
.badge { margin-left: auto; background: var(--sunken); color: var(--soft); }
.badge.warning { background: var(--warn-ground); color: var(--warn); }
.badge.error { background: var(--danger-ground); color: var(--danger); }
.title { flex: 0 1 auto; min-width: 0; font-weight: 600; }
.snippet { flex: 1 1 12rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--soft); }
.people { flex-basis: 100%; min-width: 0; padding-left: 1.5rem; font-size: 0.75rem; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.body { display: grid; gap: 1rem; padding: 1rem; border-top: 1px solid var(--line); }
.body > * { min-width: 0; }
.finding { padding: 0.5rem 0.75rem; border-radius: 6px; color: var(--text); background: var(--sunken); }
.finding.warning { background: var(--warn-ground); }
.finding.error { background: var(--danger-ground); }
.finding.warning strong { color: var(--warn); }
.finding.error strong { color: var(--danger); }
.finding pre { margin-top: 0.375rem; }
dl { display: grid; gap: 0.125rem; margin: 0; }
dl > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.75rem; }
dt { color: var(--soft); }
dd { margin: 0; white-space: pre-wrap; }
pre {
  margin: 0; padding: 0.75rem; font: 400 0.75rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; max-height: 40rem; overflow: auto;
}
mark { padding: 0 0.125rem; border-radius: 2px; color: inherit; background: light-dark(#ffe08a, #6b4e0b); }
iframe { display: block; width: 100%; height: 28rem; resize: vertical; border: 1px solid var(--line); border-radius: 6px; background: #fff; color-scheme: light; }
img { display: block; max-width: min(100%, 30rem); max-height: 24rem; border: 1px solid var(--line); border-radius: 6px; }
figure { margin: 0; }
figcaption { margin-bottom: 0.25rem; font-size: 0.75rem; color: var(--soft); }
.bubble > p { display: inline-block; max-width: 40rem; padding: 0.5rem 0.875rem; border-radius: 1rem; border-bottom-left-radius: 0.25rem; white-space: pre-wrap; background: var(--accent-ground); }
.bubble code { padding: 0 0.25rem; border-radius: 4px; font-family: var(--mono); font-size: 0.75rem; background: light-dark(rgb(23 26 33 / 8%), rgb(255 255 255 / 12%)); }
.notice { max-width: 26rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--sunken); }
.notice > p { white-space: pre-wrap; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.75rem; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td { font-family: var(--mono); white-space: pre-wrap; min-width: 5rem; }
.fold > summary { cursor: pointer; color: var(--soft); font-size: 0.75rem; }
.fold > pre { margin-top: 0.375rem; }
@media (max-width: 40rem) {
  body { padding: 1rem 0.5rem 3rem; }
  .badge { margin-left: 0; }
  .people { padding-left: 0; }
  .snippet { flex-basis: 100%; }
  dl > div { grid-template-columns: minmax(0, 1fr); gap: 0; margin-bottom: 0.375rem; }
}
@media print { #tools { display: none; } body { background: none; } }
`;
