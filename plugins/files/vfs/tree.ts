import { compact } from "../../../core/compact.ts";
import { VfsError } from "./errors.ts";
import {
  byPath,
  createRoot,
  descendants,
  type DirNode,
  type FileNode,
  type Node,
  type NodeRow,
  pathOf,
  ROOT_ID,
} from "./node.ts";
import { baseName, namesOf, parentPath, resolvePath } from "./path.ts";

/** Most entries of one directory. */
export const MAX_ENTRIES = 4096;
/** Most files and directories of the tree. */
export const MAX_NODES = 50_000;

/** Stores changes before they are made. */
export interface TreeJournal {
  /** All or nothing. Throws if it cannot be stored; the tree then stays as it was. */
  commit(change: TreeChange): void;
  /** Resolves when committed changes also survive a loss of power. */
  settled?(): Promise<void>;
}

/** Changed rows of the tree. */
export interface TreeChange {
  readonly put: readonly NodeRow[];
  /** Ids of removed rows. */
  readonly remove: readonly number[];
  /** Whether it stores no more than before: a full disk has to accept it. */
  readonly frees: boolean;
}

/** Contents of the tree, without the root. */
export interface TreeStats {
  readonly files: number;
  readonly dirs: number;
  readonly bytes: number;
}

/** Attributes to set, besides name and bytes; absent ones stay. */
export interface NodeChanges {
  readonly mtimeMs?: number;
  readonly atimeMs?: number;
  /** Time of the last change; by default derived from `mtimeMs`. */
  readonly ctimeMs?: number;
  readonly mode?: number;
}

/** Attributes of a file besides its path. */
export interface FileAbout extends NodeChanges {
  readonly size: number;
  readonly blob: string;
  readonly contentType: string;
  readonly provider: string;
  readonly mtimeMs: number;
  /**
   * An id of `reserveId`: the file is new, even if it replaces another, and its name was added to its directory before,
   * so the time of the directory does not change again.
   */
  readonly id?: number;
}

/** Step of a time if the clock has not moved. */
export const TICK_MS = 0.001;

/**
 * The virtual tree: names, sizes and times; bytes are in the blob store. Takes resolved paths only.
 * Every change is made completely or refused with a `VfsError`, and its cost does not depend on the
 * size of the tree; only moving or removing a directory costs as much as its contents.
 */
export class Tree {
  readonly root: DirNode;
  /** Sixteen hex digits that identify this tree for as long as it is stored. */
  readonly instance: string;
  readonly #journal: TreeJournal;
  readonly #byId = new Map<number, Node>();
  #lastId: number;
  /** The last list of everything below a directory, until the next change. */
  #listed: { readonly dir: DirNode; readonly nodes: readonly Node[] } | undefined;
  #clears = 0;
  #files = 0;
  #dirs = 0;
  #bytes = 0;

  constructor(
    options: { journal: TreeJournal; nowMs: number; lastId?: number; instance?: string },
  ) {
    this.#journal = options.journal;
    this.instance = options.instance ?? crypto.getRandomValues(new Uint8Array(8)).toHex();
    this.#lastId = Math.max(ROOT_ID, options.lastId ?? ROOT_ID);
    this.root = createRoot(options.nowMs);
    this.#byId.set(ROOT_ID, this.root);
  }

  get stats(): TreeStats {
    return { files: this.#files, dirs: this.#dirs, bytes: this.#bytes };
  }

  /** Resolves when every change made so far is durable. Throws `VfsError` "no_space". */
  async settled(): Promise<void> {
    await this.#journal.settled?.();
  }

  /** Returns `undefined` if there is nothing, also if a file is in the way. */
  find(path: string): Node | undefined {
    let node: Node = this.root;
    for (const name of namesOf(path)) {
      const child: Node | undefined = node.dir ? node.children.get(name) : undefined;
      if (child === undefined) return undefined;
      node = child;
    }
    return node;
  }

  /** Returns the node with that id, while it is in the tree. */
  withId(id: number): Node | undefined {
    return this.#byId.get(id);
  }

  /** Reserves an id for a file that is put in place later. */
  reserveId(): number {
    return ++this.#lastId;
  }

  /** Throws `VfsError` "not_found". */
  get(path: string): Node {
    const node = this.find(path);
    if (node === undefined) throw new VfsError("not_found", `Cannot find "${path}"`);
    return node;
  }

  /** Throws `VfsError` "not_found" or "not_a_directory". */
  getDir(path: string): DirNode {
    const node = this.get(path);
    if (!node.dir) throw new VfsError("not_a_directory", `Cannot enter "${path}": it is a file`);
    return node;
  }

  /** Throws `VfsError` "not_found" or "is_a_directory". */
  getFile(path: string): FileNode {
    const node = this.get(path);
    if (node.dir) throw new VfsError("is_a_directory", `Cannot read "${path}": it is a directory`);
    return node;
  }

  /** Everything below a directory, by path. Callers between two changes share one list. */
  allBelow(dir: DirNode): readonly Node[] {
    if (this.#listed?.dir !== dir) this.#listed = { dir, nodes: byPath(dir) };
    return this.#listed.nodes;
  }

  /** Throws what writing a file to `path` would throw. */
  checkWritable(path: string): void {
    this.#planFile(path);
  }

  /** Throws `VfsError` "no_space" if the directory, or the tree, has no room for this many more files. */
  checkRoom(dir: DirNode, more: { inDir: number; inTree: number }): void {
    if (dir.children.size + more.inDir > MAX_ENTRIES) {
      throw new VfsError(
        "no_space",
        `Cannot add to "${pathOf(dir)}": it has ${MAX_ENTRIES} entries, the most that are allowed`,
      );
    }
    if (this.#files + this.#dirs + more.inTree > MAX_NODES) {
      throw new VfsError(
        "no_space",
        `Cannot add to the tree: ${MAX_NODES} files and directories are the most that it holds`,
      );
    }
  }

  /** Creates a directory and those above it. Throws `VfsError` "exists" if there is one. */
  mkdir(path: string, about: { provider: string; mtimeMs: number }): DirNode {
    const existing = this.find(path);
    if (existing !== undefined) {
      throw new VfsError("exists", `Cannot create "${path}": it is there already`);
    }
    const plan = this.#planDirs(path, 0);
    const made = this.#buildDirs(plan, about);
    this.#commit(made, { touched: [plan.above], nowMs: about.mtimeMs });
    this.#attachDirs(plan.above, made);
    return made.at(-1)!;
  }

  /** Puts a file in place, instead of any file there, and creates the directories above it. */
  putFile(
    path: string,
    about: FileAbout,
  ): { readonly file: FileNode; readonly madeDir?: DirNode; readonly freed?: string } {
    const { existing, plan } = this.#planFile(path);
    const id = about.id ?? existing?.id ?? ++this.#lastId;
    if (existing?.id === id) {
      const freed = existing.blob;
      const { id: _same, ...changes } = about;
      this.#commit([{ ...existing, ...changes }], { frees: about.size < existing.size });
      this.#bytes += about.size - existing.size;
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
    this.#attachDirs(plan.above, made);
    if (existing !== undefined) existing.parent = undefined;
    const freed = existing === undefined ? [] : this.#uncount([existing]);
    parent.children.set(file.name, file);
    this.#byId.set(id, file);
    this.#files++;
    this.#bytes += file.size;
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
    return { node, freed: this.#uncount(gone) };
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
    return { node, freed: taken === undefined ? [] : this.#uncount([taken]) };
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
    return this.#uncount(gone);
  }

  /** Restores a stored node; its directory must exist already. Throws `VfsError`. */
  restore(row: NodeRow, parent: DirNode): Node {
    if (
      namesOf(resolvePath(row.name)).length !== 1 || baseName(resolvePath(row.name)) !== row.name
    ) {
      throw new VfsError(
        "invalid_path",
        `Cannot restore name "${row.name}": it is not valid`,
      );
    }
    if (parent.children.has(row.name)) {
      throw new VfsError("exists", `Cannot restore "${row.name}" twice in "${pathOf(parent)}"`);
    }
    this.checkRoom(parent, { inDir: 1, inTree: 1 });
    const { id, name, mtimeMs, provider, mode } = row;
    const base = {
      ...{ id, name, parent, mtimeMs, provider },
      ctimeMs: Math.max(mtimeMs, this.root.ctimeMs),
      ...compact({ mode }),
    };
    const node: Node = row.dir ? { ...base, dir: true, children: new Map() } : {
      ...base,
      dir: false,
      size: row.size,
      contentType: row.contentType,
      blob: row.blob,
    };
    parent.children.set(name, node);
    this.#listed = undefined;
    this.#byId.set(id, node);
    this.#lastId = Math.max(this.#lastId, id);
    if (node.dir) this.#dirs++;
    else {
      this.#files++;
      this.#bytes += node.size;
    }
    resolvePath(pathOf(node));
    return node;
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
        id: ++this.#lastId,
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

  #attachDirs(above: DirNode, made: readonly DirNode[]): void {
    for (const dir of made) {
      (dir.parent ?? above).children.set(dir.name, dir);
      this.#byId.set(dir.id, dir);
    }
    this.#dirs += made.length;
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
    this.#listed = undefined;
    for (const dir of touched) {
      dir.mtimeMs = nowMs;
      markChanged(dir, nowMs);
    }
  }

  #uncount(gone: readonly Node[]): string[] {
    const freed: string[] = [];
    for (const node of gone) {
      this.#byId.delete(node.id);
      if (node.dir) this.#dirs--;
      else {
        this.#files--;
        this.#bytes -= node.size;
        freed.push(node.blob);
      }
    }
    return freed;
  }
}

interface DirPlan {
  /** The deepest existing directory. */
  readonly above: DirNode;
  /** Missing names below it. */
  readonly missing: readonly string[];
}

function toRow(node: Node): NodeRow {
  return {
    id: node.id,
    parent: node.parent?.id ?? ROOT_ID,
    name: node.name,
    dir: node.dir,
    mtimeMs: node.mtimeMs,
    mode: node.mode,
    provider: node.provider,
    size: node.dir ? 0 : node.size,
    contentType: node.dir ? "" : node.contentType,
    blob: node.dir ? "" : node.blob,
  };
}

function markChanged(node: Node, nowMs: number): void {
  node.ctimeMs = Math.max(nowMs, node.ctimeMs + TICK_MS);
}

function checkReplaces(node: Node, taken: Node, about: { replace: boolean; to: string }): void {
  const refuse = (
    code: "exists" | "not_empty" | "is_a_directory" | "not_a_directory",
    why: string,
  ) => new VfsError(code, `Cannot rename to "${about.to}": ${why}`);
  if (!about.replace) throw refuse("exists", "it is there already");
  if (node.dir && !taken.dir) throw refuse("not_a_directory", "it is a file");
  if (!node.dir && taken.dir) throw refuse("is_a_directory", "it is a directory");
  if (taken.dir && taken.children.size > 0) throw refuse("not_empty", "the directory is not empty");
}

/** Moving a directory must not take anything below it beyond the limits of paths. */
function checkDeepest(dir: DirNode, { from, to }: { from: string; to: string }): void {
  for (const node of descendants(dir)) resolvePath(`${to}${pathOf(node).slice(from.length)}`);
}
