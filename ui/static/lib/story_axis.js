/** Positions of events along a time axis on which long pauses are collapsed. */

/** Pauses from this on are collapsed, in milliseconds. */
const PAUSE_MS = 2000;
/** Width of a collapsed pause, with room for its label, in pixels. */
const PAUSE_WIDTH = 76;
/** Minimum distance of two events, and of the first and last from the ends, in pixels. */
const STEP = 30;
/** Width that the time between pauses shares, in pixels. */
const TIME_WIDTH = 360;

/**
 * @typedef {object} Axis
 * @property {number} width in pixels
 * @property {readonly number[]} at place of each event, in pixels
 * @property {readonly { readonly from: number, readonly to: number, readonly ms: number }[]} pauses collapsed ones
 */

/**
 * Places events, whose times are in milliseconds and do not fall. Events at the same time are placed side by side, so
 * that their order is visible.
 * @param {readonly number[]} times
 * @returns {Axis}
 */
export function axisOf(times) {
  const steps = times.slice(1).map((ms, index) => Math.max(0, ms - (times[index] ?? ms)));
  const total = steps.reduce((sum, ms) => ms >= PAUSE_MS ? sum : sum + ms, 0);
  const perMs = total === 0 ? 0 : TIME_WIDTH / total;
  const at = [STEP / 2];
  const pauses = [];
  for (const ms of steps) {
    const last = at.at(-1) ?? 0;
    const isPause = ms >= PAUSE_MS;
    const next = last + (isPause ? PAUSE_WIDTH : Math.max(STEP, ms * perMs));
    if (isPause) pauses.push({ from: last, to: next, ms });
    at.push(next);
  }
  return { width: (at.at(-1) ?? 0) + STEP / 2, at: at.slice(0, times.length), pauses };
}

/**
 * Formats a length of time: `0 ms`, `340 ms`, `2.5 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
 * @param {number} ms
 */
export function formatSpan(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return two(`${days} d`, hours, "h");
  if (hours > 0) return two(`${hours} h`, minutes, "min");
  return two(`${minutes} min`, seconds % 60, "s");
}

/**
 * @param {string} first
 * @param {number} rest
 * @param {string} unit
 */
function two(first, rest, unit) {
  return rest === 0 ? first : `${first} ${rest} ${unit}`;
}
