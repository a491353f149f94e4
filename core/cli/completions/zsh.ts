import { shellWord } from "../../bytes/text.ts";
import type { Completable, CompletableCommand, CompletableFlag } from "./completable.ts";

/** Completions for zsh: to source, or to keep as a file in a folder of `$fpath`. */
export function toZsh({ program, commands }: Completable): string {
  return `#compdef ${program}
# Completions of ${program} for zsh. For this shell: source <(${program} completions zsh)
_${program}() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${shellWord(`${name}:${about}`)}`).join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    return
  fi
  local command=\${words[2]}
  shift words
  ((CURRENT--))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
if [[ \${funcstack[1]} == _${program} ]]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`;
}

function commandCase({ name, words, flags }: CompletableCommand): string {
  const specs = [
    ...(words.length === 0 ? [] : [shellWord(`1: :(${words.join(" ")})`)]),
    ...flags.flatMap(specsOf),
  ];
  const lines = specs.map((spec) => ` \\\n        ${spec}`).join("");
  return `    ${name})\n      _arguments${lines}\n      ;;`;
}

function specsOf({ name, short, about, value }: CompletableFlag): readonly string[] {
  const text = `[${about.replace(/[[\]\\]/g, "\\$&")}]`;
  const action = value === undefined
    ? ""
    : value.kind === "words"
    ? `: :(${value.words.join(" ")})`
    : value.kind === "file"
    ? ":file:_files"
    : `:${value.name}: `;
  const long = `--${name}${value === undefined ? "" : "="}${text}${action}`;
  return short === undefined
    ? [shellWord(long)]
    : [shellWord(long), shellWord(`-${short}${text}${action}`)];
}
