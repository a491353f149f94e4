import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { VfsError } from "./errors.ts";
import { descendants, type NodeRow, pathOf } from "./node.ts";
import { Tree } from "./tree.ts";
import type { TreeJournal } from "./tree_change.ts";
import { MAX_ENTRIES, MAX_NODES } from "./tree_nodes.ts";

const NO_JOURNAL: TreeJournal = { commit() {} };
const AT = { provider: "ftp", mtimeMs: 5 };

function tree(journal = NO_JOURNAL): Tree {
  return new Tree({ journal, nowMs: 1 });
}

function file(size = 1, blob = "b"): Parameters<Tree["putFile"]>[1] {
  return { ...AT, size, blob, contentType: "text/plain" };
}

function all(of: Tree): readonly string[] {
  return [...descendants(of.root)].map(pathOf).sort();
}

function code(run: () => unknown): string {
  return assertThrows(run, VfsError).code;
}

Deno.test("a file is stored with the directories above it, and counted", () => {
  const one = tree();
  const { file: put, madeDir } = one.putFile("/a/b/c.txt", file(7));
  assertEquals(pathOf(put), "/a/b/c.txt");
  assertEquals(madeDir && pathOf(madeDir), "/a/b");
  assertEquals(one.stats, { files: 1, dirs: 2, bytes: 7 });
  const again = one.putFile("/a/b/c.txt", file(9, "b2"));
  assertEquals([again.madeDir, again.freed, again.file.id], [undefined, "b", put.id]);
  assertEquals(one.stats, { files: 1, dirs: 2, bytes: 9 });
});

Deno.test("an impossible change is refused, and changes nothing", () => {
  const one = tree();
  one.putFile("/dir/f", file());
  one.mkdir("/empty", AT);
  const before = all(one);
  const now = { nowMs: 9 };
  assertEquals(code(() => one.mkdir("/dir", AT)), "exists");
  assertEquals(code(() => one.mkdir("/dir/f/x", AT)), "not_a_directory");
  assertEquals(code(() => one.putFile("/dir", file())), "is_a_directory");
  assertEquals(code(() => one.putFile("/", file())), "is_a_directory");
  assertEquals(code(() => one.putFile("/dir/f/x", file())), "not_a_directory");
  assertEquals(code(() => one.remove("/dir", now)), "not_empty");
  assertEquals(code(() => one.remove("/", { recursive: true, ...now })), "invalid_path");
  assertEquals(code(() => one.remove("/nope", now)), "not_found");
  assertEquals(code(() => one.getFile("/dir")), "is_a_directory");
  assertEquals(code(() => one.getDir("/dir/f")), "not_a_directory");
  const move = (from: string, to: string, replace = true) => () =>
    one.rename(from, to, { replace, ...now });
  assertEquals(code(move("/", "/x")), "invalid_path");
  assertEquals(code(move("/dir", "/dir/f/x")), "invalid_path");
  assertEquals(code(move("/nope", "/x")), "not_found");
  assertEquals(code(move("/dir/f", "/nope/x")), "not_found");
  assertEquals(code(move("/dir/f", "/empty")), "is_a_directory");
  assertEquals(code(move("/empty", "/dir/f")), "not_a_directory");
  assertEquals(code(move("/empty", "/dir")), "not_empty");
  assertEquals(code(move("/dir/f", "/empty", false)), "exists");
  assertEquals(move("/dir/f", "/dir/f")(), undefined);
  assertEquals(all(one), before);
});

Deno.test("a rename moves everything below, and frees what it replaces", () => {
  const one = tree();
  one.putFile("/a/b/f", file(3, "kept"));
  one.putFile("/old", file(5, "gone"));
  one.mkdir("/empty", AT);
  one.rename("/a", "/empty", { replace: true, nowMs: 7 });
  assertEquals(all(one), ["/empty", "/empty/b", "/empty/b/f", "/old"]);
  const replaced = one.rename("/empty/b/f", "/old", { replace: true, nowMs: 8 });
  assertEquals(replaced?.freed, ["gone"]);
  assertEquals(one.stats, { files: 1, dirs: 2, bytes: 3 });
  assertEquals(one.find("/empty/b")?.mtimeMs, 8);
});

Deno.test("a directory cannot be moved so deep that something below it has no path", () => {
  const one = tree();
  const deep = Array(20).fill("d").join("/");
  one.putFile(`/${deep}/f`, file());
  one.mkdir(`/x/${deep}`, AT);
  assertEquals(
    code(() => one.rename("/d", `/x/${deep}/d`, { replace: false, nowMs: 2 })),
    "invalid_path",
  );
  assert(one.find(`/${deep}/f`));
});

Deno.test("a tree has at most 50 000 nodes, a directory at most 4096 entries", () => {
  const one = tree();
  for (let i = 0; i < MAX_ENTRIES; i++) one.mkdir(`/full/${i}`, AT);
  assertEquals(code(() => one.mkdir("/full/more", AT)), "no_space");
  one.putFile("/full/0/f", file());
  for (let dir = 1; one.stats.files + one.stats.dirs < MAX_NODES; dir++) {
    for (let i = 0; i < 4000 && one.stats.files + one.stats.dirs < MAX_NODES; i++) {
      one.putFile(`/full/${dir}/${i}`, file());
    }
  }
  assertEquals(code(() => one.putFile("/new", file())), "no_space");
  assertEquals(code(() => one.mkdir("/new", AT)), "no_space");
  one.putFile("/full/0/f", file(2));
  assertEquals(one.clear().length, one.stats.files + 50_000 - MAX_ENTRIES - 1);
  assertEquals(one.stats, { files: 0, dirs: 0, bytes: 0 });
});

Deno.test("a change that the journal cannot keep is not made", () => {
  let failing = false;
  const one = tree({
    commit() {
      if (failing) throw new VfsError("no_space", "Disk full");
    },
  });
  one.putFile("/a/f", file());
  failing = true;
  const before = JSON.stringify([...descendants(one.root)].map(pathOf)) + one.find("/a")!.mtimeMs;
  for (
    const change of [
      () => one.mkdir("/a/d", { ...AT, mtimeMs: 99 }),
      () => one.putFile("/a/f", file(9)),
      () => one.putFile("/a/x/y", { ...file(9), mtimeMs: 99 }),
      () => one.remove("/a", { recursive: true, nowMs: 99 }),
      () => one.rename("/a/f", "/a/g", { replace: true, nowMs: 99 }),
      () => one.touch("/a/f", 99),
      () => one.clear(),
    ]
  ) assertEquals(code(change), "no_space");
  assertEquals(
    JSON.stringify([...descendants(one.root)].map(pathOf)) + one.find("/a")!.mtimeMs,
    before,
  );
  assertEquals(one.stats, { files: 1, dirs: 1, bytes: 1 });
});

Deno.test("the journal recreates the same tree", () => {
  const name = fc.constantFrom("a", "b", "c");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join("/")}`);
  const step = fc.tuple(fc.constantFrom("put", "mkdir", "remove", "rename", "clear"), path, path);
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const rows = new Map<number, NodeRow>();
    const one = tree({
      commit({ put, remove }) {
        for (const id of remove) rows.delete(id);
        for (const row of put) rows.set(row.id, row);
      },
    });
    steps.forEach(([what, from, to], i) => {
      try {
        if (what === "put") one.putFile(from, file(i, `b${i}`));
        else if (what === "mkdir") one.mkdir(from, { ...AT, mtimeMs: i });
        else if (what === "remove") one.remove(from, { recursive: true, nowMs: i });
        else if (what === "rename") one.rename(from, to, { replace: true, nowMs: i });
        else one.clear();
      } catch (error) {
        if (!(error instanceof VfsError)) throw error;
      }
    });
    const again = tree();
    const place = (parent: number, dir = again.root): void => {
      for (const row of rows.values()) {
        if (row.parent !== parent) continue;
        const node = again.restore(row, dir);
        if (node.dir) place(row.id, node);
      }
    };
    place(one.root.id);
    const show = (of: Tree) =>
      [...descendants(of.root)].map((node) => `${pathOf(node)} ${node.mtimeMs} ${node.id}`).sort();
    assertEquals(show(again), show(one));
    assertEquals(again.stats, one.stats);
    assertEquals(one.stats.files + one.stats.dirs, rows.size);
  }));
});

Deno.test("everything below a directory is listed by path, and listed again after a change", () => {
  const one = tree();
  for (const path of ["/d/a/x", "/d/a-b", "/d/a/b/y", "/e"]) one.putFile(path, file());
  const dir = one.getDir("/d");
  const listed = one.allBelow(dir);
  assertEquals(listed.map(pathOf), ["/d/a", "/d/a-b", "/d/a/b", "/d/a/b/y", "/d/a/x"]);
  assertEquals(one.allBelow(dir), listed);
  assertEquals(one.allBelow(one.root).map(pathOf), all(one));
  one.rename("/d/a-b", "/d/z", { replace: false, nowMs: 6 });
  assertEquals(one.allBelow(dir).at(-1), one.get("/d/z"));
  one.clear();
  assertEquals(one.allBelow(one.root), []);
});
