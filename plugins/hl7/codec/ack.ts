/**
 * Acknowledgements (HL7 v2.5.1 sections 2.9.2 and 2.9.3): MSH and MSA, and ERR with a negative one.
 *
 *   original mode, MSH-15 and MSH-16 empty: AA, AE or AR
 *   enhanced mode: CA, CE or CR when MSH-15 wants it, else AA, AE or AR when MSH-16 does
 *
 * Texts hold one character for each byte, so copied fields go back in the sender's own bytes.
 *
 * @module
 */
import type { AckCode, Issue } from "../model.ts";
import type { Envelope } from "./frame_content.ts";
import { componentOf, fieldOf, type HeaderLine } from "./header.ts";
import { DEFAULT_SEPARATORS, splitAt } from "./separators.ts";

/** Codes of MSA-1. */
export const ACK_CODES: readonly AckCode[] = ["AA", "AE", "AR", "CA", "CE", "CR"];

/** Describes how a message is acknowledged. */
export interface AckDecision {
  readonly mode: "original" | "enhanced";
  /** Absent when the sender wants none. */
  readonly code?: AckCode;
}

/** Longest copy of one field, in characters; control ids are copied whole. */
const MOST_COPIED = 512;

/** ERR-3 by issue (table 0357). */
const ERRORS: Readonly<Record<string, string>> = {
  "no-header": "100^Segment sequence error^HL70357",
  "header-not-first": "100^Segment sequence error^HL70357",
  xml: "100^Segment sequence error^HL70357",
  "no-control-id": "101^Required field missing^HL70357",
  "no-encoding-characters": "101^Required field missing^HL70357",
  "duplicate-separator": "102^Data type error^HL70357",
  "too-large": "207^Application internal error^HL70357",
  "no-memory": "207^Application internal error^HL70357",
  "not-kept": "207^Application internal error^HL70357",
};

/**
 * Issues that reject the message: nothing in it could be processed. "no-memory" is not the message's fault, so it may
 * be sent again later (section 2.9.2.2).
 */
const REJECTED: ReadonlySet<string> = new Set([
  "no-header",
  "xml",
  "too-large",
  "no-memory",
  "rejected",
]);

/** Returns which acknowledgement the sender wants, if any. An acknowledgement is never acknowledged. */
export function decideAck(header: HeaderLine | undefined, issues: readonly Issue[]): AckDecision {
  const letter = toLetter(issues);
  if (header === undefined || header.kind !== "MSH") {
    return { mode: "original", code: `A${letter}` };
  }
  const [accept, application] = [toCondition(header, 15), toCondition(header, 16)];
  const mode = accept === "" && application === "" ? "original" : "enhanced";
  if (componentOf(header, 9) === "ACK") return { mode };
  if (mode === "original") return { mode, code: `A${letter}` };
  // A simple client would mistake a second acknowledgement for the response to its next message.
  if (isWanted(accept, letter)) return { mode, code: `C${letter}` };
  return isWanted(application, letter) ? { mode, code: `A${letter}` } : { mode };
}

function toLetter(issues: readonly Issue[]): "A" | "E" | "R" {
  if (issues.some(({ code }) => REJECTED.has(code))) return "R";
  return issues.some(({ severity }) => severity === "error") ? "E" : "A";
}

/** Table 0155. */
type Condition = "" | "AL" | "NE" | "ER" | "SU";

function toCondition(header: HeaderLine, position: 15 | 16): Condition {
  const value = fieldOf(header, position);
  return value === "AL" || value === "NE" || value === "ER" || value === "SU" ? value : "";
}

function isWanted(condition: Condition, letter: "A" | "E" | "R"): boolean {
  return condition === "AL" || condition === (letter === "A" ? "SU" : "ER");
}

/** Parts of an acknowledgement that are not copied from the message. */
export interface AckAbout {
  readonly code: AckCode;
  /** Control id of the acknowledgement. */
  readonly id: string;
  readonly now: Date;
  readonly issues: readonly Issue[];
}

/** Acknowledges the message with this header, or a message without one. */
export function composeAck(header: HeaderLine | undefined, about: AckAbout): string {
  const { field, encoding, component } = separatorsOf(header);
  const of = (position: number): string => header === undefined ? "" : copy(header, position);
  const message = header?.kind === "MSH";
  const [, trigger = ""] = message && component !== ""
    ? splitAt(splitAt(of(9), header.separators.repetition, 1)[0]!, component, 2)
    : [];
  const type = trigger === "" ? "ACK" : ["ACK", trigger, "ACK"].join(component);
  const msh = [
    ["MSH", encoding, of(5), of(6), of(3), of(4), toTimestamp(about.now), "", type, about.id],
    message ? [of(11) || "P", of(12) || "2.5"] : ["P", "2.5"],
  ].flat();
  const controlId = header === undefined ? "" : fieldOf(header, message ? 10 : 11);
  const lines = [msh.join(field), ["MSA", about.code, controlId].join(field)];
  const issue = about.issues.find(({ severity }) => severity === "error");
  const error = ERRORS[issue?.code ?? ""];
  if (error !== undefined) {
    const parts = component === "" ? error.slice(0, 3) : error.replaceAll("^", component);
    // ERR-8 is for people: their message has no header to look at.
    const words = issue?.code === "xml" ? ["", "", "", issue.detail] : [];
    lines.push(["ERR", "", "", parts, "E", ...words].join(field));
  }
  return lines.map((line) => `${line}\r`).join("");
}

/** Joins the acknowledgements of a batch into a batch of the same shape. */
export function composeBatch(
  units: readonly (Envelope | string)[],
  about: { readonly now: Date; nextId(): string },
): string {
  let text = "";
  const trailers: string[] = [];
  let messages = 0;
  let batches = 0;
  const closeBatch = (): void => {
    const trailer = trailers.at(-1);
    if (trailer?.startsWith("BTS") !== true) return;
    text += `${trailer}${messages}\r`;
    trailers.pop();
    messages = 0;
    batches++;
  };
  for (const unit of units) {
    if (typeof unit === "string") {
      text += unit;
      messages++;
    } else if (unit.rawHeader !== undefined) {
      if (unit.kind === "BHS") closeBatch();
      text += composeEnvelope(unit.rawHeader, { now: about.now, id: about.nextId() });
      const trailer = unit.kind === "BHS" ? "BTS" : "FTS";
      trailers.push(trailer + unit.rawHeader.separators.field);
    }
  }
  closeBatch();
  for (const trailer of trailers) text += `${trailer}${batches}\r`;
  return text;
}

/** Swaps the parties, and refers to the sender's control id (fields 11 and 12). */
function composeEnvelope(header: HeaderLine, { now, id }: { now: Date; id: string }): string {
  const of = (position: number): string => copy(header, position);
  const { field, encoding } = separatorsOf(header);
  const fields = [header.kind, encoding, of(5), of(6), of(3), of(4), toTimestamp(now)];
  return `${[...fields, "", "", "", id, fieldOf(header, 11)].join(field)}\r`;
}

/** Returns the message's separators, or the usual ones if it declares none. */
function separatorsOf(
  header: HeaderLine | undefined,
): { field: string; encoding: string; component: string } {
  const { field, component } = header?.separators ?? DEFAULT_SEPARATORS;
  const declared = header?.faults.some(({ code }) => code === "no-encoding-characters") === false;
  if (header !== undefined && declared) return { field, component, encoding: copy(header, 2) };
  const usual = [
    DEFAULT_SEPARATORS.component,
    DEFAULT_SEPARATORS.repetition,
    DEFAULT_SEPARATORS.escape,
    DEFAULT_SEPARATORS.subcomponent,
  ];
  const free = usual.filter((character) => character !== field);
  return { field, encoding: free.join(""), component: free[0]! };
}

function copy(header: HeaderLine, position: number): string {
  return fieldOf(header, position).slice(0, MOST_COPIED);
}

/** `YYYYMMDDHHMMSS+ZZZZ`, in UTC (data type TS). */
function toTimestamp(now: Date): string {
  return `${now.toISOString().replace(/\D/g, "").slice(0, 14)}+0000`;
}
