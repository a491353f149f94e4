import type { Completable, CompletableFlag } from "./completable.ts";

/** Completions for bash 3.2, which macOS has, and newer. */
export function toBash({ program, commands }: Completable): string {
  const flags = commands.flatMap((command) => command.flags);
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completions of ${program} for bash. For this shell: source <(${program} completions bash)
_${program}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} words="" flags=""
  COMPREPLY=()
  # In --flag=value the sign is a separate word.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${names}" -- "$cur"))
    return
  fi
  case $prev in
${valueCases(flags)}
  esac
  case \${COMP_WORDS[1]} in
${
    commands.map(({ name, words, flags }) =>
      `    ${name}) words="${words.join(" ")}" flags="${flags.flatMap(spellings).join(" ")}" ;;`
    ).join("\n")
  }
  esac
  if [[ $cur == -* || -z $cur ]]; then
    words="$words $flags"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _${program} ${program}
`;
}

/** Completes the values of flags; unknown values get no completions. */
function valueCases(flags: readonly CompletableFlag[]): string {
  const patterns = (wanted: (flag: CompletableFlag) => boolean): string =>
    [...new Set(flags.filter(wanted).flatMap(spellings))].join(" | ");
  const choices = new Map(
    flags.flatMap(({ name, value }) =>
      value?.kind === "words" ? [[`--${name}`, value.words.join(" ")] as const] : []
    ),
  );
  return [
    ...[...choices].map(([pattern, words]) =>
      `    ${pattern})
      COMPREPLY=($(compgen -W "${words}" -- "$cur"))
      return
      ;;`
    ),
    `    ${patterns(({ value }) => value?.kind === "file")})
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$cur"))
      compopt -o filenames 2>/dev/null
      return
      ;;`,
    `    ${patterns(({ value }) => value?.kind === "other")})
      return
      ;;`,
  ].join("\n");
}

function spellings({ name, short }: CompletableFlag): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}
