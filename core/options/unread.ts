/** Finds environment variables that look like settings but are not read. */
import { TimeSlice } from "../time_slice.ts";
import { place } from "./file_tree.ts";
import type { ReadVariable } from "./paths.ts";
import { suggest } from "./suggest.ts";
import { type OptionTree, type Setting, toVariable } from "./tree.ts";

/** Prefix of the program's variables. */
const PREFIX = "SERVICE_";

/** Variables that are not settings. */
const OTHERS: readonly string[] = ["SERVICE_UI_DIR"];

/** Access to the environment. */
export interface Environment {
  readonly env: ReadVariable;
  /** Names of all variables; absent if the program may read only its own. */
  readonly names?: readonly string[] | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal;
}

/**
 * Returns a sentence for each variable with the program's prefix that is not read. If the names of all variables are
 * unknown, it checks names with one typo, and names of settings of the file. Yields to other work.
 */
export async function unreadVariables(
  tree: OptionTree,
  { env, names, signal }: Environment,
): Promise<readonly string[]> {
  const known = new Set([
    ...[...tree.byPath.values()].flatMap(({ variable }) => variable ?? []),
    ...OTHERS,
  ]);
  const explained = otherNames(tree);
  const told: string[] = [];
  const tell = (name: string): void => {
    const near = suggest(name, [...known]);
    const reason = explained.get(name) ??
      `nothing reads it${near === undefined ? "" : `; did you mean ${near}?`}`;
    told.push(`${name} has no effect: ${reason}`);
  };
  if (names !== undefined) {
    names.filter((name) => name.startsWith(PREFIX) && !known.has(name)).toSorted().forEach(tell);
    return told;
  }
  const slice = new TimeSlice();
  const seen = new Set(known);
  for (const name of candidates([...known], [...explained.keys()])) {
    if (slice.over) await slice.yieldToEventLoop();
    if (signal?.aborted === true) break;
    if (env(name) === undefined || seen.has(name)) continue;
    seen.add(name);
    tell(name);
  }
  return told;
}

function* candidates(known: readonly string[], others: readonly string[]): Generator<string> {
  yield* others;
  for (const name of known) yield* slipsOf(name.slice(PREFIX.length));
}

/** Commonly mistaken names, with their replacements. */
function otherNames(tree: OptionTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const setting of tree.byPath.values()) {
    const { variable, shortcutFlag, table, key } = setting;
    if (shortcutFlag !== undefined) found.set(toVariable(shortcutFlag), `use ${variable}`);
    if (variable !== undefined) continue;
    const reason = `it can only be set in the file: ${place(table, key)}`;
    for (const name of spellings(setting)) found.set(name, reason);
  }
  return found;
}

/** `SERVICE_STORAGE_CAPACITY`, `SERVICE_SMTP_READ_TIMEOUT`. */
function spellings({ table, key, provider, plugin }: Setting): readonly string[] {
  const owners = [table.replaceAll(".", "_"), provider, plugin].filter((one) => one !== undefined);
  return owners.map((owner) => toVariable(owner === "" ? key : `${owner}-${key}`));
}

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/** Returns all names with one typo: a letter missing, replaced, added, or swapped with its neighbour. */
function* slipsOf(name: string): Generator<string> {
  for (let at = 0; at <= name.length; at++) {
    const [before, after] = [PREFIX + name.slice(0, at), name.slice(at + 1)];
    const here = name.charAt(at);
    for (const sign of SIGNS) yield before + sign + here + after;
    if (here === "") return;
    yield before + after;
    yield before + after.charAt(0) + here + after.slice(1);
    for (const sign of SIGNS) yield before + sign + after;
  }
}
