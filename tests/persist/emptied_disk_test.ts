/**
 * A full disk can be emptied: operations that free space work without free space, and free some.
 */
import { assert, assertEquals } from "@std/assert";
import { files } from "../../plugins/files/mod.ts";
import { s3 } from "../../plugins/s3/mod.ts";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
import { noise, paths, scratch, until } from "../support/files.ts";
import { begin, callsTo, pick, sendPart, type StoreCalls } from "../support/s3.ts";
import { FREE_PORTS, listening, startProgram } from "../support/program.ts";
import { startService, type TestService } from "../support/service.ts";

const DISK_BYTES = 12 * 1024 * 1024;
const FILE_BYTES = 20_000;
const KEYS = ["one", "two", "many-1", "many-2", "shorter", "by-api", "left"];

/** A separate disk without room for another page after `fill`. */
interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** Uses up all free space. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  free(): Promise<void>;
}

async function mountDisk(
  programs: { mount: string; umount: string },
): Promise<SmallDisk | undefined> {
  const folder = await scratch();
  const args = ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder.path];
  if ((await runProgram(programs.mount, args)).code !== 0) {
    await folder[Symbol.asyncDispose]();
    return undefined;
  }
  const filler = `${folder.path}/filler`;
  return {
    folder: folder.path,
    async fill() {
      using file = await Deno.open(filler, { append: true, create: true });
      for (let size = 65_536; size >= 4096;) {
        try {
          await file.write(new Uint8Array(size));
        } catch {
          size /= 2;
        }
      }
    },
    free: () => Deno.remove(filler),
    async [Symbol.asyncDispose]() {
      await runOk(programs.umount, [folder.path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

function start(folder: string): Promise<TestService> {
  return startService({
    plugins: [files, s3],
    config: {
      plugins: { s3: { providers: { http: { buckets: ["box"], min_part_bytes: 0 } } } },
      storage: { backend: "filesystem", path: `${folder}/kept` },
    },
    logLevel: "error",
  });
}

/** Runs an operation that frees space when none is left, and uses up the freed space. */
type Step = readonly [what: string, run: () => Promise<unknown>];

async function fileSteps(service: TestService, undo: AsyncDisposableStack): Promise<Step[]> {
  const steps: Step[] = [];
  for (const driver of DRIVERS) {
    const client = undo.use(await driver.open(service));
    const names = ["gone", "shorter", "empty"].map((name) => `/${driver.id}-${name}`);
    for (const name of names) await client.put(name, noise(FILE_BYTES));
    await client.mkdir?.(`/${driver.id}-dir`);
    const [gone, shorter, empty] = names as [string, string, string];
    if (client.remove) steps.push([`${driver.id} deletes`, () => client.remove!(gone)]);
    if (client.rmdir) {
      steps.push([`${driver.id} deletes a directory`, () => client.rmdir!(`/${driver.id}-dir`)]);
    }
    steps.push([`${driver.id} puts less`, () => client.put(shorter, noise(10))]);
    steps.push([`${driver.id} puts nothing`, () => client.put(empty, new Uint8Array())]);
  }
  return steps;
}

async function objectSteps(store: StoreCalls): Promise<Step[]> {
  for (const key of KEYS) {
    await store.text("PUT", `/box/${key}`, 200, { body: noise(FILE_BYTES) });
  }
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  await sendPart(store, `${at}&partNumber=1`, noise(FILE_BYTES));
  await store.text("PUT", "/other", 200);
  const many =
    "<Delete><Object><Key>many-1</Key></Object><Object><Key>many-2</Key></Object></Delete>";
  return [
    ["S3 deletes an object", () => store.text("DELETE", "/box/one", 204)],
    [
      "S3 deletes many",
      async () => {
        const done = await store.text("POST", "/box?delete", 200, { body: many });
        assertEquals(pick(done, "Key"), ["many-1", "many-2"]);
      },
    ],
    ["S3 puts less", () => store.text("PUT", "/box/shorter", 200, { body: "short" })],
    ["S3 aborts an upload", () => store.text("DELETE", at, 204)],
    ["S3 deletes a bucket", () => store.text("DELETE", "/other", 204)],
  ];
}

function apiSteps(service: TestService): Step[] {
  const ask = (method: string, path: string) => async () => {
    const response = await fetch(`${service.api.url}/api/v1${path}`, { method });
    assertEquals([response.status, await response.text()], [response.status, ""], path);
    assert(response.ok, `${method} ${path}: ${response.status}`);
  };
  return [
    ["the API deletes a file", ask("DELETE", "/files/content/ftp-shorter")],
    ["the API deletes an object", ask("DELETE", "/s3/buckets/box/objects/by-api")],
    ["the API clears the events", ask("DELETE", "/events")],
    ["the API clears the tree", ask("DELETE", "/files/tree")],
    ["the API deletes a bucket with all in it", ask("DELETE", "/s3/buckets/box?recursive=true")],
    ["the API resets everything", ask("POST", "/reset")],
    ["the API deletes every bucket", ask("DELETE", "/s3/buckets")],
  ];
}

clientTest(
  "every protocol can empty a full disk, and then store something new",
  ["mount", "umount"],
  async (programs, t) => {
    await using disk = await mountDisk(programs);
    if (disk === undefined) return skipTest(t, "mount", "may not mount here");
    await using service = await start(disk.folder);
    await using undo = new AsyncDisposableStack();
    const store = callsTo(service.endpoint("http").url);
    const steps = [
      ...await fileSteps(service, undo),
      ...await objectSteps(store),
      ...apiSteps(service),
    ];
    // NFS turns a file into an upload once it is quiet.
    await until(async () => (await paths(service)).includes("/nfs-empty"));
    for (const [what, run] of steps) {
      await disk.fill();
      await t.step(what, async () => void await run());
    }
    assertEquals(await paths(service), []);
    await disk.free();
    await store.text("PUT", "/box", 200);
    await store.text("PUT", "/box/again", 200, { body: noise(FILE_BYTES) });
    const again = undo.use(await DRIVERS[0]!.open(service));
    await again.put("/again", noise(FILE_BYTES));
    assertEquals(await paths(service), ["/again"]);
  },
);

const ROUNDS = 3;
const FILES_A_ROUND = 30;
/** Longest time after which a round is ended, in milliseconds. */
const MAX_ROUND_MS = 120;

clientTest(
  "after kill -9 on a full disk, deleted items are gone and the others are whole",
  ["mount", "umount"],
  async (programs, t) => {
    await using disk = await mountDisk(programs);
    if (disk === undefined) return skipTest(t, "mount", "may not mount here");
    const args = ["serve", ...FREE_PORTS, "--persist", `${disk.folder}/kept`];
    const held = new Map<string, Uint8Array>();
    /** Its deletion was requested, and may have happened. */
    let asked = "";
    let deleted = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      // After the first round it starts with a full disk.
      await using program = await startProgram({ args });
      const found = await readAll(program.urls.api!);
      if (!found.has(asked)) held.delete(asked);
      assertEquals(show(found), show(held), `round ${round}`);
      if (round > 0) await disk.free();
      if (round === ROUNDS) {
        await program.stop();
        break;
      }
      const client = await DRIVERS[round % 2]!.open(await listening(program));
      for (let i = 0; i < FILES_A_ROUND; i++) {
        const [path, bytes] = [`/${round}-${i}`, noise(FILE_BYTES, round * FILES_A_ROUND + i)];
        await client.put(path, bytes);
        held.set(path, bytes);
      }
      let killed = false;
      const work = (async () => {
        try {
          for (asked of [...held.keys()]) {
            await disk.fill();
            await client.remove!(asked);
            held.delete(asked);
            deleted++;
          }
        } catch (error) {
          if (!killed) throw error;
        }
      })();
      await until(() => deleted > round);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_ROUND_MS));
      killed = true;
      await program.stop("SIGKILL");
      await client[Symbol.asyncDispose]();
      await work;
      await disk.fill();
    }
  },
);

async function readAll(api: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const listed = await fetch(`${api}/api/v1/files/tree?recursive=1`);
  const { entries } = await listed.json() as { entries: { path: string }[] };
  const found = new Map<string, Uint8Array>();
  for (const { path } of entries) {
    found.set(path, await (await fetch(`${api}/api/v1/files/content${path}`)).bytes());
  }
  return found;
}

function show(files: ReadonlyMap<string, Uint8Array>): readonly string[] {
  return [...files].map(([path, bytes]) => `${path} ${bytes.length} ${bytes.slice(0, 8).toHex()}`)
    .toSorted();
}
