/** Buttons, badges and times. */
import { html, useEffect, useRef, useState } from "../lib/dom.js";
import { now } from "../lib/clock.js";
import { absoluteTime, badgeCount, relativeTime } from "../lib/format.js";
import { Icon } from "./icons.js";
import { toast } from "./toast.js";

/**
 * A button with only an icon; its label is read aloud and shown on hover.
 * @param {{ icon: string, label: string, onClick: (event: Event) => void, pressed?: boolean, expanded?: boolean,
 *   danger?: boolean, disabled?: boolean, class?: string }} props
 */
export function IconButton(
  { icon, label, onClick, pressed, expanded, danger, disabled, class: extra = "" },
) {
  return html`
    <button
      type="button"
      class=${`icon-button ${danger ? "danger" : ""} ${extra}`}
      title=${label}
      aria-label=${label}
      aria-pressed=${pressed}
      aria-expanded=${expanded}
      disabled=${disabled}
      onClick=${onClick}
    ><${Icon} name=${icon} /></button>
  `;
}

/**
 * A button in the head of a page: its label disappears where space is short.
 * @param {{ icon: string, text: string, label: string, onClick: (event: Event) => void, pressed?: boolean,
 *   danger?: boolean, disabled?: boolean }} props
 */
export function ToolButton({ icon, text, label, onClick, pressed, danger, disabled }) {
  return html`
    <button type="button" class=${`button quiet tool ${danger ? "danger" : ""}`} title=${label}
      aria-label=${label} aria-pressed=${pressed} disabled=${disabled} onClick=${onClick}>
      <${Icon} name=${icon} /><span class="wide-only">${text}</span>
    </button>
  `;
}

const COPIED_MS = 1400;

/**
 * Copies a text, and remembers for a moment that it did.
 * @param {string | (() => string | Promise<string>)} text
 * @returns {{ copied: boolean, copy: () => Promise<void> }}
 */
function useCopy(text) {
  const [copied, setCopied] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
    } catch {
      // The clipboard needs a secure context and permission.
      toast("Cannot copy: the browser does not allow it on this page", { problem: true });
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  };
  return { copied, copy };
}

/**
 * Copies a text, and confirms it.
 * @param {{ text: string | (() => string | Promise<string>), label?: string, title?: string, icon?: string,
 *   class?: string }} props `label` is next to the icon; `title` names the copied text; `icon` distinguishes several
 *   buttons
 */
export function CopyButton(
  { text, label, title = "Copy", icon: usual = "copy", class: extra = "" },
) {
  const { copied, copy } = useCopy(text);
  const icon = copied ? "check" : usual;
  if (label === undefined) {
    return html`<${IconButton} icon=${icon} label=${
      copied ? "Copied" : title
    } onClick=${copy} class=${copied ? "copied" : ""} />`;
  }
  return html`
    <button type="button" class=${`button ${extra} ${copied ? "copied" : ""}`} title=${title}
      aria-label=${copied ? "Copied" : label} onClick=${copy}>
      <${Icon} name=${icon} /><span class="action-text">${copied ? "Copied" : label}</span>
    </button>
  `;
}

/**
 * A chip that copies its text.
 * @param {{ text: string, title: string, icon?: string, isSkipped?: boolean, children?: import("../lib/dom.js").Children }} props
 *   Tab passes over one that `isSkipped`
 */
export function CopyChip({ text, title, icon = "copy", isSkipped = false, children }) {
  const { copied, copy } = useCopy(text);
  return html`
    <button type="button" class=${`chip copy-chip ${copied ? "copied" : ""}`} title=${title}
      tabindex=${isSkipped ? -1 : undefined}
      aria-label=${copied ? "Copied" : title} onClick=${copy}>
      <${Icon} name=${copied ? "check" : icon} size=${12} /><bdi>${children}</bdi>
    </button>
  `;
}

/**
 * The number of new items; hidden if zero.
 * @param {{ count: number, label: string, tone?: "accent" | "warn" }} props
 */
export function Badge({ count, label, tone = "accent" }) {
  if (count === 0) return null;
  return html`<span class=${`badge ${tone}`} title=${`${count} ${label}`}>${
    badgeCount(count)
  }<span class="hidden"> ${label}</span></span>`;
}

/**
 * The mark of an unread row.
 * @param {{ unread: boolean }} props
 */
export function UnreadDot({ unread }) {
  return html`<span class="unread-dot">${
    unread && html`<span class="hidden">Unread.</span>`
  }</span>`;
}

/**
 * A short label on a tinted background.
 * @param {{ children?: import("../lib/dom.js").Children, tone?: string, title?: string }} props
 */
export function Chip({ children, tone = "", title }) {
  return html`<span class=${`chip ${tone}`} title=${title}>${children}</span>`;
}

/**
 * A relative time, with the exact time on hover.
 * @param {{ iso: string }} props
 */
export function Time({ iso }) {
  return html`<time datetime=${iso} title=${absoluteTime(iso)}>${
    relativeTime(iso, now.value)
  }</time>`;
}

/**
 * A choice between several views.
 * @param {{ label: string, items: readonly { id: string, label: string, count?: number }[], current: string,
 *   onPick: (id: string) => void, class?: string }} props
 */
export function Tabs({ label, items, current, onPick, class: extra = "" }) {
  /** @param {KeyboardEvent} event */
  const step = (event) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const index = items.findIndex(({ id }) => id === current);
    const next = items[(index + by + items.length) % items.length];
    if (next === undefined) return;
    onPick(next.id);
    const tabs = /** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("[role=tab]");
    /** @type {HTMLElement} */ (tabs[items.indexOf(next)]).focus();
  };
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const counts = items.map(({ count }) => count).join();
  // Only sideways: the page stays where it is.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected="true"]');
    if (!(tab instanceof HTMLElement) || list.current === null) return;
    const outer = list.current.getBoundingClientRect();
    const { left, right } = tab.getBoundingClientRect();
    if (left < outer.left) list.current.scrollLeft += left - outer.left;
    else if (right > outer.right) list.current.scrollLeft += right - outer.right;
  }, [current, items.length, counts]);
  return html`
    <div ref=${list} class=${`tabs ${extra}`} role="tablist" aria-label=${label}
      onKeyDown=${step}>
        ${items.map(({ id, label, count }) =>
          html`
            <button
              type="button"
              role="tab"
              key=${id}
              data-tab=${id}
              aria-selected=${id === current}
              tabindex=${id === current ? 0 : -1}
              onClick=${() => onPick(id)}
            >${label}${count !== undefined &&
              html`<span class="tab-count">${count}</span>`}</button>
          `
        )}
      </div>
  `;
}
