import { compact } from "../compact.ts";
import type { Steps } from "../bytes/steps.ts";
import { compileCondition, conditionsOf } from "../expect/condition.ts";
import { parsePath, selectValues } from "../expect/path.ts";
import type { TestText } from "../expect/regex.ts";
import { rawOf } from "../expect/subject.ts";
import type { FaultSubject } from "./outcome.ts";

/** What conditions look at. */
export interface Looked extends Pick<FaultSubject, "payload" | "meta"> {
  /** The request, read once for all rules. */
  raw(): Readonly<Record<string, unknown>>;
}

/** Prepares a subject for any number of rules. */
export function lookedAt(subject: FaultSubject): Looked {
  const { payload, meta } = subject;
  let raw: Readonly<Record<string, unknown>> | undefined;
  return { payload, ...compact({ meta }), raw: () => raw ??= rawOf(subject) };
}

/** Returns whether a subject meets every condition of a rule. */
export type Match = (looked: Looked) => Steps<boolean>;

/**
 * Compiles conditions, which are those of expectations; without `toTest` it only checks them. Throws `RangeError` that
 * names `place`.
 */
export function compileMatch(
  match: unknown,
  place: string,
  toTest: (pattern: string) => TestText = () => () => false,
): Match {
  const fields = conditionsOf(match, place).map(([path, condition]) => {
    const check = compileCondition(condition, `match["${path}"] of ${place}`, toTest);
    const steps = parsePath(path);
    const [first, ...rest] = steps;
    const root = first?.kind === "name" ? first.name : "";
    return ({ payload, meta, raw }: Looked): Steps<boolean> =>
      root === "raw"
        ? check(selectValues(raw(), rest))
        : root === "meta"
        ? check(selectValues(meta, rest))
        : check(selectValues(payload, root === "payload" ? rest : steps));
  });
  return function* (looked) {
    for (const met of fields) if (!(yield* met(looked))) return false;
    return true;
  };
}
