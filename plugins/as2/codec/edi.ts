/**
 * Segments of EDI documents, with the separators that they declare: ANSI X12 (X12.5, the interchange header ISA of 106
 * characters) and UN/EDIFACT (ISO 9735, the service string advice UNA).
 *
 * ```
 * ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260131*1200*U*00401*000000001*0*P*>~
 * UNA:+.? '
 * UNB+UNOC:3+SENDER+RECEIVER+260131:1200+1'
 * ```
 */

/** One segment; its place is from its tag to its terminator. */
export interface EdiSegment {
  readonly tag: string;
  /** The tag first, then the elements as sent. */
  readonly elements: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** A document in segments. */
export interface EdiDocument {
  readonly standard: "x12" | "edifact";
  readonly segments: readonly EdiSegment[];
  /** Separator of the parts of an element. */
  readonly component: string;
}

/** Maximum number of segments that are read. */
const MAX_SEGMENTS = 100_000;
/** Maximum number of elements of a segment. */
const MAX_ELEMENTS = 1000;
/** Elements of ISA: the last is the component separator, and the terminator follows it. */
const ISA_ELEMENTS = 16;

interface Separators {
  readonly element: string;
  readonly component: string;
  readonly segment: string;
  /** Takes the meaning from the next character; empty in X12. */
  readonly release: string;
}

/** Splits a document; `undefined` for text that is neither. */
export function parseEdi(text: string): EdiDocument | undefined {
  const begin = /^\ufeff?\s*/.exec(text)![0].length;
  if (text.startsWith("ISA", begin)) {
    const separators = separatorsOfIsa(text, begin);
    return separators &&
      {
        standard: "x12",
        component: separators.component,
        segments: split(text, begin, separators),
      };
  }
  const hasAdvice = text.startsWith("UNA", begin);
  if (!hasAdvice && !text.startsWith("UNB", begin)) return undefined;
  const advice = hasAdvice ? text.slice(begin + 3, begin + 9) : ":+.? '";
  if (advice.length < 6) return undefined;
  const [component = "", element = "", , release = "", , segment = ""] = advice;
  const separators = { element, component, segment, release: release === " " ? "" : release };
  const from = begin + (hasAdvice ? 9 : 0);
  return { standard: "edifact", component, segments: split(text, from, separators) };
}

function separatorsOfIsa(text: string, begin: number): Separators | undefined {
  const element = text[begin + 3] ?? "";
  let at = begin + 3;
  for (let count = 1; count < ISA_ELEMENTS && at !== -1; count++) {
    at = text.indexOf(element, at + 1);
  }
  const component = text[at + 1];
  const segment = text[at + 2];
  if (element === "" || at === -1 || component === undefined || segment === undefined) {
    return undefined;
  }
  return { element, component, segment, release: "" };
}

function split(text: string, from: number, separators: Separators): EdiSegment[] {
  const segments: EdiSegment[] = [];
  let start = from;
  while (start < text.length && segments.length < MAX_SEGMENTS) {
    while (/\s/.test(text[start] ?? "") && text[start] !== separators.segment) start++;
    if (start >= text.length) break;
    const end = next(text, start, separators, separators.segment);
    const elements = elementsOf(text.slice(start, end), separators);
    const tag = elements[0]!.split(separators.component, 1)[0]!.trim();
    if (tag !== "") segments.push({ tag, elements, start, end });
    start = end + 1;
  }
  return segments;
}

function elementsOf(text: string, separators: Separators): string[] {
  const elements: string[] = [];
  for (let start = 0; start <= text.length && elements.length < MAX_ELEMENTS;) {
    const end = next(text, start, separators, separators.element);
    elements.push(text.slice(start, end));
    start = end + 1;
  }
  return elements;
}

/** Place of the next separator that is not released; the end of the text without one. */
function next(text: string, from: number, { release }: Separators, separator: string): number {
  for (let at = from;;) {
    const found = text.indexOf(separator, at);
    if (found === -1) return text.length;
    let releases = 0;
    while (release !== "" && text[found - 1 - releases] === release) releases++;
    if (releases % 2 === 0) return found;
    at = found + 1;
  }
}
