import { compact } from "../../../core/compact.ts";
import { VfsError } from "./errors.ts";
import { descendants, type DirNode, type FileNode, type Node, pathOf, ROOT_ID } from "./node.ts";
import { baseName, namesOf, parentPath, resolvePath } from "./path.ts";
import {
  type FileAbout,
  markChanged,
  type NodeChanges,
  toRow,
  type TreeJournal,
} from "./tree_change.ts";
import { TreeNodes } from "./tree_nodes.ts";

/**
 * The virtual tree: names, sizes and times; bytes are in the blob store. Takes resolved paths only.
 * Every change is made completely or refused with a `VfsError`, and its cost does not depend on the
 * size of the tree; only moving or removing a directory costs as much as its contents.
 */
export class Tree extends TreeNodes {
  /** Sixteen hex digits that identify this tree while it is stored. */
  readonly instance: string;
  readonly #journal: TreeJournal;
  #clears = 0;

  constructor(
    options: { journal: TreeJournal; nowMs: number; lastId?: number; instance?: string },
  ) {
    super(options);
    this.#journal = options.journal;
    this.instance = options.instance ?? crypto.getRandomValues(new Uint8Array(8)).toHex();
  }

  /** Resolves when every change made so far is durable; nothing to wait for without a journal that stores them. Throws `VfsError` "no_space". */
  settled(): Promise<void> | undefined {
    return this.#journal.settled?.();
  }

  /** Throws what writing a file to `path` would throw. */
  checkWritable(path: string): void {
    this.#planFile(path);
  }

  /** Creates a directory and those above it. Throws `VfsError` "exists" if there is one. */
  mkdir(path: string, about: { provider: string; mtimeMs: number }): DirNode {
    const existing = this.find(path);
    if (existing !== undefined) {
      throw new VfsError("exists", `Cannot create "${path}": it already exists`);
    }
    const plan = this.#planDirs(path, 0);
    const made = this.#buildDirs(plan, about);
    this.#commit(made, { touched: [plan.above], nowMs: about.mtimeMs });
    for (const dir of made) this.add(dir, dir.parent ?? plan.above);
    return made.at(-1)!;
  }

  /** Puts a file in place, instead of any file there, and creates the directories above it. */
  putFile(
    path: string,
    about: FileAbout,
  ): { readonly file: FileNode; readonly madeDir?: DirNode; readonly freed?: string } {
    const { existing, plan } = this.#planFile(path);
    const id = about.id ?? existing?.id ?? this.reserveId();
    if (existing?.id === id) {
      const freed = existing.blob;
      const { id: _same, ...changes } = about;
      this.#commit([{ ...existing, ...changes }], { frees: about.size < existing.size });
      this.resized(about.size - existing.size);
      Object.assign(existing, changes);
      if (about.ctimeMs === undefined) markChanged(existing, about.mtimeMs);
      return { file: existing, freed };
    }
    const made = this.#buildDirs(plan, about);
    const parent = made.at(-1) ?? plan.above;
    const file: FileNode = {
      ctimeMs: about.mtimeMs,
      ...about,
      id,
      name: baseName(path),
      parent,
      dir: false,
    };
    this.#commit([...made, file], {
      remove: existing === undefined ? [] : [existing.id],
      touched: about.id === undefined ? [plan.above] : [],
      nowMs: about.mtimeMs,
    });
    for (const dir of made) this.add(dir, dir.parent ?? plan.above);
    if (existing !== undefined) existing.parent = undefined;
    const freed = existing === undefined ? [] : this.forget([existing]);
    this.add(file, parent);
    const madeDir = made.at(-1);
    return {
      file,
      ...compact({ madeDir, freed: freed[0] }),
    };
  }

  /** Removes a node. Throws `VfsError` "not_empty" for a directory with entries unless `recursive`. */
  remove(
    path: string,
    options: { recursive?: boolean; nowMs: number },
  ): { readonly node: Node; readonly freed: readonly string[] } {
    const node = this.get(path);
    if (node.parent === undefined) {
      throw new VfsError("invalid_path", "Cannot delete the root of the tree");
    }
    if (node.dir && node.children.size > 0 && !options.recursive) {
      throw new VfsError("not_empty", `Cannot delete "${path}": the directory is not empty`);
    }
    const gone = node.dir ? [node, ...descendants(node)] : [node];
    this.#commit([], {
      remove: gone.map(({ id }) => id),
      touched: [node.parent],
      nowMs: options.nowMs,
    });
    node.parent.children.delete(node.name);
    node.parent = undefined;
    return { node, freed: this.forget(gone) };
  }

  /**
   * Moves a node, with everything below it. `replace` allows it to replace a file, or a directory to replace an empty
   * directory. Returns `undefined` if both paths are the same. Throws `VfsError`.
   */
  rename(
    from: string,
    to: string,
    options: { replace: boolean; nowMs: number },
  ): { readonly node: Node; readonly freed: readonly string[] } | undefined {
    const node = this.get(from);
    const { parent } = node;
    if (parent === undefined) throw new VfsError("invalid_path", "Cannot rename the root");
    if (from === to) return undefined;
    if (to.startsWith(`${from}/`)) {
      throw new VfsError("invalid_path", `Cannot move "${from}" into itself`);
    }
    const target = this.getDir(parentPath(to));
    const taken = target.children.get(baseName(to));
    if (taken !== undefined) checkReplaces(node, taken, { ...options, to });
    if (taken === undefined && target !== parent) this.checkRoom(target, { inDir: 1, inTree: 0 });
    if (node.dir) checkDeepest(node, { from, to });
    const moved = { ...node, name: baseName(to), parent: target };
    this.#commit([moved], {
      remove: taken === undefined ? [] : [taken.id],
      frees: true,
      touched: [parent, target],
      nowMs: options.nowMs,
    });
    parent.children.delete(node.name);
    if (taken !== undefined) taken.parent = undefined;
    node.name = moved.name;
    node.parent = target;
    markChanged(node, options.nowMs);
    target.children.set(node.name, node);
    return { node, freed: taken === undefined ? [] : this.forget([taken]) };
  }

  /** Sets the time of a node. */
  touch(path: string, mtimeMs: number): Node {
    return this.change(this.get(path), { mtimeMs });
  }

  /** Sets times or mode of a node. */
  change<N extends Node>(node: N, changes: NodeChanges, nowMs = 0): N {
    if (node.parent !== undefined) this.#commit([{ ...node, ...changes }]);
    Object.assign(node, changes);
    if (changes.ctimeMs === undefined) markChanged(node, nowMs);
    return node;
  }

  /** Number of times that the tree was cleared. */
  get clears(): number {
    return this.#clears;
  }

  /** Clears the tree. Returns the blobs of its files. */
  clear(): readonly string[] {
    this.#clears++;
    const gone = [...descendants(this.root)];
    this.#commit([], { remove: gone.map(({ id }) => id) });
    this.root.children.clear();
    for (const node of gone) node.parent = undefined;
    return this.forget(gone);
  }

  #planFile(path: string): { readonly existing: FileNode | undefined; readonly plan: DirPlan } {
    const existing = this.find(path);
    if (existing?.dir) {
      throw new VfsError("is_a_directory", `Cannot write "${path}": it is a directory`);
    }
    return { existing, plan: this.#planDirs(parentPath(path), existing === undefined ? 1 : 0) };
  }

  /** Returns the missing directories on the way to `path`. Throws if there is no room for them and `more` nodes. */
  #planDirs(path: string, more: number): DirPlan {
    const names = namesOf(path);
    let above: DirNode = this.root;
    let depth = 0;
    for (; depth < names.length; depth++) {
      const child = above.children.get(names[depth]!);
      if (child === undefined) break;
      if (!child.dir) {
        throw new VfsError(
          "not_a_directory",
          `Cannot create "${path}": "${pathOf(child)}" is a file`,
        );
      }
      above = child;
    }
    const missing = names.slice(depth);
    const inTree = missing.length + more;
    if (inTree > 0) this.checkRoom(above, { inDir: 1, inTree });
    return { above, missing };
  }

  #buildDirs({ above, missing }: DirPlan, about: { provider: string; mtimeMs: number }): DirNode[] {
    const made: DirNode[] = [];
    for (const name of missing) {
      made.push({
        id: this.reserveId(),
        name,
        parent: made.at(-1) ?? above,
        mtimeMs: about.mtimeMs,
        ctimeMs: about.mtimeMs,
        provider: about.provider,
        dir: true,
        children: new Map(),
      });
    }
    return made;
  }

  /** Commits a change, then updates the time of the directories involved. */
  #commit(
    put: readonly Node[],
    about: {
      remove?: readonly number[];
      frees?: boolean;
      touched?: readonly DirNode[];
      nowMs?: number;
    } = {},
  ): void {
    const { remove = [], frees = remove.length > 0, touched = [], nowMs = 0 } = about;
    const times = touched.filter(({ id }) => id !== ROOT_ID).map((dir) => ({
      ...dir,
      mtimeMs: nowMs,
    }));
    this.#journal.commit({ put: [...put, ...times].map(toRow), remove, frees });
    this.changing();
    for (const dir of touched) {
      dir.mtimeMs = nowMs;
      markChanged(dir, nowMs);
    }
  }
}

interface DirPlan {
  /** The deepest existing directory. */
  readonly above: DirNode;
  /** Missing names below it. */
  readonly missing: readonly string[];
}

function checkReplaces(node: Node, taken: Node, about: { replace: boolean; to: string }): void {
  const refuse = (
    code: "exists" | "not_empty" | "is_a_directory" | "not_a_directory",
    why: string,
  ) => new VfsError(code, `Cannot rename to "${about.to}": ${why}`);
  if (!about.replace) throw refuse("exists", "it already exists");
  if (node.dir && !taken.dir) throw refuse("not_a_directory", "it is a file");
  if (!node.dir && taken.dir) throw refuse("is_a_directory", "it is a directory");
  if (taken.dir && taken.children.size > 0) throw refuse("not_empty", "the directory is not empty");
}

/** Moving a directory must not take anything below it beyond the limits of paths. */
function checkDeepest(dir: DirNode, { from, to }: { from: string; to: string }): void {
  for (const node of descendants(dir)) resolvePath(`${to}${pathOf(node).slice(from.length)}`);
}
