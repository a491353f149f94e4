import type { Steps } from "../bytes/steps.ts";
import { compileCondition } from "../expect/condition.ts";
import { parsePath, selectValues } from "../expect/path.ts";
import { isTable } from "../expect/pattern.ts";
import type { TestText } from "../expect/regex.ts";
import { rawOf } from "../expect/subject.ts";
import type { FaultSubject } from "./outcome.ts";

/** Returns whether a subject meets every condition of a rule. */
export type Match = (subject: FaultSubject) => Steps<boolean>;

/**
 * Compiles conditions, which are those of expectations; without `toTest` it only checks them. Throws `RangeError` that
 * names `place`.
 */
export function compileMatch(
  match: unknown,
  place: string,
  toTest: (pattern: string) => TestText = () => () => false,
): Match {
  if (match !== undefined && !isTable(match)) {
    throw new RangeError(`Cannot use match of ${place}: expected conditions by path`);
  }
  const fields = Object.entries(match ?? {}).map(([path, condition]) => {
    const check = compileCondition(condition, `match["${path}"] of ${place}`, toTest);
    const steps = parsePath(path);
    const [first, ...rest] = steps;
    const root = first?.kind === "name" ? first.name : "";
    return (subject: FaultSubject): Steps<boolean> =>
      root === "raw"
        ? check(selectValues(rawOf(subject), rest))
        : root === "meta"
        ? check(selectValues(subject.meta, rest))
        : check(selectValues(subject.payload, root === "payload" ? rest : steps));
  });
  return function* (subject) {
    for (const met of fields) if (!(yield* met(subject))) return false;
    return true;
  };
}
