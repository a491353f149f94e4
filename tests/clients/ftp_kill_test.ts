/**
 * FTP clients killed at random moments of an upload: stored files are complete. `KILL_ROUNDS=200`
 * for many rounds of each.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { clientTest, type Programs, runOk } from "../support/clients.ts";
import { noise, scratch, until } from "../support/files.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "../support/program.ts";

const ROUNDS = numberFrom("KILL_ROUNDS", 5);
/** Large enough to take some tens of milliseconds. */
const SIZE = 48 * 1024 * 1024;
/** Longest time between the beginning of an upload and the end of its client, in milliseconds. */
const MAX_UPLOAD_MS = 60;
/** Time for the service to see that a client has gone. */
const SETTLE_MS = 300;

const FTPLIB = `
import ftplib, sys
ftp = ftplib.FTP()
ftp.connect("127.0.0.1", int(sys.argv[1]))
ftp.login("ada", "x")
ftp.storbinary("STOR " + sys.argv[3], open(sys.argv[2], "rb"), 65536)
ftp.quit()
`;

/** Each round is its own process, which ends in the middle of a small file, a moment after its first bytes. */
const PAUSING = `
import ftplib, os, signal, sys, time
for round in range(int(sys.argv[2])):
    child = os.fork()
    if child == 0:
        ftp = ftplib.FTP()
        ftp.connect("127.0.0.1", int(sys.argv[1]))
        ftp.login("ada", "x")
        data = ftp.transfercmd(f"STOR small-{round}")
        data.sendall(b"x" * 500)
        time.sleep(0.004)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
`;
import { numberFrom } from "../support/settings.ts";

/** Arguments of each client that puts `from` to `to`. */
const CLIENTS: Readonly<
  Record<string, (port: number, from: string, to: string) => readonly string[]>
> = {
  curl: (port, from, to) => [
    ...["--silent", "--noproxy", "*", "-T", from],
    `ftp://127.0.0.1:${port}/${to}`,
  ],
  lftp: (port, from, to) => [
    ...["-u", "ada,x", "-p", String(port), "127.0.0.1", "-e", `put ${from} -o ${to}; bye`],
  ],
  python3: (port, from, to) => ["-c", FTPLIB, String(port), from, to],
};

for (const [name, toArgs] of Object.entries(CLIENTS)) {
  clientTest(`${name} killed at any moment leaves no partial file`, [name], async (programs) => {
    const program = (programs as Programs<string>)[name]!;
    await using folder = await scratch();
    await using service = await startProgram({ args: ["serve", ...FREE_PORTS] });
    const { port } = (await listening(service)).endpoint("ftp");
    await Deno.writeFile(`${folder.path}/large`, noise(SIZE));
    for (let round = 0; round < ROUNDS; round++) {
      const child = new Deno.Command(program, {
        args: [...toArgs(port, `${folder.path}/large`, `round-${round}`)],
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn();
      await until(() => isConnected(service));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_UPLOAD_MS));
      try {
        child.kill("SIGKILL");
      } catch {
        // It had already finished.
      }
      await child.status;
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    assertEquals((await kept(service)).filter(({ size }) => size !== SIZE), []);
  });
}

clientTest("a client killed after the first bytes of a small file leaves nothing", [
  "python3",
], async ({ python3 }) => {
  await using service = await startProgram({ args: ["serve", ...FREE_PORTS] });
  const { port } = (await listening(service)).endpoint("ftp");
  await runOk(python3, ["-c", PAUSING, String(port), String(4 * ROUNDS)]);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  assertEquals((await kept(service)).length, 0);
});

async function kept(service: Program): Promise<readonly { readonly size: number }[]> {
  return (await ask(service, "files/tree") as { entries: { size: number }[] }).entries;
}

async function isConnected(service: Program): Promise<boolean> {
  const { listeners } = await ask(service, "ready") as {
    listeners: { name: string; connections?: number }[];
  };
  return listeners.some(({ name, connections = 0 }) => name.endsWith("/ftp") && connections > 0);
}

async function ask({ urls }: Program, path: string): Promise<unknown> {
  return await (await fetch(`${urls.api}/api/v1/${path}`)).json();
}
