/**
 * Parses EDI documents with the separators that they declare: ANSI X12 (X12.5, the interchange header ISA) and
 * UN/EDIFACT (ISO 9735, the service string advice UNA). Pure; every loop is bounded by the text.
 */

/** @typedef {import("./types.d.ts").EdiDocument} EdiDocument */
/** @typedef {import("./types.d.ts").EdiElement} EdiElement */
/** @typedef {import("./types.d.ts").EdiSegment} EdiSegment */
/** @typedef {import("./types.d.ts").EdiSeparators} EdiSeparators */

/** Maximum number of segments of a document; more are not shown. */
const MAX_SEGMENTS = 20_000;
/** Maximum number of elements of a segment, and components of an element. */
const MAX_PARTS = 1000;

/** Elements of ISA, the last of which is the component separator itself (X12.5). */
const ISA_ELEMENTS = 16;
/** ISA11 separates repetitions from version 00402 on; before, it names a standard by a letter. */
const ISA_REPETITION = 11;

/** Envelopes: the tag that begins one, and the tag that ends it. */
const ENVELOPES = new Map([
  ["ISA", "IEA"],
  ["GS", "GE"],
  ["ST", "SE"],
  ["UNB", "UNZ"],
  ["UNG", "UNE"],
  ["UNH", "UNT"],
]);

/**
 * Parses a document; `undefined` for text that is neither X12 nor EDIFACT.
 * @param {string} text
 * @returns {EdiDocument | undefined}
 */
export function parseEdi(text) {
  const start = /^\ufeff?\s*/.exec(text)?.[0].length ?? 0;
  const body = text.slice(start);
  const separators = body.startsWith("ISA") ? readIsa(body) : readEdifact(body);
  if (separators === undefined) return undefined;
  const { segments, complete } = readSegments(body, start, separators);
  return {
    standard: body.startsWith("ISA") ? "x12" : "edifact",
    separators,
    segments: nest(segments),
    complete,
  };
}

/**
 * Reads the separators of an X12 interchange. ISA has a fixed length, so they are at fixed positions; counting elements
 * also finds them in one of another length.
 * @param {string} text
 * @returns {EdiSeparators | undefined}
 */
function readIsa(text) {
  const element = text[3];
  if (element === undefined || /[A-Za-z0-9\s]/.test(element)) return undefined;
  let at = 3;
  for (let count = 1; count < ISA_ELEMENTS; count++) {
    at = text.indexOf(element, at + 1);
    if (at < 0 || at > 1000) return undefined;
  }
  const component = text[at + 1];
  const segment = text[at + 2];
  if (component === undefined || segment === undefined) return undefined;
  const eleventh = text.slice(0, at).split(element)[ISA_REPETITION] ?? "";
  const repeats = eleventh.length === 1 && !/[A-Za-z0-9\s]/.test(eleventh);
  return { element, component, segment, ...(repeats ? { repetition: eleventh } : {}) };
}

/**
 * Reads the separators of an EDIFACT interchange: those of UNA, or of syntax level A, or of level B, which uses control
 * characters (ISO 9735 section 5).
 * @param {string} text
 * @returns {EdiSeparators | undefined}
 */
function readEdifact(text) {
  if (text.startsWith("UNA") && text.length >= 9) {
    // Component, element, decimal mark, release, repetition, segment; a space means none.
    const at = (/** @type {number} */ index) => text.charAt(3 + index);
    return {
      component: at(0),
      element: at(1),
      ...(at(3) === " " ? {} : { release: at(3) }),
      ...(at(4) === " " ? {} : { repetition: at(4) }),
      segment: at(5),
    };
  }
  if (text.startsWith("UNB\u001d")) {
    return { element: "\u001d", component: "\u001f", segment: "\u001c" };
  }
  if (!text.startsWith("UNB+")) return undefined;
  const levels = { element: "+", component: ":", segment: "'", release: "?" };
  // Version 4 of the syntax introduced repetitions.
  return /^UNB\+[^:+]*:4/.test(text) ? { ...levels, repetition: "*" } : levels;
}

/**
 * @param {string} text
 * @param {number} offset of `text` in the document
 * @param {EdiSeparators} separators
 * @returns {{ segments: EdiSegment[], complete: boolean }}
 */
function readSegments(text, offset, separators) {
  /** @type {EdiSegment[]} */
  const segments = [];
  let from = 0;
  while (from < text.length) {
    if (segments.length === MAX_SEGMENTS) return { segments, complete: false };
    const end = findEnd(text, from, separators);
    // Line breaks between segments are only for readability.
    const begin = skip(text, from, end);
    if (begin >= text.length) break;
    const after = Math.min(end + 1, text.length);
    const content = text.slice(begin, Math.min(end, text.length));
    segments.push({
      ...readSegment(content, separators),
      from: offset + begin,
      to: offset + after,
      depth: 0,
      ended: end < text.length,
    });
    from = after;
  }
  return { segments, complete: true };
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} end
 */
function skip(text, from, end) {
  let at = from;
  while (at < end && /[\r\n\t ]/.test(text[at] ?? "")) at++;
  return at;
}

/**
 * Returns the end of the segment: its terminator, or the end of the text.
 * @param {string} text
 * @param {number} from
 * @param {EdiSeparators} separators
 */
function findEnd(text, from, { segment, release }) {
  // The terminator in UNA is one of its six characters.
  if (release === undefined || text.startsWith("UNA", from)) {
    const at = text.startsWith("UNA", from) ? from + 8 : text.indexOf(segment, from);
    return at < 0 ? text.length : at;
  }
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === release) at++;
    else if (character === segment) return at;
  }
  return text.length;
}

/**
 * @param {string} content
 * @param {EdiSeparators} separators
 * @returns {Pick<EdiSegment, "tag" | "elements">}
 */
function readSegment(content, separators) {
  if (content.startsWith("UNA") && content.length === 8) return { tag: "UNA", elements: [] };
  const [tag = "", ...elements] = split(content, separators.element, separators.release);
  const names = split(tag, separators.component, separators.release);
  // ISA16 is the component separator, and ISA11 may be the repetition separator: neither separates there.
  const whole = names[0] === "ISA";
  return {
    tag: names[0] ?? "",
    elements: elements.slice(0, MAX_PARTS).map((element, at) =>
      whole ? readWhole(element, at + 1) : readElement(element, at + 1, separators)
    ),
  };
}

/**
 * @param {string} text
 * @param {number} position
 * @returns {EdiElement}
 */
function readWhole(text, position) {
  return { position, text, repetitions: [[text]] };
}

/**
 * @param {string} text
 * @param {number} position
 * @param {EdiSeparators} separators
 * @returns {EdiElement}
 */
function readElement(text, position, { component, repetition, release }) {
  const repeated = repetition === undefined ? [text] : split(text, repetition, release);
  return {
    position,
    text,
    repetitions: repeated.slice(0, MAX_PARTS).map((one) =>
      split(one, component, release).slice(0, MAX_PARTS).map((part) => unescape(part, release))
    ),
  };
}

/**
 * Splits at a separator, unless it is escaped.
 * @param {string} text
 * @param {string} separator
 * @param {string | undefined} release
 * @returns {string[]}
 */
function split(text, separator, release) {
  if (release === undefined || !text.includes(release)) return text.split(separator);
  const parts = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === release) at++;
    else if (text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/**
 * @param {string} text
 * @param {string | undefined} release
 */
function unescape(text, release) {
  if (release === undefined || !text.includes(release)) return text;
  let out = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] === release && at + 1 < text.length) at++;
    out += text[at];
  }
  return out;
}

/**
 * Sets the depth of each segment inside interchange, group and message.
 * @param {readonly EdiSegment[]} segments
 * @returns {EdiSegment[]}
 */
function nest(segments) {
  /** @type {string[]} */
  const open = [];
  return segments.map((segment) => {
    const closes = open.lastIndexOf(segment.tag);
    if (closes >= 0) open.length = closes;
    const end = ENVELOPES.get(segment.tag);
    // Its envelope was never closed.
    const again = end === undefined ? -1 : open.indexOf(end);
    if (again >= 0) open.length = again;
    const depth = open.length;
    if (end !== undefined) open.push(end);
    return { ...segment, depth };
  });
}
