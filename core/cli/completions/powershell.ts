import type { Completable, CompletableFlag } from "./completable.ts";

/** Completions for PowerShell 5.1 and newer. */
export function toPowerShell({ program, commands }: Completable): string {
  const flags = commands.flatMap((command) => command.flags);
  const choices = new Map(
    flags.flatMap(({ name, value }) =>
      value?.kind === "words" ? [[`--${name}`, value.words] as const] : []
    ),
  );
  const table = (rows: readonly (readonly [string, string])[]): string =>
    rows.map(([key, value]) => `    ${quoted(key)} = ${value}`).join("\n");
  return `# Completions of ${program} for PowerShell. For this shell:
#   ${program} completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ${program} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $about = [ordered]@{
${table(commands.map(({ name, about }) => [name, quoted(about)]))}
  }
  $next = @{
${
    table(commands.map(({ name, words, flags }) => [
      name,
      list([...words, ...flags.flatMap(spellings)]),
    ]))
  }
  }
  $values = @{
${table([...choices].map(([name, words]) => [name, list(words)]))}
  }
  $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
      ForEach-Object { $_.ToString() })
  if ($before.Count -lt 2) {
    $candidates = @($about.Keys)
  } elseif ($values.ContainsKey($before[-1])) {
    $candidates = $values[$before[-1]]
  } elseif ($next.ContainsKey($before[1])) {
    $candidates = $next[$before[1]]
  } else {
    $candidates = @()
  }
  $candidates | Where-Object { $_.StartsWith($wordToComplete) } | ForEach-Object {
    $tip = if ($before.Count -lt 2) { $about[$_] } else { $_ }
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $tip)
  }
}
`;
}

function list(words: readonly string[]): string {
  return `@(${words.map(quoted).join(", ")})`;
}

function spellings({ name, short }: CompletableFlag): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
