/** Paths of the Mustache family. */
import type { Path } from "./template.ts";

/** Maximum number of names of a path. */
const MAX_NAMES = 50;

/** Parses `../a.b`, `a/b`, `a.[0]`, `this.a`, `.` and `@index`; `undefined` for anything else. */
export function parsePath(source: string): Path | undefined {
  const steps = /^(?:\.\.\/)*/.exec(source)![0];
  const rest = source.slice(steps.length).replace(/^(?:this|\.)(?=$|[./])[./]?/, "");
  const names = rest === ""
    ? []
    : rest.split(/[./]/).map((name) => name.replace(/^\[(.*)\]$/, "$1"));
  if (names.length > MAX_NAMES) return undefined;
  // Mailgun allows spaces and colons in the names of variables.
  if (names.some((name) => !/^@?[\p{L}\p{N}_$:-]+$/u.test(name))) return undefined;
  return source === "" ? undefined : { up: steps.length / 3, names, source };
}
