/** Memory of a full file tree, and whether the cost of an operation depends on its size. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { Tree } from "../../plugins/files/vfs/tree.ts";
import { MAX_NODES } from "../../plugins/files/vfs/tree_nodes.ts";
import { Vfs } from "../../plugins/files/vfs/vfs.ts";
import { report } from "./measure.ts";

const AUTHOR = { provider: "ftp" };
const MAX_MB = 100;
const FILES_PER_DIR = 999;
const CHANGES = 2000;
const LOOKUPS = 1000;
/** Limit relative to the smallest tree; both take a few microseconds. */
const MAX_RATIO = 2;

let ids = 0;
const blobs = new MemoryBlobStore({
  maxBytes: 1e9,
  nextId: () => `01JB0000000000000000${String(++ids).padStart(6, "0")}`,
  onDrop: () => {},
});
const tree = new Tree({ journal: { commit() {} }, nowMs: 0 });
const vfs = new Vfs(tree, { blobs, now: () => new Date() });

/** Paths in the middle of a tree, of realistic length. */
function pathOf(i: number): string {
  const dir = String(Math.floor(i / FILES_PER_DIR)).padStart(3, "0");
  return `/incoming-${dir}/report-${String(i).padStart(6, "0")}.csv`;
}

async function put(path: string): Promise<void> {
  using draft = vfs.draft(path);
  draft.append(new Uint8Array(1));
  await vfs.upload(path, draft, AUTHOR);
}

/** Memory after a garbage collection, if the platform offers one. */
function heapMb(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  const { heapUsed, external } = Deno.memoryUsage();
  return (heapUsed + external) / 1e6;
}

/** Microseconds of one lookup, and of putting, renaming and deleting one file. */
async function costs(): Promise<{ lookup: number; change: number }> {
  const { files } = tree.stats;
  // The same number of different files in each tree, so that the processor's cache does not distort
  // the result.
  const paths = Array.from({ length: LOOKUPS }, (_, i) => pathOf(i * 7919 % files));
  let begun = performance.now();
  for (let i = 0; i < 100 * CHANGES; i++) tree.find(paths[i % LOOKUPS]!);
  const lookup = (performance.now() - begun) / (100 * CHANGES) * 1000;
  begun = performance.now();
  for (let i = 0; i < CHANGES; i++) {
    await put("/incoming-000/new");
    await vfs.rename("/incoming-000/new", "/incoming-001/new", { replace: true });
    await vfs.remove("/incoming-001/new");
  }
  return { lookup, change: (performance.now() - begun) / CHANGES * 1000 };
}

const before = heapMb();
let first: Awaited<ReturnType<typeof costs>> | undefined;
let made = 0;
for (const nodes of [2000, 10_000, MAX_NODES - 1]) {
  for (; tree.stats.files + tree.stats.dirs < nodes - 1; made++) await put(pathOf(made));
  await costs();
  const { lookup, change } = await costs();
  const { files, dirs } = tree.stats;
  const named = `${files + dirs} nodes`;
  first ??= { lookup, change };
  const verdict = (value: number, small: number) => ({
    text: `<= ${MAX_RATIO} of the smallest`,
    met: value <= MAX_RATIO * small,
  });
  report(`lookup, ${named}`, `${lookup.toFixed(2)} µs`, verdict(lookup, first.lookup));
  report(`put, rename, delete, ${named}`, `${change.toFixed(1)} µs`, verdict(change, first.change));
}
const used = heapMb() - before - tree.stats.bytes / 1e6;
report("memory besides bytes of files", `${used.toFixed(1)} MB`, {
  text: `< ${MAX_MB} MB`,
  met: used < MAX_MB,
});
