/** The URL holds the state: pages, filters and selection can be linked and survive a reload. */
import { signal } from "./dom.js";

/** Current path and query. */
export const place = signal(readPlace());

function readPlace() {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

/**
 * Goes to another page of the user interface.
 * @param {string} href
 * @param {{ replace?: boolean }} [options] `replace` leaves no step to go back to
 */
export function navigate(href, options = {}) {
  if (options.replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  place.value = readPlace();
}

/**
 * Changes parts of the query; an empty or null value removes one.
 * @param {Readonly<Record<string, string | null>>} changes
 * @param {{ replace?: boolean }} [options]
 */
export function setQuery(changes, options = {}) {
  const query = new URLSearchParams(place.peek().query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  const href = place.peek().path + (text === "" ? "" : `?${text}`);
  if (href !== location.pathname + location.search) navigate(href, options);
}

/** Follows the browser's history, and links inside the user interface. */
export function startRouter() {
  addEventListener("popstate", () => place.value = readPlace());
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (
      !(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")
    ) {
      return;
    }
    if (link.origin !== location.origin || !link.pathname.startsWith("/ui/")) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
