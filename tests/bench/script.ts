/** A script of this folder in a separate process, which prints the address it listens on. */
export interface Script extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
}

/** Starts `name` and resolves when it has printed an address. */
export async function startScript(name: string): Promise<Script> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", new URL(name, import.meta.url).pathname],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const part of output.values({ preventCancel: true })) {
    text += part;
    if (/http:\S+\s/.test(text)) break;
  }
  const url = /http:\S+/.exec(text)?.[0];
  if (url === undefined) throw new Error(`Started ${name}: it printed no address`);
  return {
    pid: child.pid,
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await Promise.all([child.status, output.cancel()]);
    },
  };
}
