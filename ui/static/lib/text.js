/** Captured text is hostile: characters that are invisible or change its direction are made visible, and only harmless links work. */

/** C0 and C1 controls except tab and line breaks, and the characters that reorder text (UAX #9). */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * @typedef {{ kind: "text" | "unseen" | "link", text: string }} Part
 */

/**
 * Splits text around characters that are shown by their number.
 * @param {string} text
 * @returns {Part[]}
 */
export function splitUnseen(text) {
  /** @type {Part[]} */
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    parts.push({ kind: "unseen", text: codePoint(match[0]) });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** @param {string} character */
function codePoint(character) {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

const URL_IN_TEXT = /\bhttps?:\/\/(?:(?!\p{Cc})[^\s<>"'`\\]){1,2000}/gu;

/**
 * Splits text around addresses that may be links, and characters that are shown by their number.
 * @param {string} text
 * @returns {Part[]}
 */
export function splitLinks(text) {
  /** @type {Part[]} */
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(URL_IN_TEXT)) {
    // Punctuation after an address is not part of it.
    const link = match[0].replace(/[.,;:!?)\]}>]+$/, "");
    if (link.search(UNSEEN) >= 0 || safeHref(link) === undefined) continue;
    for (const part of splitUnseen(text.slice(end, match.index))) parts.push(part);
    parts.push({ kind: "link", text: link });
    end = match.index + link.length;
  }
  for (const part of splitUnseen(text.slice(end))) parts.push(part);
  return parts;
}

/**
 * Returns the address if a click can do no more than open a page or an email.
 * @param {string} url
 * @returns {string | undefined}
 */
export function safeHref(url) {
  try {
    const { protocol, href } = new URL(url.trim());
    return protocol === "http:" || protocol === "https:" || protocol === "mailto:"
      ? href
      : undefined;
  } catch {
    return undefined;
  }
}

const HREF =
  /<a\b[^<>]{0,2000}?\bhref\s{0,9}=\s{0,9}(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s<>"']{1,4000}))/gi;
const MAX_LINKS = 500;
const ENTITIES =
  /** @type {Record<string, string>} */ ({ amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" });

/**
 * Returns the link targets of an HTML body, each once, in order, without parsing it into a document.
 * @param {string} source
 * @returns {readonly string[]}
 */
export function linksOf(source) {
  const found = new Set();
  for (const match of source.matchAll(HREF)) {
    const url = decodeEntities(match[1] ?? match[2] ?? match[3] ?? "").trim();
    if (url !== "" && !url.startsWith("#")) found.add(url);
    if (found.size >= MAX_LINKS) break;
  }
  return [...found];
}

/** @param {string} text */
function decodeEntities(text) {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,5}));/gi, (whole, dec, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = dec === undefined ? parseInt(hex, 16) : Number(dec);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

/**
 * Returns whether an HTML body loads pictures from elsewhere.
 * @param {string} source
 */
export function hasRemoteImages(source) {
  return /(?:\bsrc|\bsrcset|\bbackground|\bposter)\s*=\s*["']?\s*(?:https?:)?\/\//i.test(source) ||
    /url\(\s*["']?\s*(?:https?:)?\/\//i.test(source);
}

/**
 * Splits text around every match of a search, in any case.
 * @param {string} text
 * @param {string} wanted
 * @returns {readonly { text: string, found: boolean }[]}
 */
export function splitFound(text, wanted) {
  if (wanted === "") return [{ text, found: false }];
  const pattern = new RegExp(`(${wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")})`, "giu");
  return text.split(pattern).map((part, at) => ({ text: part, found: at % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
