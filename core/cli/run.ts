import { ConfigError, reasonOf } from "../errors.ts";
import { createLogger } from "../log.ts";
import { type CommandLine, parseCommandLine } from "../options/flags.ts";
import { quote } from "../options/given.ts";
import { entry, renderHelp } from "../options/help.ts";
import { didYouMean } from "../options/suggest.ts";
import { type Command, PROGRAM, type Program } from "./base/command.ts";
import { commandsOf, flagsOf } from "./commands.ts";
import type { CliIo } from "./base/io.ts";

/** Runs the program with these arguments. Returns the exit status: 0, 1 for an error, 130 if stopped twice. */
export async function runCli(
  args: readonly string[],
  io: CliIo,
  program: Program,
): Promise<number> {
  try {
    return await dispatch(args, io, program);
  } catch (error) {
    for (const problem of problemsOf(error)) io.stderr(`Error: ${problem}`);
    // The stack helps with a fault of the program itself.
    const stack = error instanceof Error && !(error instanceof ConfigError) && error.stack;
    if (stack && io.env("SERVICE_LOG_LEVEL") === "debug") io.stderr(stack);
    return 1;
  }
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  return [reasonOf(error)];
}

async function dispatch(args: readonly string[], io: CliIo, program: Program): Promise<number> {
  const commands = commandsOf(program.plugins);
  const [first, ...rest] = args;
  if (first === undefined || first === "--help" || first === "-h") {
    io.stdout(overview(commands, io));
    return 0;
  }
  if (first === "help") return help(rest, { commands, io });
  const name = first === "--version" ? "version" : first;
  const command = find(commands, name);
  const line = parseCommandLine(rest, {
    flags: flagsOf(command.groups),
    maxWords: command.maxWords,
    explain: (flag) => command.explain?.(flag),
    help: `${PROGRAM} help ${command.name}`,
  });
  if (line.texts["help"] !== undefined) {
    io.stdout(page(command, io));
    return 0;
  }
  try {
    if (line.problems.length > 0) throw new ConfigError(line.problems);
    return await command.run(line, { ...program, io });
  } catch (error) {
    if (command.logs === undefined || !asksForJson(line, io)) throw error;
    const log = createLogger({
      level: "error",
      format: "json",
      write: io.stderr,
      now: () => new Date(),
    });
    for (const problem of problemsOf(error)) log.error(problem);
    return 1;
  }
}

/** Returns whether log lines are JSON; the error that prevents a start is then a log line, too. */
function asksForJson({ texts }: CommandLine, io: CliIo): boolean {
  return (texts["log-format"]?.at(-1) ?? io.env("SERVICE_LOG_FORMAT")) === "json";
}

function find(commands: readonly Command[], name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  if (name.startsWith("-")) {
    throw new ConfigError(
      `Cannot use ${
        name.replace(/=.*$/s, "")
      } before a command: write ${PROGRAM} serve first, or see ${PROGRAM} help`,
    );
  }
  const names = [...commands.map((command) => command.name), "help"];
  const hint = didYouMean(name, names, { what: "commands" });
  throw new ConfigError(`Cannot run ${quote(name)}: unknown command; ${hint}`);
}

function help(
  words: readonly string[],
  { commands, io }: { commands: readonly Command[]; io: CliIo },
): number {
  const [name, ...more] = words;
  if (more.length > 0) {
    throw new ConfigError(`Cannot show help on ${quote(more.join(" "))}: name one command`);
  }
  const own = name === undefined || name === "help" || name === "--help" || name === "-h";
  io.stdout(own ? overview(commands, io) : page(find(commands, name), io));
  return 0;
}

function page(command: Command, io: CliIo): string {
  return renderHelp(PROGRAM, {
    usage: `${command.name} ${command.usage}`.trimEnd(),
    about: [command.about, ...command.details],
    groups: command.groups,
    notes: command.notes,
  }, io.columns);
}

function overview(commands: readonly Command[], io: CliIo): string {
  const width = Math.min(100, Math.max(60, io.columns ?? 100));
  const lines = [...commands, { name: "help", about: "Show help for a command" }];
  const left = lines.reduce((most, { name }) => Math.max(most, name.length), 0);
  return [
    `Usage: ${PROGRAM} <command> [flags]`,
    "",
    "Stands in for the outside services an application sends to; delivers nothing, keeps everything.",
    "",
    "Commands",
    ...lines.map(({ name, about }) => entry(name, about, { left, width })),
    "",
    `Flags of a command: ${PROGRAM} help <command>`,
  ].join("\n");
}
