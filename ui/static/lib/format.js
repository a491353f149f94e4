/** Formats values for display. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Formats a short relative time: `now`, `4 min ago`, `3 h ago`, then the day.
 * @param {string} iso
 * @param {number} nowMs
 */
export function relativeTime(iso, nowMs) {
  const then = new Date(iso);
  const seconds = (nowMs - then.getTime()) / 1000;
  if (!Number.isFinite(seconds)) return iso;
  // Clocks differ a little, but a client may give a file any time.
  if (seconds < -MINUTE) return shortDate(then, nowMs);
  if (seconds < 10) return "now";
  if (seconds < MINUTE) return `${Math.floor(seconds)} s ago`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ago`;
  if (seconds < 7 * DAY) return then.toLocaleDateString(undefined, { weekday: "short" });
  return shortDate(then, nowMs);
}

/**
 * Returns the day, or for another year the month and the year.
 * @param {Date} date
 * @param {number} nowMs
 */
function shortDate(date, nowMs) {
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return date.toLocaleDateString(undefined, {
    ...(isThisYear ? { day: "numeric" } : { year: "numeric" }),
    month: "short",
  });
}

/** Created once: that takes longer than rendering the row that shows the time. */
const ABSOLUTE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/**
 * Formats date and time in the reader's zone, to the second.
 * @param {string} iso
 */
export function absoluteTime(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return ABSOLUTE.format(date);
}

const UNITS = ["B", "KB", "MB", "GB"];

/**
 * Formats a size in decimal units, as the settings do.
 * @param {number} bytes
 */
export function formatSize(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/**
 * Formats a size, followed by the exact one if that says more: `25.0 KB (25,000 bytes)`.
 * @param {number} bytes
 */
export function exactSize(bytes) {
  const size = formatSize(bytes);
  return bytes < 1000 ? size : `${size} (${formatCount(bytes)} bytes)`;
}

/** @param {number} count */
export function formatCount(count) {
  return count.toLocaleString("en-US");
}

/**
 * Formats a count for a badge, at most four characters wide.
 * @param {number} count
 */
export function badgeCount(count) {
  return count > 999 ? "999+" : String(count);
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function plural(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/**
 * Formats a duration: `3 d 4 h`, `2 h 5 min`, `12 min`, `40 s`.
 * @param {number} seconds
 */
export function formatUptime(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${Math.floor(whole / MINUTE) % 60} min`;
  return `${Math.floor(whole / DAY)} d ${Math.floor(whole / HOUR) % 24} h`;
}

/**
 * Returns one or two letters for an avatar.
 * @param {string} name
 */
export function initials(name) {
  const words = name.replace(/[^\p{L}\p{N}\s@.]/gu, " ").trim().split(/[\s@.]+/).filter((word) =>
    word !== ""
  );
  const letters = words.slice(0, name.includes("@") && !name.includes(" ") ? 1 : 2)
    .map((word) => [...word][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}

/**
 * Maps a text to a small number, always the same for the same text.
 * @param {string} text
 * @param {number} count
 */
export function bucketOf(text, count) {
  let hash = 7;
  for (let i = 0; i < Math.min(text.length, 100); i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return Math.abs(hash) % count;
}

/**
 * Shortens an address to its distinctive part: its host and the beginning of its path.
 * @param {string} url
 */
export function shortAddress(url) {
  const bare = url.replace(/^[a-z]+:(\/\/)?/i, "");
  return bare.length > 40 ? `${bare.slice(0, 39)}…` : bare;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
