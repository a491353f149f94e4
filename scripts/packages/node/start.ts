/**
 * Starts the program for tests that run on Node, Bun or Deno, on free ports, and stops it.
 *
 * @example One program for a test
 * ```ts ignore
 * import { start } from "@standin/client/node";
 *
 * await using standin = await start();
 * await signUp("ada@example.org", { mailUrl: standin.ingress });
 * await standin.waitFor("mail.message", { to: "ada@example.org" });
 * ```
 *
 * @module
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { checkNames } from "../../../core/client/query.ts";
import { NAMESPACE_RULES } from "../../../core/client/namespace.ts";
import { connect, type Disposes, type StandardClient } from "../../../plugins/client.ts";
import { findProgram } from "./program.ts";

/** Options for starting the program. */
export interface StartOptions {
  /** Path of the program; by default `STANDIN_PROGRAM`, the one of the package `standin-cli`, or `standin` on the `PATH`. */
  readonly program?: string;
  /** More flags of `standin serve`, such as `--smtp-port=2525`. */
  readonly args?: readonly string[];
  /** More environment variables of the program. */
  readonly env?: Readonly<Record<string, string>>;
  /** Maximum time until it is ready, in milliseconds; 30 000 by default. */
  readonly timeoutMs?: number;
}

/** A client of a started program. Disposing of it stops the program. */
export type StartedStandin = StandardClient & Disposes & {
  /** Address that the HTTP providers share, such as `http://localhost:40123`. */
  readonly ingress: string;
  /** Addresses by listener: `ui`, `api`, `ingress`, `mail/smtp` and so on. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Process id. */
  readonly pid: number;
  /** Stops the program, and resolves when it has ended. */
  stop(): Promise<void>;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Maximum time from the request to stop until the program is killed, in milliseconds. */
const STOP_MS = 8000;
/** Number of output characters to keep. */
const KEPT = 65_536;

/**
 * Starts the program, and resolves when every listener accepts connections. The program also stops
 * when this process ends for any reason. Rejects with the program's output if it does not start.
 *
 * Namespaces are read from the header, from recipients such as `ada+t1@example.org` and from
 * credentials such as `re_any--t1`, unless `args` or `env` override that.
 */
export async function start(options: StartOptions = {}): Promise<StartedStandin> {
  checkNames(options, ["program", "args", "env", "timeoutMs"], "Cannot start standin");
  const program = options.program ?? findProgram();
  const child = spawn(
    program,
    ["serve", "--free-ports", "--stop-on-eof", "--log-format=json", ...options.args ?? []],
    { stdio: ["pipe", "pipe", "pipe"], env: environment(options.env) },
  ) as Child;
  // The program may end before it has read its input.
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  try {
    const addresses = await greeting(child, program, options.timeoutMs ?? 30_000);
    // A test runner that does not stop the program can still exit, which ends the program, too.
    hold(child, "unref");
    const client = connect(addresses.ui);
    const stop = (): Promise<void> => stopped(child, ended);
    return Object.assign(client, {
      ingress: addresses.ingress ?? "",
      addresses,
      pid: child.pid!,
      stop,
      [Symbol.asyncDispose]: stop,
    });
  } catch (error) {
    await stopped(child, ended);
    throw error;
  }
}

/** Rules of namespaces, unless the variables are set; the caller's flags take precedence. */
function environment(more: StartOptions["env"]): Record<string, string | undefined> {
  return {
    SERVICE_LOG_LEVEL: "warn",
    SERVICE_NAMESPACE_RECIPIENTS: NAMESPACE_RULES.recipients,
    SERVICE_NAMESPACE_CREDENTIALS: NAMESPACE_RULES.credentials,
    ...process.env,
    ...more,
  };
}

/** Resolves with the addresses of the first line that the program prints. */
function greeting(
  child: Child,
  program: string,
  timeoutMs: number,
): Promise<Readonly<Record<string, string>>> {
  return new Promise((resolve, reject) => {
    let [said, complained] = ["", ""];
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new Error(`Cannot start ${program}: ${reason}\n${complained}`.trimEnd()));
    };
    const timer = setTimeout(() => fail(`it is not ready after ${timeoutMs} ms`), timeoutMs);
    child.once("error", ({ message }) => fail(message));
    child.once("close", (code, signal) => fail(`it exited with ${signal ?? `status ${code}`}`));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complained = (complained + text).slice(-KEPT);
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      // Later lines are ignored, but must be read.
      if (said.includes("\n")) return;
      // Another program may never finish its line.
      said = (said + text).slice(0, KEPT);
      if (!said.includes("\n")) return;
      const addresses = toAddresses(said.slice(0, said.indexOf("\n")));
      if (addresses === undefined) {
        return fail(`it said ${JSON.stringify(said.slice(0, 200))} instead of where it listens`);
      }
      clearTimeout(timer);
      resolve(addresses);
    });
  });
}

/** Parses the line with the listening addresses; `undefined` for any other line. */
function toAddresses(line: string): Readonly<Record<string, string>> | undefined {
  try {
    const { time: _time, level: _level, message: _message, ...rest } = JSON.parse(line);
    return typeof rest.ui === "string" ? rest : undefined;
  } catch {
    return undefined;
  }
}

async function stopped(child: Child, ended: Promise<void>): Promise<void> {
  hold(child, "ref");
  child.stdin.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/** Whether the child keeps this process running. Its pipes are sockets, which have the same methods. */
function hold(child: Child, method: "ref" | "unref"): void {
  for (const one of [child, child.stdin, child.stdout, child.stderr]) {
    (one as { ref?(): void; unref?(): void })[method]?.();
  }
}
