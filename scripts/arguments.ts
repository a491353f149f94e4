/**
 * Arguments of tasks. An unknown one is refused, because a task that ignored it would do something else.
 *
 * @module
 */
import { didYouMean } from "../core/options/suggest.ts";

/** Returns why a task cannot use its arguments; `undefined` if each of them is one of `known`. */
export function refusal(args: readonly string[], known: readonly string[]): string | undefined {
  const unknown = args.find((arg) => !known.includes(arg));
  if (unknown === undefined) return undefined;
  return `Cannot use "${unknown}": ${didYouMean(unknown, known, { what: "arguments" })}`;
}

/** Runs a task with arguments that are all of `known`, and returns its exit status; 2 for others. */
export async function withArguments(
  args: readonly string[],
  known: readonly string[],
  run: (args: readonly string[]) => Promise<number>,
): Promise<number> {
  const reason = refusal(args, known);
  if (reason === undefined) return await run(args);
  console.error(reason);
  return 2;
}
