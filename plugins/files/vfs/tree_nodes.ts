import { compact } from "../../../core/compact.ts";
import { VfsError } from "./errors.ts";
import {
  byPath,
  createRoot,
  type DirNode,
  type FileNode,
  type Node,
  type NodeRow,
  pathOf,
  ROOT_ID,
} from "./node.ts";
import { baseName, namesOf, resolvePath } from "./path.ts";

/** Maximum number of entries of one directory. */
export const MAX_ENTRIES = 4096;
/** Maximum number of files and directories of the tree. */
export const MAX_NODES = 50_000;

/** Contents of the tree, without the root. */
export interface TreeStats {
  readonly files: number;
  readonly dirs: number;
  readonly bytes: number;
}

/** The nodes of a tree, by path and by id, and their totals. */
export class TreeNodes {
  readonly root: DirNode;
  readonly #byId = new Map<number, Node>();
  #lastId: number;
  /** The last list of everything below a directory, until the next change. */
  #listed: { readonly dir: DirNode; readonly nodes: readonly Node[] } | undefined;
  #files = 0;
  #dirs = 0;
  #bytes = 0;

  constructor({ nowMs, lastId = ROOT_ID }: { nowMs: number; lastId?: number | undefined }) {
    this.#lastId = Math.max(ROOT_ID, lastId);
    this.root = createRoot(nowMs);
    this.#byId.set(ROOT_ID, this.root);
  }

  get stats(): TreeStats {
    return { files: this.#files, dirs: this.#dirs, bytes: this.#bytes };
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

  /** Returns an id that no node has had. */
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

  /** For `Tree`: a change is about to be made. */
  changing(): void {
    this.#listed = undefined;
  }

  /** For `Tree`: adds a node to its directory, instead of any node with its name. */
  add(node: Node, parent: DirNode): void {
    parent.children.set(node.name, node);
    this.#byId.set(node.id, node);
    if (node.dir) this.#dirs++;
    else {
      this.#files++;
      this.#bytes += node.size;
    }
  }

  /** For `Tree`: the bytes of a file have changed. */
  resized(bytes: number): void {
    this.#bytes += bytes;
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
    this.changing();
    this.add(node, parent);
    this.#lastId = Math.max(this.#lastId, id);
    resolvePath(pathOf(node));
    return node;
  }

  /** For `Tree`: forgets nodes that are no longer in the tree. Returns the blobs of the files among them. */
  forget(gone: readonly Node[]): string[] {
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
