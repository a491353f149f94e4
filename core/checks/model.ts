/**
 * Severity of a finding: `error` breaks delivery or display, `warning` does for some readers, `info` is worth a look.
 */
export type CheckLevel = "error" | "warning" | "info";

/** The place of a finding in the item. */
export interface CheckPlace {
  /** Part of the item, such as `html`, `text`, `headers` or `body`. */
  readonly part: string;
  /** Line in the part, from 1. */
  readonly line?: number;
  /** Character in the line, from 1. */
  readonly column?: number;
  /** Path in a structured part, such as `blocks[3].text`. */
  readonly path?: string;
  /** What precedes the place on its line, shortened. */
  readonly before?: string;
  /** The place itself, shortened; empty where something is missing. */
  readonly marked?: string;
  /** What follows the place on its line, shortened. */
  readonly after?: string;
}

/** A problem of a captured item that its vendor or reader would not accept. */
export interface Finding {
  /** Check that found it: `plugin.name`. */
  readonly id: string;
  /** Its severity. */
  readonly level: CheckLevel;
  /** What is wrong, and what would be right. */
  readonly message: string;
  /** Its place, if it has one. */
  readonly where?: CheckPlace;
  /** Address of its documentation. */
  readonly source?: string;
}
