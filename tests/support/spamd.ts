/** A running spamd without network tests, on a free port. */
import { freePort } from "./free_port.ts";
export interface Spamd extends AsyncDisposable {
  readonly port: number;
}

/** Starts SpamAssassin's daemon. Rejects, with its output, if it does not listen. */
export async function startSpamd(program: string): Promise<Spamd> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const child = new Deno.Command(program, {
    args: [
      ...["--local", "--nouser-config", "--max-children=2", "--syslog=stderr"],
      ...[`--listen=127.0.0.1:${port}`, "--allowed-ips=127.0.0.1", `--helper-home-dir=${folder}`],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const started = Promise.withResolvers<void>();
  // Read to the end: a full pipe would stop the daemon.
  const reading = (async () => {
    let said = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said.includes("server started on")) started.resolve();
    }
    started.reject(new Error(`spamd did not start:\n${said}`));
  })();
  const dispose = async () => {
    try {
      child.kill("SIGTERM");
    } catch { /* It has ended already. */ }
    await Promise.all([child.status, reading]);
    await Deno.remove(folder, { recursive: true });
  };
  try {
    await started.promise;
  } catch (error) {
    await dispose();
    throw error;
  }
  return { port, [Symbol.asyncDispose]: dispose };
}
