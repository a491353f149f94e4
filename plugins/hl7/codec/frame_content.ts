/**
 * Content of a frame: a message, or a batch of them (HL7 v2.5.1 section 2.10.3):
 *
 *   [FHS] { BHS  { MSH ... }  BTS }  [FTS]
 *
 * @module
 */
import { toLatin1 } from "../../../core/bytes/latin1.ts";
import type { Issue } from "../model.ts";
import { decodeText } from "./charset.ts";
import { componentOf, fieldOf, type HeaderLine, readHeaderLine } from "./header.ts";
import { isHeader, MAX_PARTS, toLines } from "./segment.ts";
import { DEFAULT_SEPARATORS } from "./separators.ts";

/** One message of a frame. */
export interface MessageText {
  readonly kind: "message";
  /** Its segments, decoded. */
  readonly text: string;
  /** Its header, decoded; absent without a usable separator. */
  readonly header?: HeaderLine;
  /** Its header with one character for each byte, for responses in the sender's own bytes. */
  readonly rawHeader?: HeaderLine;
  readonly issues: readonly Issue[];
  /** Number of segments; those beyond the parsing limit count as one. */
  readonly segments: number;
}

/** The header of a file or batch. */
export interface Envelope {
  readonly kind: "FHS" | "BHS";
  readonly header?: HeaderLine;
  readonly rawHeader?: HeaderLine;
}

/** A parsed frame. */
export interface FrameContent {
  /** MSH-18; empty if not declared. */
  readonly charset: string;
  /** Character set the bytes were decoded with. */
  readonly encoding: string;
  /** In the order sent; at least one message. */
  readonly units: readonly (Envelope | MessageText)[];
}

/** Messages and headers of one batch that are parsed; any further ones stay with the last. */
const MAX_UNITS = 10_000;
/** Issues recorded for one message. */
const MAX_ISSUES = 50;
/** Characters of a hostile line that are quoted in an issue. */
const QUOTED = 20;

/** A frame with a known character set, read unit by unit. */
export interface OpenedFrame extends Pick<FrameContent, "charset" | "encoding"> {
  /** Number of units that are messages. */
  readonly messages: number;
  /** Yields the units in the order sent, each parsed on demand. */
  readonly units: Iterable<Envelope | MessageText>;
}

/** Parses the bytes between the frame characters. Accepts any bytes. */
export function readFrameContent(bytes: Uint8Array): FrameContent {
  const { charset, encoding, units } = openFrame(bytes);
  return { charset, encoding, units: [...units] };
}

/** Like `readFrameContent`, for callers that do other work between two messages. */
export function openFrame(bytes: Uint8Array): OpenedFrame {
  const body = withoutMark(bytes);
  const rawHeaders = new RawHeaders(body);
  const charset = rawHeaders.charset();
  const { text, encoding, problem } = decodeText(body, charset);
  // CR and LF are whole characters in every known set, so both readings have the same lines and headers.
  const units = cutUnits(toLines(text), text);
  const issues: readonly Issue[] = problem === undefined
    ? []
    : [{ code: "charset", detail: problem, severity: "warning" }];
  return {
    charset,
    encoding,
    messages: units.filter(({ kind }) => kind === "message").length,
    units: readUnits(units, { rawHeaders, issues }),
  };
}

function* readUnits(
  units: readonly Unit[],
  { rawHeaders, issues }: { rawHeaders: RawHeaders; issues: readonly Issue[] },
): Generator<Envelope | MessageText> {
  let headersSeen = 0;
  for (const unit of units) {
    const from = headersSeen;
    headersSeen += unit.headers.length;
    const at = unit.kind === "message" ? firstMessageHeader(unit.headers) : 0;
    const headers = toHeaders(unit.headers[at], rawHeaders.at(from + at));
    yield unit.kind === "message"
      ? toMessage(unit, headers, issues)
      : { kind: unit.kind, ...headers };
  }
}

/** Removes a byte order mark, which is not part of the text. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}

/** Header lines of a frame with one character for each byte; most frames have one. */
class RawHeaders {
  readonly #bytes: Uint8Array;
  /** Start of each header. */
  readonly #starts: number[] = [];
  /** The last one read: the header of a single message is read twice. */
  #last: { readonly index: number; readonly header: HeaderLine | undefined } | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    let lineStart = true;
    for (let at = 0; at < bytes.length && this.#starts.length < MAX_PARTS; at++) {
      if (lineStart && isHeaderAt(bytes, at)) this.#starts.push(at);
      lineStart = isLineEnd(bytes[at]);
    }
  }

  /** Returns the header line at this index. */
  at(index: number): HeaderLine | undefined {
    const from = this.#starts[index];
    if (from === undefined) return undefined;
    if (this.#last?.index === index) return this.#last.header;
    let to = from;
    while (to < this.#bytes.length && !isLineEnd(this.#bytes[to])) to++;
    const header = readHeaderLine(toLatin1(this.#bytes.subarray(from, to)));
    this.#last = { index, header };
    return header;
  }

  /** Returns the first MSH-18. */
  charset(): string {
    const first = this.#starts.findIndex((at) => this.#bytes[at] === M);
    const header = first < 0 ? undefined : this.at(first);
    return header === undefined ? "" : componentOf(header, 18);
  }
}

const [M, S, H, F, B] = [0x4d, 0x53, 0x48, 0x46, 0x42];

function isHeaderAt(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at];
  if (first === M) return bytes[at + 1] === S && bytes[at + 2] === H;
  return (first === F || first === B) && bytes[at + 1] === H && bytes[at + 2] === S;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0d || byte === 0x0a;
}

/** Lines and characters read to tell XML. */
const XML_LINES = 20;
const XML_CHARACTERS = 4096;

interface Headers {
  readonly header?: HeaderLine;
  readonly rawHeader?: HeaderLine;
}

function toHeaders(line: string | undefined, rawHeader: HeaderLine | undefined): Headers {
  const header = line === undefined ? undefined : readHeaderLine(line);
  return header === undefined || rawHeader === undefined ? {} : { header, rawHeader };
}

/** The lines of a message or batch header. */
interface Unit {
  readonly kind: "message" | Envelope["kind"];
  readonly lines: readonly string[];
  /** The lines that are headers. */
  readonly headers: readonly string[];
  /** The joined lines, if the caller has them already. */
  readonly text?: string;
}

/** MSH comes first in a message; a batch without messages has only its own headers. */
function firstMessageHeader(headers: readonly string[]): number {
  return Math.max(0, headers.findIndex((line) => line.startsWith("MSH")));
}

function cutUnits(lines: readonly string[], text: string): readonly Unit[] {
  const whole = { kind: "message", lines, headers: lines.filter(isHeader), text } as const;
  const batch = whole.headers.some((line) => !line.startsWith("MSH"));
  if (!batch || !whole.headers.some((line) => line.startsWith("MSH"))) return [whole];
  const units: Unit[] = [];
  let group: string[] = [];
  const close = (): void => {
    if (group.length === 0) return;
    units.push({ kind: "message", lines: group, headers: group.filter(isHeader) });
    group = [];
  };
  for (const line of lines) {
    const kind = line.slice(0, 3);
    if (units.length >= MAX_UNITS - 1) {
      group.push(line);
    } else if (kind === "FHS" || kind === "BHS") {
      close();
      units.push({ kind, lines: [line], headers: [line] });
    } else if (kind === "BTS" || kind === "FTS") {
      close();
    } else {
      if (kind === "MSH" && group.some((other) => other.startsWith("MSH"))) close();
      group.push(line);
    }
  }
  close();
  return units;
}

function toMessage(unit: Unit, headers: Headers, given: readonly Issue[]): MessageText {
  const { lines } = unit;
  const issues = new IssueList(given);
  const { header } = headers;
  const root = header === undefined ? xmlRoot(lines) : undefined;
  if (root !== undefined) issues.add("xml", xmlMessage(root), "error");
  else if (header === undefined) issues.add("no-header", noHeader(lines), "error");
  else checkHeader(header, { lines, headers: unit.headers, issues });
  checkSegments(lines, { field: header?.separators.field ?? DEFAULT_SEPARATORS.field, issues });
  const text = unit.text ?? lines.join("\r");
  if (isTooManifold(text, header)) {
    issues.add(
      "too-many-parts",
      `The message has more than ${MAX_PARTS} parts or escapes: the rest is only in its raw bytes`,
    );
  }
  return { kind: "message", text, ...headers, issues: issues.list, segments: lines.length };
}

/** Returns the name of the root element if the lines are XML, as HL7 v2 XML encoding rules write a message. */
function xmlRoot(lines: readonly string[]): string | undefined {
  const text = lines.slice(0, XML_LINES).join(" ").slice(0, XML_CHARACTERS).trimStart();
  if (!text.startsWith("<")) return undefined;
  const root = text.replaceAll(/<[?!][^>]*>/g, "");
  return /^\s*<(?:[\w.-]{1,40}:)?([A-Za-z_][\w.-]{0,80})[\s/>]/.exec(root)?.[1];
}

function xmlMessage(root: string): string {
  return `The message is XML, <${root}>: HL7 v2 XML is not supported; ` +
    "send it in the ER7 encoding, which begins with MSH";
}

function noHeader(lines: readonly string[]): string {
  const line = lines.find(isHeader);
  return line === undefined
    ? `No line begins with MSH, FHS or BHS: the first one is "${(lines[0] ?? "").slice(0, QUOTED)}"`
    : `The header "${line.slice(0, QUOTED)}" has no field separator after its name`;
}

function checkHeader(
  header: HeaderLine,
  { lines, headers, issues }: {
    lines: readonly string[];
    headers: readonly string[];
    issues: IssueList;
  },
): void {
  if (!isHeader(lines[0]!)) {
    const first = lines[0]!.slice(0, QUOTED);
    issues.add("header-not-first", `The message begins with "${first}", not with MSH`, "error");
  }
  for (const { code, detail } of header.faults) issues.add(code, detail, "error");
  if (header.kind !== "MSH") return;
  if (fieldOf(header, 10) === "") {
    issues.add(
      "no-control-id",
      "MSH-10 is empty, so the acknowledgement names no message",
      "error",
    );
  }
  if (headers.length > 1) {
    issues.add(
      "second-header",
      `The frame has ${headers.length} headers and is not a batch: only the first is acknowledged`,
    );
  }
  for (const position of [15, 16]) {
    const condition = fieldOf(header, position);
    if (["", "AL", "NE", "ER", "SU"].includes(condition)) continue;
    issues.add(
      "acknowledgement-condition",
      `MSH-${position} holds "${condition.slice(0, QUOTED)}": expected AL, NE, ER, SU or nothing`,
    );
  }
}

function checkSegments(
  lines: readonly string[],
  { field, issues }: { field: string; issues: IssueList },
): void {
  for (let at = 0; at < lines.length && at < MAX_PARTS && !issues.full; at++) {
    const line = lines[at]!;
    const id = /^[A-Z][A-Z\d]{2}/.test(line) ? line.slice(0, 3) : undefined;
    const quoted = line.slice(0, QUOTED);
    if (id === undefined || (line.length > 3 && line[3] !== field)) {
      issues.add(
        "segment-id",
        `Segment ${
          at + 1
        } begins with "${quoted}": expected three capitals or digits and "${field}"`,
      );
    } else if (line.length === 3) {
      issues.add("no-fields", `Segment ${at + 1}, "${quoted}", has no fields`);
    }
  }
}

function isTooManifold(text: string, header: HeaderLine | undefined): boolean {
  if (text.length < MAX_PARTS) return false;
  const { separators = DEFAULT_SEPARATORS } = header ?? {};
  const { field, component, repetition, subcomponent, escape } = separators;
  const isCut = new Uint8Array(128);
  for (const cut of ["\r", "\n", field, component, repetition, subcomponent]) {
    if (cut !== "") isCut[cut.charCodeAt(0)] = 1;
  }
  // Every field counts as a field, a repetition and a component.
  let left = MAX_PARTS / 3;
  for (let at = 0; at < text.length && left >= 0; at++) left -= isCut[text.charCodeAt(at)] ?? 0;
  return left < 0 || (escape !== "" && hasMore(text, escape, MAX_PARTS));
}

/** Returns whether a character occurs more than this many times. */
function hasMore(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    if (++count > most) return true;
  }
  return false;
}

class IssueList {
  readonly list: Issue[];

  constructor(given: readonly Issue[]) {
    this.list = [...given];
  }

  get full(): boolean {
    return this.list.length >= MAX_ISSUES;
  }

  add(code: string, detail: string, severity: Issue["severity"] = "warning"): void {
    if (this.full) return;
    this.list.push({ code, detail, severity });
    if (!this.full) return;
    const more = `There may be more: ${MAX_ISSUES} issues are recorded for one message`;
    this.list.push({ code: "more-issues", detail: more, severity: "warning" });
  }
}
