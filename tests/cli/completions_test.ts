/** Completions, loaded by real shells. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { commandsOf, flagsOf } from "../../core/cli/commands.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { runToEnd } from "./console.ts";

async function scriptFor(shell: string): Promise<string> {
  const said = await runToEnd(["completions", shell], { plugins: STANDARD_PLUGINS });
  assertEquals([said.code, said.stderr], [0, ""]);
  return said.stdout;
}

/** Returns bash's completions for the last of these words, as bash splits a line. */
async function completeInBash(bash: string, words: readonly string[]): Promise<string[]> {
  const script = `${await scriptFor("bash")}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_standin
((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ["--norc", "--noprofile", "-u", "-c", script, "bash", ...words];
  const { stdout, stderr } = await runOk(bash, args);
  assertEquals(stderr, "");
  return stdout.split("\n").filter((line) => line !== "");
}

clientTest("bash loads the completions and registers them", ["bash"], async ({ bash }) => {
  const args = ["--norc", "-c", `${await scriptFor("bash")}\ncomplete -p standin`];
  assertEquals((await runOk(bash, args)).stdout, "complete -F _standin standin\n");
});

clientTest("bash completes every command, and every flag of each", ["bash"], async ({ bash }) => {
  const commands = commandsOf(STANDARD_PLUGINS);
  assertEquals(
    await completeInBash(bash, ["standin", ""]),
    [...commands.map(({ name }) => name), "help"],
  );
  for (const { name, groups } of commands) {
    const offered = await completeInBash(bash, ["standin", name, "--"]);
    assertEquals(offered, flagsOf(groups).map((flag) => `--${flag.name}`), name);
  }
});

clientTest("bash completes words, values and files", ["bash"], async ({ bash }) => {
  const rows: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
    [["standin", "re"], ["ready", "report"]],
    [["standin", "demo", "sn"], ["snmp"]],
    [["standin", "openapi", "s"], ["sms", "s3"]],
    [["standin", "providers", "mail/s"], ["mail/smtp"]],
    [["standin", "help", "pro"], ["providers"]],
    [["standin", "completions", ""], ["bash", "zsh", "fish", "powershell", "--help", "-h"]],
    [["standin", "serve", "--log-level", ""], ["debug", "info", "warn", "error"]],
    [["standin", "serve", "--log-level", "="], ["debug", "info", "warn", "error"]],
    [["standin", "serve", "--log-level", "=", "w"], ["warn"]],
    [["standin", "serve", "--smtp-po"], ["--smtp-port"]],
    // A number that only the user can know.
    [["standin", "serve", "--smtp-port", ""], []],
    [["standin", "serve", "--config", "deno.js"], ["deno.json"]],
    [["standin", "bogus", ""], []],
  ];
  for (const [words, offered] of rows) {
    assertEquals(await completeInBash(bash, words), offered, words.join(" "));
  }
});

clientTest("fish completes commands, words and values", ["fish"], async ({ fish }) => {
  const path = await Deno.makeTempFile({ suffix: ".fish" });
  const complete = async (line: string): Promise<string[]> => {
    const { stdout, stderr } = await runOk(fish, [
      ...["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", path, line],
    ]);
    assertEquals(stderr, "");
    return stdout.split("\n").filter((text) => text !== "").map((text) => text.split("\t")[0]!);
  };
  try {
    await Deno.writeTextFile(path, await scriptFor("fish"));
    assertEquals(await complete("standin rea"), ["ready"]);
    assertEquals(await complete("standin demo sn"), ["snmp"]);
    assertEquals(await complete("standin serve --log-le"), ["--log-level"]);
    assertEquals((await complete("standin serve --log-level ")).sort(), [
      ...["debug", "error", "info", "warn"],
    ]);
  } finally {
    await Deno.remove(path);
  }
});

clientTest("zsh loads the completions and registers them", ["zsh"], async ({ zsh }) => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/_standin`, await scriptFor("zsh"));
    const sourced = await runOk(zsh, [
      ...[
        "-f",
        "-c",
        'autoload -Uz compinit; compinit -u -D; source "$1/_standin"; ' +
        "print -r -- $_comps[standin]",
      ],
      ...["zsh", folder],
    ]);
    assertEquals([sourced.stdout, sourced.stderr], ["_standin\n", ""]);
    const found = await runOk(zsh, [
      ...[
        "-f",
        "-c",
        'fpath=("$1" $fpath); autoload -Uz compinit; compinit -u -D; ' +
        "print -r -- $_comps[standin]",
      ],
      ...["zsh", folder],
    ]);
    assertEquals([found.stdout, found.stderr], ["_standin\n", ""]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("help texts are quoted for every shell", async () => {
  assertStringIncludes(await scriptFor("powershell"), "'--log-level' = @('debug', 'info'");
  // A flag with an apostrophe in its help: the service's certificate.
  assertMatch(await scriptFor("zsh"), /service'\\''s/);
  assertMatch(await scriptFor("fish"), /service\\'s/);
});

Deno.test("an unknown shell is refused with the list of known ones", async () => {
  const valid = "bash, zsh, fish, powershell";
  assertEquals(
    (await runToEnd(["completions", "tcsh"])).stderr,
    `Error: unknown shell "tcsh": valid shells are ${valid}\n`,
  );
  assertEquals(
    (await runToEnd(["completions"])).stderr,
    `Error: Cannot write completions for no shell: name one of ${valid}\n`,
  );
});
