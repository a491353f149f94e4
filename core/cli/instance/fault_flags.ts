/** Flags of `standin fault`; those of `fault add` are keys of the rule. */
import type { HelpFlag } from "../../options/help.ts";

const text = (name: string, value: string, about: string): HelpFlag => ({ name, value, about });

/** Flags of `fault add` that are keys of the rule, with text. */
export const TEXTS: readonly HelpFlag[] = [
  text("name", "text", "Name shown with every hit (default the outcome)"),
  text("phase", "name", "Phase in which the rule applies (default the one that captures)"),
  text("namespace", "name", "Apply only to requests of this namespace"),
  text("seed", "text", "Text that makes --chance select the same matches in every run"),
  text("delay", "time", "Wait before the outcome, or on its own: 250ms, at most 10m"),
  text("ttl", "time", "Time after which the rule is removed, such as 5m"),
];
/** Those that are numbers. */
export const NUMBERS: readonly HelpFlag[] = [
  text("skip", "count", "Matches that pass before the first hit"),
  text("times", "count", "Hits after which the rule no longer applies"),
  text("chance", "number", "Probability that a match is a hit: above 0, up to 1"),
];
/** Conditions by path. */
export const MATCH = text(
  "match",
  "path=value",
  "Condition, such as to[*].email=ada@example.org; repeat for more",
);
/** Parameters by name. */
export const WITH = text("with", "name=value", "Parameter of the outcome; repeat for more");
/** Whether the fault comes after a capture. */
export const AFTER: HelpFlag = {
  name: "after",
  about: "Capture the request first, then fail",
};
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
