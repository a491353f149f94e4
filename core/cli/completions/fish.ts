import type { Completable, CompletableFlag } from "./completable.ts";

/** Completions for fish. */
export function toFish({ program, commands }: Completable): string {
  const lines = commands.flatMap(({ name, about, words, flags }) => {
    const seen = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
      ...(words.length === 0 ? [] : [`${seen} -a ${quoted(words.join(" "))}`]),
      ...flags.map((flag) => `${seen} ${flagOf(flag)}`),
    ];
  });
  return `# Completions of ${program} for fish. For this shell: ${program} completions fish | source
complete -c ${program} -f
${lines.join("\n")}
`;
}

function flagOf({ name, short, about, value }: CompletableFlag): string {
  const names = `-l ${name}${short === undefined ? "" : ` -s ${short}`} -d ${quoted(about)}`;
  if (value === undefined) return names;
  if (value.kind === "file") return `${names} -r -F`;
  return value.kind === "words" ? `${names} -x -a ${quoted(value.words.join(" "))}` : `${names} -x`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
