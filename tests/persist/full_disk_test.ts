/** A full disk: clients get an error, nothing is lost, and the service continues. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { clientTest, requirePython, runOk, runProgram, skipTest } from "../support/clients.ts";
import { type Driver, type FileClient, Refused } from "../support/drivers/driver.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
import { content, noise, operations, paths, scratch, startFiles } from "../support/files.ts";
import { FREE_PORTS, listening, startProgram } from "../support/program.ts";
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";

const FULL_BYTES = 4 * 1024 * 1024;

/** Puts files until the disk is full; returns the paths of the accepted ones. */
async function putUntilFull(
  client: FileClient,
  { driver, size }: { driver: Driver; size: number },
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (;;) {
    const path = `/${driver.id}-${size}-${taken.length}`;
    try {
      await client.put(path, noise(size, taken.length + 1));
    } catch (error) {
      assert(error instanceof Refused, String(error));
      assertEquals(error.code, driver.codes.full, error.message);
      return taken;
    }
    taken.push(path);
    assert(taken.length * size < 2 * FULL_BYTES, "The disk never becomes full");
  }
}

clientTest("every client learns of a full disk, and nothing is lost", ["mount", "umount"], async (
  { mount, umount },
  t,
) => {
  await using folder = await scratch();
  const args = ["-t", "tmpfs", "-o", `size=${FULL_BYTES}`, "tmpfs", folder.path];
  const mounted = await runProgram(mount, args);
  if (mounted.code !== 0) return skipTest(t, "mount", "may not mount here");
  try {
    const storage = { backend: "filesystem", path: `${folder.path}/kept` };
    const kept: string[] = [];
    {
      await using service = await startFiles({}, { storage });
      for (const driver of DRIVERS) {
        await using client = await driver.open(service);
        await client.put(`/${driver.id}-first`, noise(100_000));
        kept.push(`/${driver.id}-first`);
      }
      for (const driver of DRIVERS) {
        await using client = await driver.open(service);
        kept.push(...await putUntilFull(client, { driver, size: 300_000 }));
        await untilReleased(`${folder.path}/kept/files`);
        // Down to the last page.
        await fillUp(`${folder.path}/filler`);
        await assertRejects(() => client.put(`/${driver.id}-first`, noise(200_000, 9)), Refused);
        await assertRejects(() => client.put("/no-bytes", new Uint8Array()), Refused);
        assertEquals(await client.get(`/${driver.id}-first`), noise(100_000));
        await Deno.remove(`${folder.path}/filler`);
      }
      assertEquals((await paths(service)).toSorted(), kept.toSorted());
      assertEquals(operations(service), kept.map((path) => `upload ${path}`));
    }
    await using service = await startFiles({}, { storage });
    assertEquals((await paths(service)).toSorted(), kept.toSorted());
    for (const driver of DRIVERS) {
      assertEquals(await content(service, `/${driver.id}-first`), noise(100_000));
    }
    const url = `${service.api.url}/api/v1/files/content${kept.at(-1)}`;
    assertEquals((await fetch(url, { method: "DELETE" })).status, 204);
    await using client = await DRIVERS[0]!.open(service);
    await client.put("/again", noise(90_000));
    assertEquals(await content(service, "/again"), noise(90_000));
  } finally {
    await runOk(umount, [folder.path]);
  }
});

clientTest(
  "a full disk fails the write, not just the end of the upload",
  ["mount", "umount"],
  async (
    { mount, umount },
    t,
  ) => {
    const python = await requirePython(t);
    if (python === undefined) return;
    await using folder = await scratch();
    const args = ["-t", "tmpfs", "-o", `size=${FULL_BYTES}`, "tmpfs", folder.path];
    const mounted = await runProgram(mount, args);
    if (mounted.code !== 0) return skipTest(t, "mount", "may not mount here");
    try {
      const storage = { backend: "filesystem", path: `${folder.path}/kept` };
      await using service = await startFiles({}, { storage });
      const { hostname, port } = service.endpoint("sftp");
      const script = new URL("../clients/python/paramiko_calls.py", import.meta.url).pathname;
      const write = async (bytes: number) => {
        const run = [script, hostname, String(port), folder.path, "full", String(bytes)];
        return JSON.parse((await runOk(python, run)).stdout);
      };
      // More than the whole disk, and then less than one page.
      assertEquals(await write(FULL_BYTES), [["done"], ["done", "OSError"]]);
      await fillUp(`${folder.path}/filler`);
      assertEquals(await write(3), [["OSError"], ["OSError", "OSError"]]);
      await Deno.remove(`${folder.path}/filler`);
      assertEquals(await write(3), [["done"], ["done", "done"]]);
      assertEquals(operations(service).toSorted(), [
        "upload /parts",
        "upload /small",
        "upload /small",
      ]);
      // Space reserved for uploads does not block them.
      await using client = await DRIVERS.find(({ id }) => id === "ftp")!.open(service);
      const size = await largest(client);
      assert(size > FULL_BYTES / 4, `Only ${size} bytes were taken`);
    } finally {
      await runOk(umount, [folder.path]);
    }
  },
);

/** Size of the largest file that is accepted. */
async function largest(client: FileClient): Promise<number> {
  for (let size = FULL_BYTES; size > 0; size -= 65_536) {
    try {
      await client.put("/largest", noise(size));
      return size;
    } catch (error) {
      assert(error instanceof Refused, String(error));
    }
  }
  return 0;
}

/**
 * Waits until the service has released the space of refused data. That happens shortly after the
 * refusal, for NFS once the client has left; on a disk that is filled up meanwhile, others could
 * use that space.
 */
async function untilReleased(folder: string): Promise<void> {
  while ((await Deno.stat(`${folder}/.room`)).size > 0) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Writes until there is no room for another page. */
async function fillUp(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  for (let size = 65_536; size >= 4096;) {
    try {
      await file.write(new Uint8Array(size));
    } catch {
      size /= 2;
    }
  }
}

/** Largest file that the program may write, in units of 512 bytes. */
const LIMIT_BLOCKS = 200;

clientTest(
  "writes that the system refuses lose nothing that was acknowledged",
  ["sh"],
  async ({ sh }) => {
    await using folder = await scratch();
    const kept = new Map<string, Uint8Array>();
    /** Created before its bytes were refused: it may exist, empty. */
    const begun: string[] = [];
    const main = new URL("../../main.ts", import.meta.url).pathname;
    const command = ["run", "--quiet", "--no-check", "--no-code-cache", ...PROGRAM_PERMISSIONS];
    const serve = ["serve", ...FREE_PORTS, "--persist", folder.path];
    {
      await using program = await startProgram({
        compiled: sh,
        args: [
          "-c",
          `trap '' XFSZ; ulimit -f ${LIMIT_BLOCKS}; exec "$@"`,
          ...["sh", Deno.execPath(), ...command, main, ...serve],
        ],
      });
      const at = await listening(program);
      const clients = await Promise.all(DRIVERS.map((driver) => driver.open(at)));
      await using _closed = toDisposable(clients);
      for (const [i, driver] of DRIVERS.entries()) {
        const tooLong = clients[i]!.put(`/${driver.id}-long`, noise(LIMIT_BLOCKS * 512 + 1));
        const error = await assertRejects(() => tooLong, Refused);
        assertEquals(error.code, driver.codes.full, error.message);
      }
      // Until the catalog's log has reached the limit, too.
      for (let i = 0, refused = 0; refused < DRIVERS.length; i++) {
        const client = clients[i % clients.length]!;
        const path = `/${i}`;
        try {
          await client.put(path, noise(10, i));
          kept.set(path, noise(10, i));
        } catch (error) {
          assert(error instanceof Refused, String(error));
          refused++;
          if (DRIVERS[i % clients.length]!.createsFirst) begun.push(path);
        }
        assert(i < 10_000, "The limit never shows");
      }
      for (const [path, bytes] of kept) {
        assertEquals(await read(program.urls.api!, path), bytes);
      }
      await program.stop("SIGKILL");
    }
    await using program = await startProgram({ args: serve });
    const listed = await fetch(`${program.urls.api}/api/v1/files/tree?recursive=1`);
    const { entries } = await listed.json() as { entries: { path: string; size: number }[] };
    const empty = entries.filter(({ path, size }) => size === 0 && begun.includes(path));
    const whole = entries.filter((entry) => !empty.includes(entry)).map(({ path }) => path);
    assertEquals(whole.toSorted(), [...kept.keys()].toSorted());
    for (const [path, bytes] of kept) assertEquals(await read(program.urls.api!, path), bytes);
  },
);

async function read(api: string, path: string): Promise<Uint8Array> {
  return await (await fetch(`${api}/api/v1/files/content${path}`)).bytes();
}

function toDisposable(clients: readonly FileClient[]): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client[Symbol.asyncDispose]();
    },
  };
}
