import { parseArgs } from "node:util";
import { compact } from "../compact.ts";
import { type FlagTexts, quote } from "./given.ts";
import { didYouMean } from "./suggest.ts";

/** A flag that a command takes. */
export interface Flag {
  /** Without dashes. */
  readonly name: string;
  /** One letter, for `-c`. */
  readonly short?: string;
  /** Placeholder of the value; absent for a boolean, which needs none. */
  readonly value?: string;
  /** The value is never printed. */
  readonly secret?: boolean;
}

/** A parsed command line. The values are texts, which the settings parse. */
export interface CommandLine {
  /** In the order given; a boolean flag without a value gives an empty text. */
  readonly texts: FlagTexts;
  readonly words: readonly string[];
  readonly problems: readonly string[];
}

/** Rules of a command line. */
export interface CommandLineRules {
  readonly flags: readonly Flag[];
  /** Maximum number of words that are not flags. */
  readonly maxWords?: number;
  /** Explains a flag that the command does not take, if there is something better than a list. */
  explain?(name: string): string | undefined;
  /** Where all flags are listed; replaces a long list. */
  readonly help?: string;
}

/** Splits arguments into flags and words: `--flag v`, `--flag=v`, `--h2c`, `--h2c=false`, `-c v`; `--` ends the flags. */
export function parseCommandLine(
  args: readonly string[],
  rules: CommandLineRules,
): CommandLine {
  const known = new Map(rules.flags.map((flag) => [flag.name, flag]));
  const { tokens } = parseArgs({
    args: args.map((arg, index) => isLongWithOneDash(args, index, rules) ? `-${arg}` : arg),
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(rules.flags.map(({ name, short, value }) => [name, {
      type: value === undefined ? "boolean" as const : "string" as const,
      ...compact({ short }),
    }])),
  });
  const texts = new Map<string, string[]>();
  const words: string[] = [];
  const problems: string[] = [];
  // The word after an unknown flag is most likely its value.
  let orphan = -1;
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (token.index === orphan) continue;
      words.push(token.value);
      const max = rules.maxWords ?? 0;
      if (words.length > max) problems.push(strayWord(token, { args, max }));
    } else if (token.kind === "option") {
      const flag = known.get(token.name);
      const given = args[token.index] ?? token.rawName;
      const oneDash = flag !== undefined && isLong(given) && token.rawName.startsWith("--");
      if (flag === undefined || oneDash) {
        problems.push(unknownFlag(given.replace(/=.*$/s, ""), token.name, rules));
        if (token.inlineValue !== true) orphan = token.index + 1;
        continue;
      }
      const text = textOf(token, flag);
      if (text === undefined) problems.push(missingValue(token, flag));
      else texts.set(flag.name, [...texts.get(flag.name) ?? [], text]);
    }
  }
  return { texts: Object.fromEntries(texts), words, problems };
}

/** Reads `-smtp-port` with a second dash, or it would be reported as seven flags of one letter. */
function isLongWithOneDash(
  args: readonly string[],
  index: number,
  rules: CommandLineRules,
): boolean {
  const end = args.indexOf("--");
  const arg = args[index]!;
  if (!isLong(arg) || (end >= 0 && index > end)) return false;
  const takesValue = (flag: Flag): boolean => flag.value !== undefined;
  const before = args[index - 1];
  return !rules.flags.some((flag) =>
    takesValue(flag) && (flag.short === arg.charAt(1) || before === `--${flag.name}`)
  );
}

/** One dash and more than a letter. */
function isLong(arg: string): boolean {
  return /^-[^-]./.test(arg);
}

/** The used properties of node's tokens. */
interface FlagToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function textOf(token: FlagToken, flag: Flag): string | undefined {
  if (flag.value === undefined) return token.value ?? "";
  if (token.value === undefined) return undefined;
  if (token.inlineValue !== true) return token.value.startsWith("-") ? undefined : token.value;
  const short = !token.rawName.startsWith("--");
  return short && token.value.startsWith("=") ? token.value.slice(1) : token.value;
}

function missingValue({ rawName, value }: FlagToken, flag: Flag): string {
  if (value === undefined) return `Cannot read ${rawName}: expected <${flag.value}> after it`;
  const shown = flag.secret === true ? `<${flag.value}>` : value;
  return `Cannot read ${rawName}: expected <${flag.value}>, found the beginning of a flag; ` +
    `a value that starts with "-" is written --${flag.name}=${shown}`;
}

function unknownFlag(given: string, name: string, rules: CommandLineRules): string {
  const explained = rules.explain?.(name);
  if (explained !== undefined) return `Cannot use ${given}: ${explained}`;
  const names = rules.flags.map((flag) => flag.name);
  if (name.startsWith("no-") && names.includes(name.slice(3))) {
    return `Cannot use ${given}: unknown flag; write --${name.slice(3)}=false`;
  }
  const show = (flag: string): string => `--${flag}`;
  const hint = didYouMean(name, names, { what: "flags", show, help: rules.help });
  return `Cannot use ${given}: unknown flag; ${hint}`;
}

function strayWord(
  token: { readonly index: number; readonly value: string },
  { args, max }: { args: readonly string[]; max: number },
): string {
  const before = args[token.index - 1];
  const isTruth = /^(true|false|1|0|t|f)$/i.test(token.value) && before?.startsWith("--") === true;
  const stray = `Cannot use ${quote(token.value)}: the command takes ` +
    (max === 0 ? "no such argument" : `at most ${max} such argument${max === 1 ? "" : "s"}`);
  if (isTruth) return `${stray}; write ${before}=${token.value}`;
  return max === 0 ? `${stray}; values of flags are written --flag value or --flag=value` : stray;
}
