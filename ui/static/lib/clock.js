/** One clock for every relative time on the page. */
import { signal } from "./dom.js";

/** Milliseconds since 1970, updated every few seconds. */
export const now = signal(Date.now());

const TICK_MS = 5000;

/** Starts the clock, which pauses while the page is hidden. */
export function startClock() {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, TICK_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) now.value = Date.now();
  });
}
