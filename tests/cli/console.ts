import type { CliIo } from "../../core/cli/base/io.ts";
import { runCli } from "../../core/cli/run.ts";
import type { AnyPlugin } from "../../core/plugin.ts";
import { PLAIN_PLUGINS } from "../support/plain_plugins.ts";

/** Output of a run of the program. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the program in this process, and its controls. */
export interface Run {
  readonly ended: Promise<Said>;
  /** Resolves with the lines on standard output as soon as one of them contains `text`; rejects when the run ends. */
  printed(text: string): Promise<readonly string[]>;
  /** Resolves as soon as a line on standard error contains `text`. */
  warned(text: string): Promise<void>;
  /** Stops it like SIGINT or SIGTERM. */
  askToStop(): void;
  /** Ends its standard input. */
  endInput(): void;
  /** Rejects a promise without a handler. */
  failUncaught(error: unknown): void;
}

/** How the program is run. */
export interface RunOptions {
  readonly plugins?: readonly AnyPlugin[];
  readonly env?: Readonly<Record<string, string>>;
  /** Unknown unless given. */
  readonly envNames?: readonly string[];
  readonly columns?: number;
  readonly colour?: boolean;
}

/** Starts the program in this process, with plain plugins by default. */
export function startCli(args: readonly string[], options: RunOptions = {}): Run {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const stopHandlers = new Set<() => void>();
  const inputHandlers = new Set<() => void>();
  const faultHandlers = new Set<(error: unknown) => void>();
  const warnings = new Set<{ text: string; resolve(): void }>();
  const waiting = new Set<{ text: string; resolve(lines: readonly string[]): void }>();
  const warn = (line: string): void => {
    stderr.push(line);
    for (const one of warnings) if (line.includes(one.text)) one.resolve();
  };
  const io: CliIo = {
    stdout(line) {
      stdout.push(...line.split("\n"));
      for (const one of waiting) if (line.includes(one.text)) one.resolve([...stdout]);
    },
    stderr: warn,
    writeLog(text) {
      warn(text.trimEnd());
      return Promise.resolve();
    },
    env: (name) => options.env?.[name],
    envNames: () => options.envNames,
    ...(options.columns === undefined ? {} : { columns: options.columns }),
    colour: options.colour ?? false,
    onStop: (handler) => subscribe(stopHandlers, handler),
    onInputEnd: (handler) => subscribe(inputHandlers, handler),
    onUncaught: (handler) => subscribe(faultHandlers, handler),
  };
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
  const ended = runCli(args, io, {
    plugins: options.plugins ?? PLAIN_PLUGINS,
    loadUi: () => Promise.resolve({ assets: new Map([["index.html", "<!doctype html>"]]) }),
  }).then((code) => ({ code, stdout: text(stdout), stderr: text(stderr) }));
  return {
    ended,
    printed: (wanted) =>
      new Promise((resolve, reject) => {
        if (stdout.some((line) => line.includes(wanted))) return resolve([...stdout]);
        waiting.add({ text: wanted, resolve });
        void ended.then(({ stderr }) =>
          reject(new Error(`The run ended without saying "${wanted}":\n${stderr}`))
        );
      }),
    warned: (text) =>
      new Promise((resolve) => {
        if (stderr.some((line) => line.includes(text))) return resolve();
        warnings.add({ text, resolve });
      }),
    askToStop: () => stopHandlers.forEach((handler) => handler()),
    endInput: () => inputHandlers.forEach((handler) => handler()),
    failUncaught: (error) => faultHandlers.forEach((handler) => handler(error)),
  };
}

/** Runs the program in this process to its end. */
export function runToEnd(args: readonly string[], options: RunOptions = {}): Promise<Said> {
  return startCli(args, options).ended;
}

function subscribe<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => all.delete(one);
}
