/**
 * Mailpit, to compare with: `go install github.com/axllent/mailpit@v1.30.5` puts it into Go's `bin` folder, and it is
 * looked for on `PATH`.
 *
 * @module
 */
import { freePort } from "./free_port.ts";

/** A running Mailpit, with its messages in a folder of its own. */
export interface Mailpit extends AsyncDisposable {
  readonly pid: number;
  readonly smtpPort: number;
  /** Base address of its API. */
  readonly api: string;
}

/** Milliseconds that a start may take. */
const START_MS = 20_000;

/** Starts Mailpit on free ports of the loopback interface. Rejects, with what it printed, if it does not listen. */
export async function startMailpit(
  program: string,
  args: readonly string[] = [],
): Promise<Mailpit> {
  const [smtpPort, httpPort] = [freePort(), freePort()];
  const child = new Deno.Command(program, {
    args: [
      ...["--smtp", `127.0.0.1:${smtpPort}`, "--listen", `127.0.0.1:${httpPort}`],
      // No look-ups: neither of its own releases nor of the client's name.
      ...["--disable-version-check", "--smtp-disable-rdns", "--block-remote-css-and-fonts"],
      ...["--quiet", ...args],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const dispose = async () => {
    try {
      child.kill("SIGTERM");
    } catch { /* It has ended already. */ }
    await Promise.all([child.status, output]);
  };
  const api = `http://127.0.0.1:${httpPort}`;
  try {
    await ready(`${api}/readyz`, child.status);
  } catch (error) {
    await dispose();
    throw new Error(`${(error as Error).message}\n${(await output).join("")}`);
  }
  return { pid: child.pid, smtpPort, api, [Symbol.asyncDispose]: dispose };
}

async function ready(url: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  ended.then(() => isOver = true);
  const endMs = Date.now() + START_MS;
  while (!isOver && Date.now() < endMs) {
    try {
      const answer = await fetch(url);
      await answer.body?.cancel();
      if (answer.ok) return;
    } catch { /* Not listening yet. */ }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Started Mailpit: it ${isOver ? "ended" : `did not listen in ${START_MS} ms`}`);
}
