/** Flags of `standin fault`; those of `fault add` are keys of the rule. */
import type { HelpFlag } from "../../options/help.ts";

const text = (name: string, value: string, about: string): HelpFlag => ({ name, value, about });

/** Flags of `fault add` that are keys of the rule and hold text. */
export const TEXTS: readonly HelpFlag[] = [
  text("name", "text", "Shown with every hit; the outcome unless given"),
  text("phase", "name", "Where it is asked; unless given, where the provider captures"),
  text("namespace", "name", "Only what belongs to this namespace"),
  text("seed", "text", "With --chance: the n-th match has the same fate in every run"),
  text("delay", "time", "Waited before the outcome, or alone: 250ms, at most 10m"),
  text("ttl", "time", "The rule goes by itself after this time, such as 5m"),
];
/** Those that hold a number. */
export const NUMBERS: readonly HelpFlag[] = [
  text("skip", "count", "So many matches pass first"),
  text("times", "count", "At most so many hits"),
  text("chance", "number", "How likely a match is to be a hit, up to 1"),
];
/** Conditions by place. */
export const MATCH = text(
  "match",
  "place=value",
  "Condition; again for more: to[*].email=ada@example.org",
);
/** Parameters by name. */
export const WITH = text("with", "name=value", "Parameter of the outcome; again for more");
/** Whether it comes after a capture. */
export const AFTER: HelpFlag = { name: "after", about: "Capture it, and answer with the fault" };
/** For `fault list`. */
export const JSON_FLAG: HelpFlag = { name: "json", about: "With list: print JSON" };

/** Flags of the command. */
export const FAULT_FLAGS: readonly HelpFlag[] = [
  ...TEXTS,
  ...NUMBERS,
  MATCH,
  WITH,
  AFTER,
  JSON_FLAG,
];
