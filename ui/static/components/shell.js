/** Navigation, connection state, and the frame of a page. */
import { html, signal, useEffect, useId } from "../lib/dom.js";
import { now } from "../lib/clock.js";
import { formatCount, formatUptime } from "../lib/format.js";
import { useKeys } from "../lib/keys.js";
import { chooseNamespace, connection } from "../lib/live.js";
import { namespace, namespaces } from "../lib/namespace.js";
import { setTheme, theme } from "../lib/prefs.js";
import { navigate, place } from "../lib/router.js";
import {
  events,
  health,
  plugins,
  refreshHealth,
  rejectedCount,
  rejectedSeen,
  tallies,
} from "../lib/store.js";
import { Badge, IconButton } from "./controls.js";
import { Dialogs, showHelp } from "./dialog.js";
import { Icon, Mark } from "./icons.js";
import { News } from "./news.js";
import { Toasts } from "./toast.js";

/** Whether the navigation covers a narrow page. */
export const navShown = signal(false);

/** @param {{ children?: import("../lib/dom.js").Children }} props */
export function Shell({ children }) {
  useNavigationKeys();
  const { path } = place.value;
  useEffect(() => {
    navShown.value = false;
  }, [path]);
  useEffect(() => {
    if (!navShown.value) return;
    const opened = document.activeElement;
    const [first] = document.querySelectorAll(".nav a");
    if (first instanceof HTMLElement) first.focus();
    return () => opened instanceof HTMLElement && opened.focus();
  }, [navShown.value]);
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <div class=${`shell ${navShown.value ? "nav-shown" : ""}`}>
      <${Navigation} />
      <div class="nav-shade" onClick=${() => navShown.value = false}></div>
      <div class="content">
            ${connection.value === "lost" && html`
              <p class="lost"
                role="status"><span class="dot lost"></span>Not connected: trying again. This page may be out of date.</p>
            `}
            ${children}
          </div>
    </div>
    <${News} />
    <${Toasts} />
    <${Dialogs} />
  `;
}

/** The letter after `g` for each plugin: the first free letter of its name. */
function pluginKeys() {
  const taken = new Set(["o", "e", "t", "r", "x", "b", "g"]);
  return plugins.value.map(({ name, title }) => {
    const letter = [...name, ..."abcdefghijklmnopqrstuvwxyz"].find((letter) =>
      !taken.has(letter)
    ) ?? "";
    taken.add(letter);
    return { letter, name, title };
  });
}

function useNavigationKeys() {
  const group = "Go to";
  useKeys([
    { keys: "g o", about: "Overview", group, run: () => navigate("/ui/") },
    { keys: "g e", about: "All events", group, run: () => navigate("/ui/events/") },
    { keys: "g t", about: "Stories", group, run: () => navigate("/ui/stories/") },
    ...pluginKeys().map(({ letter, name, title }) => ({
      keys: `g ${letter}`,
      about: title,
      group,
      run: () => navigate(`/ui/${name}/`),
    })),
    { keys: "g r", about: "Rejected", group, run: () => navigate("/ui/rejected/") },
    { keys: "g x", about: "Faults", group, run: () => navigate("/ui/faults/") },
    { keys: "g b", about: "Callbacks", group, run: () => navigate("/ui/callbacks/") },
    { keys: "?", about: "Show this help", group: "Everywhere", run: showHelp },
    { keys: "Escape", about: "Close", group: "Everywhere", run: () => navShown.value = false },
  ]);
}

function Navigation() {
  const total = events.value.length;
  const rejected = rejectedCount.value;
  return html`
    <nav class="nav" aria-label="Main">
      <a class="brand" href="/ui/"><${Mark} /><span>Standin</span></a>
      <${NamespaceChoice} />
      <ul>
        <${Item} href="/ui/" icon="overview" label="Overview" />
        <${Item} href="/ui/events/" icon="events" label="All events" count=${total} />
        <${Item} href="/ui/stories/" icon="stories" label="Stories" />
      </ul>
      <h2>Captured</h2>
      <ul>
          ${plugins.value.map(({ name, title }) => {
            const tally = tallies.value.get(name);
            return html`
              <${Item} key=${name} href=${`/ui/${name}/`} icon=${name} label=${title} count=${tally
                ?.count ?? 0}
                news=${tally?.unread ?? 0} newsLabel="unread" />
            `;
          })}
        </ul>
      <h2>Not captured</h2>
      <ul>
        <${Item} href="/ui/rejected/" icon="rejected" label="Rejected" count=${rejected}
          news=${Math.max(0, rejected - rejectedSeen.value)} newsLabel="new" tone="warn" />
      </ul>
      <h2>On demand</h2>
      <ul>
        <${Item} href="/ui/faults/" icon="faults" label="Faults" />
        <${Item} href="/ui/callbacks/" icon="callbacks" label="Callbacks" />
      </ul>
      <${Footer} />
    </nav>
  `;
}

/** Shown once anything has a namespace. */
function NamespaceChoice() {
  const id = useId();
  const chosen = namespace.value;
  const names = namespaces.value;
  if (chosen === "" && names.length === 0) return null;
  const all = chosen === "" || names.includes(chosen) ? names : [...names, chosen];
  return html`
    <div class="field nav-namespace">
      <label for=${id}>Namespace</label>
      <select id=${id} value=${chosen} onChange=${(/** @type {Event} */ event) =>
        chooseNamespace(/** @type {HTMLSelectElement} */ (event.target).value)}>
          <option value="" selected=${chosen === ""}>All</option>
          ${all.map((name) =>
            html`<option value=${name} selected=${name === chosen}>${name}</option>`
          )}
        </select>
    </div>
  `;
}

/**
 * @param {{ href: string, icon: string, label: string, count?: number, news?: number, newsLabel?: string,
 *   tone?: "accent" | "warn" }} props
 */
function Item({ href, icon, label, count, news = 0, newsLabel = "", tone = "accent" }) {
  const { path } = place.value;
  const isHere = href === "/ui/" ? path === href : path.startsWith(href);
  return html`
    <li>
      <a class="nav-item" href=${href} aria-current=${isHere ? "page" : undefined}>
          <${Icon} name=${icon} /><span class="nav-label">${label}</span>
          ${news > 0
            ? html`<${Badge} count=${news} label=${newsLabel} tone=${tone} />`
            : count !== undefined && count > 0 &&
              html`<span class="nav-count">${formatCount(count)}</span>`}
        </a>
    </li>
  `;
}

const CONNECTIONS = { connecting: "Connecting", live: "Live", lost: "Not connected" };
/** Polling interval of the engine that several instances share, in milliseconds. */
const ENGINE_MS = 5000;
/** Seconds without a response after which it is unknown how far behind this instance is. */
const SILENT_SECONDS = 3;

/**
 * Shows which instance this is, and whether it shows what the others captured.
 * @param {{ state: import("../lib/types.d.ts").Health }} props
 */
function Engine({ state: { instance, storage } }) {
  useEffect(() => {
    const timer = setInterval(refreshHealth, ENGINE_MS);
    return () => clearInterval(timer);
  }, []);
  const behind = storage.behind ?? 0;
  const silent = storage.silent_seconds ?? 0;
  const trouble = storage.connected === false
    ? "does not answer"
    : silent > SILENT_SECONDS
    ? `no response for ${Math.round(silent)} s`
    : behind > 0
    ? `${formatCount(behind)} behind`
    : undefined;
  const name = instance === undefined ? "" : `${instance} · `;
  return html`
    <span class="nav-version" title=${storage.server}>${name}NATS</span>
    ${trouble !== undefined && html`<span class="nav-version nav-trouble">${trouble}</span>`}
    ${storage.writers?.map((writer) => html`<${StateWriter} ...${writer} />`)}
  `;
}

/**
 * Shows which instance serves a plugin that only one at a time can serve.
 *
 * @param {import("../lib/types.d.ts").StateWriter} writer
 */
function StateWriter({ plugin, at, instance, host }) {
  if (at === "nowhere") {
    return html`<span class="nav-version nav-trouble">no instance serves ${plugin}</span>`;
  }
  const where = at === "here" ? "this instance" : instance ?? host;
  return html`<span class="nav-version" title=${host}>${plugin}: ${where}</span>`;
}

const THEMES = /** @type {const} */ ({
  system: { next: "light", icon: "auto", label: "Theme: system" },
  light: { next: "dark", icon: "sun", label: "Theme: light" },
  dark: { next: "system", icon: "moon", label: "Theme: dark" },
});

function Footer() {
  const state = health.value;
  const scheme = THEMES[theme.value];
  const uptime = state === undefined
    ? ""
    : formatUptime(state.uptime_seconds + (now.value - state.at) / 1000);
  return html`
    <footer class="nav-foot">
      <div class="nav-state">
          <span class=${`dot ${connection.value}`}></span>${CONNECTIONS[connection.value]}
          <span class="nav-version">${state && html`v${state.version} · up ${uptime}`}</span>
          ${state?.storage.events === "nats" && html`<${Engine} state=${state} />`}
        </div>
      <div class="nav-tools">
        <${IconButton} icon=${scheme.icon} label=${scheme.label} onClick=${() =>
          setTheme(scheme.next)} />
        <${IconButton} icon="help" label="Keyboard (?)" onClick=${showHelp} />
      </div>
    </footer>
  `;
}
