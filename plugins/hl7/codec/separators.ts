/**
 * Separators of a message (HL7 v2.5.1 section 2.5.4): the character after the name of the header segment separates
 * fields, and the first field declares the others,
 *
 *   MSH | ^ ~ \ & #     field, component, repetition, escape, subcomponent; from version 2.7 on also truncation
 *
 * @module
 */
import type { Separators } from "../model.ts";

/** What every example in the standard uses. */
export const DEFAULT_SEPARATORS: Separators = {
  field: "|",
  component: "^",
  repetition: "~",
  escape: "\\",
  subcomponent: "&",
};

/** Parsed separators, and the problem with their declaration. */
export interface ReadSeparators {
  readonly separators: Separators;
  readonly faults: readonly SeparatorFault[];
}

/** A declaration that leaves at least part of the message readable. */
export interface SeparatorFault {
  readonly code: "no-encoding-characters" | "duplicate-separator";
  readonly detail: string;
}

const NAMES = ["component", "repetition", "escape", "subcomponent"] as const;

/** Reads the separators from a header line; `undefined` if it declares none that can separate. */
export function readSeparators(line: string): ReadSeparators | undefined {
  const field = line[3] ?? "";
  if (!isSeparator(field)) return undefined;
  const end = line.indexOf(field, 4);
  const declared = line.slice(4, end < 0 ? line.length : end);
  // Letters mean that the sender forgot the field: they are the name of an application.
  if (![...declared.slice(0, 5)].some(isSeparator)) {
    return {
      separators: {
        ...DEFAULT_SEPARATORS,
        field,
        component: "",
        repetition: "",
        escape: "",
        subcomponent: "",
      },
      faults: [{
        code: "no-encoding-characters",
        detail: `${line.slice(0, 3)}-2 holds "${declared.slice(0, 20)}" in place of the ` +
          `encoding characters, usually ^~\\&`,
      }],
    };
  }
  const read: Record<string, string> = { field };
  const faults: SeparatorFault[] = [];
  NAMES.forEach((name, at) => {
    const character = declared[at] ?? "";
    const claimant = character === "" ? undefined : Object.entries(read)
      .find(([, taken]) => taken === character)?.[0];
    read[name] = claimant === undefined && isSeparator(character) ? character : "";
    if (claimant === undefined) return;
    faults.push({
      code: "duplicate-separator",
      detail:
        `"${character}" is declared as the ${name} separator and as the ${claimant} separator`,
    });
  });
  return { separators: { ...DEFAULT_SEPARATORS, ...read }, faults };
}

/** Printable ASCII other than letters and digits, which could not be told from content. */
function isSeparator(character: string): boolean {
  return /^[!-/:-@[-`{-~]$/.test(character);
}

/** Splits text at a separator, or not at all if it is undeclared. */
export function splitAt(text: string, separator: string, limit?: number): string[] {
  return separator === "" ? [text] : text.split(separator, limit);
}
