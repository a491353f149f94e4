/**
 * `kill -9` at random moments while clients of several protocols change the tree: acknowledged
 * changes exist after the next start, and other changes exist completely or not at all.
 * `KILL_ROUNDS=200` runs many rounds, `KILL_SEED=n` repeats the choices of an earlier run.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type Driver, type FileClient, Refused } from "../support/drivers/driver.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { noise, scratch, until } from "../support/files.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "../support/program.ts";
import { numberFrom, seedFrom } from "../support/settings.ts";

const ROUNDS = numberFrom("KILL_ROUNDS", 4);
const SEED = seedFrom("KILL_SEED");
/** Time that the program needs to start, in milliseconds. */
const MAX_START_MS = 800;
/** Longest time that a round lasts once every client has changed something, in milliseconds. */
const MAX_LOAD_MS = 400;
/** Number of entries from which a worker prefers to delete. */
const MANY = 40;
const SIZES = [0, 1, 1000, 4096, 60_000, 200_000];

/** Contents of a worker's directory: bytes of files by path, and directories. */
type Model = ReadonlyMap<string, Uint8Array | "dir">;

/** One change: its effect on the tree, and how it is requested. */
interface Step {
  readonly after: Model;
  /** The state when it was only begun. */
  readonly begun?: Model;
  run(): Promise<void>;
}

/** A client that works in its own directory, and knows what must exist. */
interface Worker {
  readonly driver: Driver;
  readonly root: string;
  /** Acknowledged state. */
  model: Model;
  /** Alternative state, if the pending change was made or begun after all. */
  next: readonly Model[];
  changes: number;
}

Deno.test(`acknowledged changes survive kill -9 (${ROUNDS} rounds)`, async () => {
  await using folder = await scratch();
  const random = generator(SEED);
  const workers = DRIVERS.map((driver): Worker => ({
    driver,
    root: `/${driver.id}`,
    model: new Map(),
    next: [],
    changes: 0,
  }));
  const args = ["serve", ...FREE_PORTS, "--persist", folder.path];
  for (let round = 0; round <= ROUNDS; round++) {
    if (round % 4 === 3) await killAtStart(args, random() * MAX_START_MS);
    const program = await startProgram({ args });
    await verify(program, { workers, folder: folder.path, where: `round ${round}, seed ${SEED}` });
    if (round === ROUNDS) {
      await program.stop();
      break;
    }
    const at = await listening(program);
    const clients = await Promise.all(DRIVERS.map((driver) => driver.open(at)));
    const work = clients.map((client, i) =>
      change(workers[i]!, { client, random, api: program.urls.api! })
    );
    const before = workers.map(({ changes }) => changes);
    await until(() => workers.every(({ changes }, i) => changes > before[i]!));
    await new Promise((resolve) => setTimeout(resolve, random() * MAX_LOAD_MS));
    await program.stop("SIGKILL");
    // A TFTP client waits for packets that will never arrive.
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
    await Promise.all(work);
  }
  const changes = workers.map(({ root, changes }) => `${root.slice(1)} ${changes}`);
  console.log(`${ROUNDS} rounds; changes that were acknowledged: ${changes.join(", ")}`);
  assert(workers.every(({ changes }) => changes > 0));
});

/** Kills the program while it may be restoring stored data and removing leftovers. */
async function killAtStart(args: readonly string[], afterMs: number): Promise<void> {
  const main = new URL("../../main.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...PROGRAM_PERMISSIONS, main, ...args],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  const { signal } = await child.status;
  assertEquals(signal, "SIGKILL");
}

/** Compares the whole tree with the state of the workers, and continues from the actual state. */
async function verify(
  program: Program,
  about: { workers: readonly Worker[]; folder: string; where: string },
): Promise<void> {
  const url = `${program.urls.api}/api/v1/files`;
  const listed = await (await fetch(`${url}/tree?recursive=1`)).json() as {
    entries: { path: string; dir: boolean }[];
    stats: { files: number };
  };
  for (const worker of about.workers) {
    const found = new Map<string, Uint8Array | "dir">();
    for (const { path, dir } of listed.entries) {
      if (path !== worker.root && !path.startsWith(`${worker.root}/`)) continue;
      found.set(path, dir ? "dir" : await (await fetch(`${url}/content${path}`)).bytes());
    }
    if (![worker.model, ...worker.next].some((model) => isSame(model, found))) {
      const [was, is] = [worker.model, found].map((model) => [...model].map(show));
      assertEquals(is, was, `${about.where}; or else ${[...worker.next[0] ?? []].map(show)}`);
    }
    worker.model = found;
    worker.next = [];
  }
  const blobs = (await Array.fromAsync(Deno.readDir(`${about.folder}/files/blobs`))).length;
  assertEquals(blobs, listed.stats.files, `blobs and files, ${about.where}`);
}

function isSame(a: Model, b: Model): boolean {
  if (a.size !== b.size) return false;
  for (const [path, value] of a) {
    const other = b.get(path);
    if (other === undefined || show([path, value]) !== show([path, other])) return false;
  }
  return true;
}

function show([path, value]: readonly [string, Uint8Array | "dir"]): string {
  if (value === "dir") return `${path}/`;
  let sum = 0;
  for (const byte of value) sum = (Math.imul(sum, 31) + byte) >>> 0;
  return `${path} (${value.length} bytes, ${sum.toString(16)})`;
}

/** Makes changes until the program has ended. */
async function change(
  worker: Worker,
  { client, random, api }: { client: FileClient; random: () => number; api: string },
): Promise<void> {
  try {
    for (;;) {
      const step = choose(worker, { client, random, api });
      worker.next = [step.after, ...(step.begun === undefined ? [] : [step.begun])];
      await step.run();
      worker.model = step.after;
      worker.next = [];
      worker.changes++;
    }
  } catch (error) {
    // A refusal with a specific code is not caused by the kill.
    if (error instanceof Refused && /^(\d+|[A-Z]+)$/.test(error.code)) throw error;
  }
}

function choose(
  worker: Worker,
  { client, random, api }: { client: FileClient; random: () => number; api: string },
): Step {
  const { driver, root, model } = worker;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const files = [...model].filter(([, value]) => value !== "dir").map(([path]) => path);
  const dirs = [...model].filter(([path, value]) => value === "dir" && path !== root)
    .map(([path]) => path);
  const fresh = `${root}/d${Math.floor(random() * 5)}/${Math.floor(random() * 1e6)}`;
  const kind = model.size > MANY
    ? "empty"
    : pick(["new", "new", "over", "move", "moveDir", "gone"]);
  if (kind === "empty") return { after: without(model, root), run: () => remove(api, root) };
  if (kind === "move" && client.rename && files.length > 1) {
    const [from, to] = [pick(files), random() < 0.5 ? pick(files) : `${pick(files)}.moved`];
    if (from !== to) return { after: moved(model, from, to), run: () => client.rename!(from, to) };
  }
  if (kind === "moveDir" && client.rename && dirs.length > 0) {
    const [from, to] = [pick(dirs), `${root}/m${Math.floor(random() * 1e6)}`];
    return { after: moved(model, from, to), run: () => client.rename!(from, to) };
  }
  if (kind === "gone" && files.length > 0) {
    const path = pick(files);
    const run = () => client.remove ? client.remove(path) : remove(api, path);
    return { after: without(model, path), run };
  }
  const path = kind === "over" && files.length > 0 ? pick(files) : fresh;
  const bytes = noise(pick(SIZES), Math.floor(random() * 1e9));
  const dir = driver.makesParents ? undefined : dirsOf(path).find((dir) => !model.has(dir));
  if (dir !== undefined) return { after: withDir(model, dir), run: () => client.mkdir!(dir) };
  return {
    after: withFile(model, path, bytes),
    ...(driver.createsFirst && !model.has(path)
      ? { begun: withFile(model, path, new Uint8Array()) }
      : {}),
    run: () => client.put(path, bytes),
  };
}

/** Directories above a file, the upper ones first. */
function dirsOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.slice(2).map((_, depth) => names.slice(0, depth + 2).join("/"));
}

function withDir(model: Model, path: string): Model {
  return new Map(model).set(path, "dir");
}

function withFile(model: Model, path: string, bytes: Uint8Array): Model {
  return new Map(dirsOf(path).reduce(withDir, model)).set(path, bytes);
}

function without(model: Model, gone: string): Model {
  return new Map([...model].filter(([path]) => path !== gone && !path.startsWith(`${gone}/`)));
}

function moved(model: Model, from: string, to: string): Model {
  const after = new Map(without(model, from));
  for (const [path, value] of model) {
    if (path === from || path.startsWith(`${from}/`)) {
      after.set(to + path.slice(from.length), value);
    }
  }
  return after;
}

async function remove(api: string, path: string): Promise<void> {
  const url = `${api}/api/v1/files/content${path}?recursive=1`;
  const response = await fetch(url, { method: "DELETE" });
  if (response.status !== 204) throw new Refused(String(response.status), await response.text());
}

/** Numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
