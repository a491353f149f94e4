import { withoutPasswords } from "../passwords.ts";
import type { OptionTree, Setting } from "./tree.ts";
import { didYouMean } from "./suggest.ts";
import { type ReadVariable, resolvePath } from "./paths.ts";

/** Sources of values; later ones win. */
export const SOURCES = ["default", "file", "environment", "flag"] as const;

/** One of `SOURCES`. */
export type Source = typeof SOURCES[number];

/** A value that was given for a setting. */
export interface Given {
  readonly value: unknown;
  readonly source: Source;
  /** Source in messages: `--smtp-port`, `SERVICE_SMTP_PORT`, `[ui] port in "standin.toml"`. */
  readonly name: string;
}

/** Given values by setting path, and the problems. */
export class GivenValues {
  readonly problems: string[] = [];
  readonly #byPath = new Map<string, Given>();
  readonly #home: string | undefined;

  constructor(home: string | undefined) {
    this.#home = home;
  }

  get(path: string): Given | undefined {
    return this.#byPath.get(path);
  }

  set(path: string, given: Given): void {
    this.#byPath.set(path, given);
  }

  /** Parses one value with `read` and keeps it, or its problem. `shown` is the name with the value. */
  take(
    setting: Setting,
    about: { source: Source; name: string; shown: string; folder?: string | undefined },
    read: () => unknown,
  ): void {
    try {
      let value = read();
      if (setting.spec.kind === "path" && typeof value === "string") {
        value = resolvePath(value, { folder: about.folder, home: this.#home });
      }
      this.set(setting.path, { value, source: about.source, name: about.name });
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
      const shown = setting.spec.secret === true ? about.name : about.shown;
      this.problems.push(withoutPasswords(`Cannot read ${shown}: ${error.message}`));
    }
  }
}

/** Reads the environment variables of settings that `includes` selects; an empty one counts as unset. */
export function takeEnvironment(
  values: GivenValues,
  tree: OptionTree,
  options: { env: ReadVariable; includes: (setting: Setting) => boolean },
): void {
  for (const setting of tree.byPath.values()) {
    if (setting.variable === undefined || !options.includes(setting)) continue;
    const text = options.env(setting.variable);
    // A variable that is set but empty clears a list, which has no other way to say "none".
    if (text === undefined || (text === "" && !isList(setting))) continue;
    values.take(
      setting,
      {
        source: "environment",
        name: setting.variable,
        shown: `${setting.variable} ${quote(text)}`,
      },
      () => setting.spec.parse(text),
    );
  }
}

/** Texts by flag name, without dashes; a flag given twice has two. */
export type FlagTexts = Readonly<Record<string, readonly string[]>>;

/** Reads flags of a parsed command line. */
export function takeFlags(
  values: GivenValues,
  tree: OptionTree,
  options: { flags: FlagTexts; includes: (setting: Setting) => boolean },
): void {
  for (const [flag, texts] of Object.entries(options.flags)) {
    const setting = tree.byFlag.get(flag);
    if (setting === undefined || !options.includes(setting)) {
      const valid = [...tree.byFlag].filter(([, known]) => options.includes(known)).map(([n]) => n);
      const hint = didYouMean(flag, valid, { what: "flags", show: (name) => `--${name}` });
      values.problems.push(`Cannot use --${flag}: unknown flag; ${hint}`);
      continue;
    }
    if (texts.length > 1 && !isList(setting)) {
      values.problems.push(`Cannot use --${flag} more than once: give it one value`);
      continue;
    }
    const text = texts.join(",");
    values.take(
      setting,
      { source: "flag", name: `--${flag}`, shown: `--${flag} ${quote(text)}` },
      () => setting.spec.parse(text),
    );
  }
}

/** Whether the setting takes several values. */
export function isList(setting: Setting): boolean {
  return setting.spec.schema["type"] === "array";
}

/** Longest value quoted in a message, in characters. */
const QUOTE = 80;

/** Quotes a value, shortened, on one line. */
export function quote(value: unknown): string {
  const text = toText(value);
  return text.length > QUOTE ? `${text.slice(0, QUOTE)}…` : text;
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // A program may pass what no file can hold: a bigint, or a cyclic table.
    return typeof value === "bigint" ? `${value}n` : typeof value;
  }
}
