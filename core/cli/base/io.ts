import { userConfigFolder } from "../../options/paths.ts";

/** Environment of the command line; tests bring their own. */
export interface CliIo {
  /** Writes one or several lines to standard output. */
  stdout(line: string): void;
  /** Writes one or several lines to standard error. */
  stderr(line: string): void;
  /** Writes text with its line ends to standard error without blocking. */
  writeLog(text: string): Promise<void>;
  env(name: string): string | undefined;
  /** Names of all environment variables; `undefined` if the program may read only its own. */
  envNames(): readonly string[] | undefined;
  /** Width of the terminal in columns, if there is one. */
  readonly columns?: number;
  /** Whether standard output may be coloured. */
  readonly colour: boolean;
  /** Calls back on every request to stop, until the returned function is called. */
  onStop(handler: () => void): () => void;
  /**
   * Calls back when standard input ends, until the returned function is called. Input is discarded.
   */
  onInputEnd(handler: () => void): () => void;
  /** Calls back on every uncaught fault, until the returned function is called. */
  onUncaught(handler: (error: unknown) => void): () => void;
}

/** Returns the folder for the program's keys and certificates; `undefined` if the environment names none. */
export function configFolderOf(io: CliIo): string | undefined {
  return userConfigFolder((name) => io.env(name), Deno.build.os);
}

const encoder = new TextEncoder();

/** Returns the environment of this process. */
export function processIo(): CliIo {
  const size = terminalSize();
  return {
    stdout: (line) => console.log(line),
    stderr: (line) => console.error(line),
    async writeLog(text) {
      for (let left = encoder.encode(text); left.length > 0;) {
        left = left.subarray(await Deno.stderr.write(left));
      }
    },
    env: (name) => Deno.env.get(name),
    envNames: () =>
      Deno.permissions.querySync({ name: "env" }).state === "granted"
        ? Object.keys(Deno.env.toObject())
        : undefined,
    ...(size === undefined ? {} : { columns: size.columns }),
    colour: size !== undefined && !Deno.noColor,
    onStop,
    onInputEnd,
    onUncaught,
  };
}

function terminalSize(): { readonly columns: number } | undefined {
  if (!Deno.stdout.isTerminal()) return undefined;
  try {
    return Deno.consoleSize();
  } catch {
    // A terminal of unknown size is still a terminal.
    return { columns: 80 };
  }
}

function onStop(handler: () => void): () => void {
  // Windows has no SIGTERM: asking for it throws.
  const signals: readonly Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, handler);
  return () => {
    for (const signal of signals) Deno.removeSignalListener(signal, handler);
  };
}

function onInputEnd(handler: () => void): () => void {
  const reader = Deno.stdin.readable.getReader();
  const drain = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  // A pipe that breaks has ended, too.
  drain().catch(() => {}).then(handler);
  return () => void reader.cancel().catch(() => {});
}

function onUncaught(handler: (error: unknown) => void): () => void {
  const rejected = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    handler(event.reason);
  };
  const thrown = (event: ErrorEvent): void => {
    event.preventDefault();
    handler(event.error);
  };
  globalThis.addEventListener("unhandledrejection", rejected);
  globalThis.addEventListener("error", thrown);
  return () => {
    globalThis.removeEventListener("unhandledrejection", rejected);
    globalThis.removeEventListener("error", thrown);
  };
}

/** Formats text in bold, if the terminal supports it. */
export function bold(io: CliIo, text: string): string {
  return io.colour ? `\x1b[1m${text}\x1b[22m` : text;
}
