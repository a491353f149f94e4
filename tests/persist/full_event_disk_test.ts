/** A disk too full for events: senders are refused, nothing acknowledged is lost, and the service recovers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { scratch, until } from "../support/files.ts";
import { FREE_PORTS, startProgram } from "../support/program.ts";
import { startService, type TestService } from "../support/service.ts";

const DISK_BYTES = 16 * 1024 * 1024;
/** Rounds that end with a kill, and what each waits for. */
const KILLS = 4;
const REFUSALS = 30;
const SENDERS = 6;
/** Bodies for the journal, the database, and files of their own. */
const SIZES = [500, 5000, 300_000];

function start(path: string): Promise<TestService> {
  return startService({ config: { storage: { events: "filesystem", path } }, logLevel: "error" });
}

const send = ({ ingress }: TestService, size: number): Promise<number> =>
  post(ingress.url, { subject: "Filling up", size });

async function post(
  ingress: string,
  { subject, size }: { subject: string; size: number },
): Promise<number> {
  const response = await fetch(`${ingress}/v3/mail/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer SG.x" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.org" },
      subject,
      content: [{ type: "text/plain", value: crypto.randomUUID().padEnd(size, "x") }],
    }),
  });
  await response.body?.cancel();
  return response.status;
}

interface Disk extends AsyncDisposable {
  readonly path: string;
}

/** An empty disk of that many bytes; skips the test where nothing can be mounted. */
async function mountDisk(
  t: Deno.TestContext,
  { mount, umount }: { readonly mount: string; readonly umount: string },
  bytes: number,
): Promise<Disk | undefined> {
  await using undo = new AsyncDisposableStack();
  const { path } = undo.use(await scratch());
  const args = ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path];
  if ((await runProgram(mount, args)).code !== 0) {
    skipTest(t, "mount", "may not mount here");
    return undefined;
  }
  undo.defer(async () => void await runOk(umount, [path]));
  const mounted = undo.move();
  return { path, [Symbol.asyncDispose]: () => mounted.disposeAsync() };
}

const idsOf = ({ events }: TestService): readonly string[] => events.list({}).map(({ id }) => id);

clientTest(
  "a full disk refuses events, loses none, and accepts them again once some are deleted",
  ["mount", "umount"],
  async (programs, t) => {
    await using disk = await mountDisk(t, programs, DISK_BYTES);
    if (disk === undefined) return;
    let ids: readonly string[];
    {
      await using service = await start(disk.path);
      let taken = 0;
      // Bodies in the database, and bodies in their own files.
      for (const size of [100_000, 400_000, 1000]) {
        for (;;) {
          const status = await send(service, size);
          if (status !== 202) {
            assertEquals(status, 503);
            break;
          }
          taken++;
          assert(taken < 1000, "The disk never becomes full");
        }
      }
      ids = idsOf(service);
      assertEquals(ids.length, taken);
      assertEquals(service.rejected.list()[0]?.provider, "mail2");
      await service.getJson("/ready", 503);
    }
    await using service = await start(disk.path);
    assertEquals(idsOf(service), ids);
    const cleared = await fetch(`${service.api.url}/api/v1/events`, { method: "DELETE" });
    assertEquals([cleared.status, await cleared.text()], [204, ""]);
    assertEquals(await send(service, 100_000), 202);
    await service.getJson("/ready");
  },
);

clientTest(
  "a program that is killed on a full disk starts on it again, with everything it acknowledged",
  ["mount", "umount"],
  async (programs, t) => {
    await using disk = await mountDisk(t, programs, DISK_BYTES);
    if (disk === undefined) return;
    await using other = await scratch();
    const config = `${other.path}/standin.toml`;
    await Deno.writeTextFile(
      config,
      `[storage]\nevents = "filesystem"\npath = "${disk.path}"\ncapacity = 100000\n`,
    );
    const acknowledged = new Set<string>();
    for (let round = 0; round <= KILLS; round++) {
      await using program = await startProgram({
        args: ["serve", ...FREE_PORTS, "--config", config],
      });
      const api = `${program.urls.api}/api/v1`;
      const events: readonly { summary_parts: { title: string } }[] =
        await (await fetch(`${api}/events`)).json();
      const subjects = events.map(({ summary_parts: { title } }) => title);
      assertEquals(new Set(subjects).size, subjects.length, "nothing twice");
      const missing = acknowledged.difference(new Set(subjects));
      assertEquals([...missing], [], `round ${round}`);
      if (round === KILLS) {
        const cleared = await fetch(`${api}/events`, { method: "DELETE" });
        assertEquals([cleared.status, await cleared.text()], [204, ""]);
        assertEquals(await post(program.urls.ingress!, { subject: "again", size: 100_000 }), 202);
        break;
      }
      let refused = 0;
      const killed = new AbortController();
      const senders = Array.from({ length: SENDERS }, async (_, sender) => {
        for (let n = 0; !killed.signal.aborted; n++) {
          const subject = `r${round}s${sender}n${n}`;
          const size = SIZES[(n + sender) % SIZES.length]!;
          try {
            const status = await post(program.urls.ingress!, { subject, size });
            if (status === 202) acknowledged.add(subject);
            else refused++;
          } catch {
            return;
          }
        }
      });
      await until(() => refused >= REFUSALS, 60_000);
      await program.stop("SIGKILL");
      killed.abort();
      await Promise.all(senders);
    }
    assert(acknowledged.size > 0);
  },
);

clientTest(
  "a read-only folder stops the start, with a hint",
  ["mount", "umount"],
  async (programs, t) => {
    await using disk = await mountDisk(t, programs, 4 * DISK_BYTES);
    if (disk === undefined) return;
    await runOk(programs.mount, ["-o", "remount,ro", disk.path]);
    await assertRejects(() => start(disk.path), ConfigError, "choose another [storage] path");
  },
);
