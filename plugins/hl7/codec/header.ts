/**
 * Header segments: MSH (HL7 v2.5.1 section 2.15.9), and FHS and BHS (2.15.6, 2.15.2) of files and batches.
 *
 *   MSH-1 separator  2 encoding characters  3, 4 sender  5, 6 receiver  7 time  9 type  10 control id
 *   11 processing id  12 version  15, 16 acknowledgements wanted  18 character set
 *   FHS, BHS: 1 to 7 the same, 11 control id
 *
 * @module
 */
import type { Header, Separators } from "../model.ts";
import { unescapeText } from "./escape.ts";
import { readSeparators, type SeparatorFault, splitAt } from "./separators.ts";

/** The line of a header segment, cut into fields. */
export interface HeaderLine {
  readonly kind: "MSH" | "FHS" | "BHS";
  readonly separators: Separators;
  readonly faults: readonly SeparatorFault[];
  /** `fields[n - 1]` is field n as sent. */
  readonly fields: readonly string[];
}

/** Fields read of a header; fields that the standard may add come much later. */
const MOST_FIELDS = 40;

/** Characters read of one field; the standard allows a few hundred. */
const MOST_CHARACTERS = 4096;

/** Parses a line that begins with MSH, FHS or BHS; `undefined` without a usable field separator. */
export function readHeaderLine(line: string): HeaderLine | undefined {
  const read = readSeparators(line);
  if (read === undefined) return undefined;
  const { field } = read.separators;
  return {
    kind: line.slice(0, 3) as HeaderLine["kind"],
    ...read,
    fields: [field, ...line.slice(4).split(field, MOST_FIELDS)],
  };
}

/** Returns field n as sent; empty if absent. */
export function fieldOf(line: HeaderLine, position: number): string {
  return line.fields[position - 1] ?? "";
}

/** Returns a component of the first repetition of field n, decoded. */
export function componentOf(line: HeaderLine, position: number, component = 1): string {
  const field = fieldOf(line, position).slice(0, MOST_CHARACTERS);
  const [first = ""] = splitAt(field, line.separators.repetition, 1);
  const part = splitAt(first, line.separators.component, component)[component - 1] ?? "";
  return unescapeText(part, line.separators);
}

/** Names the fields of a header. */
export function toHeader(line: HeaderLine): Header {
  const batch = line.kind !== "MSH";
  const header = {
    code: batch ? "" : componentOf(line, 9),
    trigger_event: batch ? "" : componentOf(line, 9, 2),
    structure: batch ? "" : componentOf(line, 9, 3),
    control_id: componentOf(line, batch ? 11 : 10),
    processing_id: batch ? "" : componentOf(line, 11),
    version: batch ? "" : componentOf(line, 12),
    timestamp: fieldOf(line, 7).slice(0, MOST_CHARACTERS),
    sending_application: componentOf(line, 3),
    sending_facility: componentOf(line, 4),
    receiving_application: componentOf(line, 5),
    receiving_facility: componentOf(line, 6),
  };
  return Object.fromEntries(Object.entries(header).filter(([, value]) => value !== ""));
}
