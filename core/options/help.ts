import type { Flag } from "./flags.ts";
import { isList } from "./given.ts";
import type { OptionTree, Setting } from "./tree.ts";

/** A flag with its line of help. */
export interface HelpFlag extends Flag {
  readonly about: string;
}

/** Flags under one heading. */
export interface HelpGroup {
  readonly title: string;
  readonly flags: readonly HelpFlag[];
}

/** A page of help. */
export interface HelpPage {
  /** Text after the name of the program: `mail [flags]`. */
  readonly usage: string;
  /** Paragraphs before the flags. */
  readonly about: readonly string[];
  readonly groups: readonly HelpGroup[];
  /** Paragraphs after the flags. */
  readonly notes: readonly string[];
}

/** Returns the flags of settings, a group per table; with a plugin, only its own. */
export function settingGroups(tree: OptionTree, plugin?: string): HelpGroup[] {
  return tree.sections.flatMap((section): HelpGroup[] => {
    if (plugin !== undefined && section.plugin !== undefined && section.plugin !== plugin) {
      return [];
    }
    const flags = section.settings.flatMap((setting) => toHelpFlag(setting, plugin !== undefined));
    return flags.length === 0 ? [] : [{ title: section.title, flags }];
  });
}

function toHelpFlag(setting: Setting, shortcut: boolean): HelpFlag[] {
  const { spec } = setting;
  const name = shortcut ? setting.shortcutFlag ?? setting.flag : setting.flag;
  if (name === undefined) return [];
  const fallback = describeDefault(setting);
  return [{
    name,
    about: fallback === undefined ? spec.about : `${spec.about} (default ${fallback})`,
    ...(isSwitch(setting) ? {} : { value: spec.kind }),
    ...(spec.secret === true ? { secret: true } : {}),
  }];
}

/** Returns whether the bare flag is enough. */
function isSwitch({ spec }: Setting): boolean {
  return spec.schema["type"] === "boolean";
}

/** Formats the default; nothing if there is none. */
export function describeDefault(setting: Setting): string | undefined {
  const { fallback } = setting.spec;
  if (fallback === undefined || fallback === "") return undefined;
  if (isList(setting)) {
    const items = Array.isArray(fallback) ? fallback : [];
    return items.length === 0 ? undefined : items.join(", ");
  }
  return typeof fallback === "object" ? undefined : String(fallback);
}

/** Narrowest and widest page, in columns. */
const COLUMNS = { least: 60, most: 100 } as const;
/** A flag longer than this part of the width is explained on the next line. */
const LEFT = 0.34;

/** Renders a page of help, wrapped to the width of the terminal. */
export function renderHelp(
  program: string,
  page: HelpPage,
  columns: number = COLUMNS.most,
): string {
  const width = Math.min(COLUMNS.most, Math.max(COLUMNS.least, columns));
  const left = Math.min(
    Math.floor(width * LEFT),
    page.groups.flatMap(({ flags }) => flags)
      .reduce((most, flag) => Math.max(most, flagLeft(flag).length), 0),
  );
  const blocks = [
    `Usage: ${program} ${page.usage}`,
    ...page.about.map((text) => wrap(text, width).join("\n")),
    ...page.groups.map(({ title, flags }) =>
      [title, ...flags.map((flag) => entry(flagLeft(flag), flag.about, { left, width }))].join("\n")
    ),
    ...page.notes.map((text) => wrap(text, width).join("\n")),
  ];
  return blocks.join("\n\n");
}

function flagLeft({ name, short, value }: HelpFlag): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` <${value}>`}`;
}

/** Renders two columns: a word, and its explanation. */
export function entry(
  word: string,
  about: string,
  { left, width }: { left: number; width: number },
): string {
  const indent = " ".repeat(left + 4);
  const lines = wrap(about, width - indent.length);
  const head = `  ${word.padEnd(left)}  `;
  if (word.length > left) return [`  ${word}`, ...lines.map((line) => indent + line)].join("\n");
  return lines.map((line, index) => (index === 0 ? head : indent) + line).join("\n");
}

/** Wraps text at blanks; a word longer than the width gets its own line. Never empty. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
