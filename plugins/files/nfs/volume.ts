import { type DirNode, type FileNode, type Node, pathOf } from "../vfs/node.ts";
import { byteLength, decodePath, PATH_LIMITS, resolvePath } from "../vfs/path.ts";
import { VfsError } from "../vfs/errors.ts";
import type { Vfs } from "../vfs/vfs.ts";
import { ByteWriter } from "../../../core/bytes/writer.ts";
import type { Attributes } from "./codec/nfs3.ts";
import { u32At } from "./codec/xdr.ts";
import { NfsError } from "./errors.ts";
import type { Uploads } from "./uploads.ts";

const MAGIC = 0x73_74_61_31;
const MAGIC_BYTES = 4;
const HANDLE_BYTES = 20;
const DEFAULT_MODE = { dir: 0o777, file: 0o666 } as const;
/** The cookies of `.` and `..` come before those of entries. */
const FIRST_COOKIE = 3;

/** Each caller sees itself as the owner of everything. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** An entry of a directory, in the order of cookies. */
export interface Entry {
  readonly name: string;
  readonly node: Node;
  /** Constant while the entry exists, whatever is added or removed around it. */
  readonly cookie: number;
}

/** The tree as NFS shows it: by handles, with the files that are being written. */
export class Volume {
  readonly vfs: Vfs;
  readonly uploads: Uploads;
  /** Beginning of every handle. */
  readonly #prefix: Uint8Array;
  readonly #links = new WeakMap<DirNode, { readonly ctimeMs: number; readonly count: number }>();

  constructor(vfs: Vfs, uploads: Uploads) {
    this.vfs = vfs;
    this.uploads = uploads;
    const instance = Uint8Array.fromHex(vfs.tree.instance);
    this.#prefix = new ByteWriter().u32(MAGIC).bytes(instance).take();
  }

  get root(): DirNode {
    return this.vfs.tree.root;
  }

  /** Identifies the tree and a node of it, across renames, and across restarts if the tree is on disk. */
  handleOf(node: Node): Uint8Array {
    const handle = new Uint8Array(HANDLE_BYTES);
    handle.set(this.#prefix);
    let left = node.id;
    for (let at = HANDLE_BYTES - 1; left > 0; at--) {
      handle[at] = left % 256;
      left = Math.floor(left / 256);
    }
    return handle;
  }

  /**
   * Throws `NfsError` "BADHANDLE" for an invalid handle, "STALE" for one whose node is gone, and `VfsError` while the tree
   * may not be used.
   */
  node(handle: Uint8Array): Node {
    this.vfs.check();
    const shared = this.#sharedBytes(handle);
    if (handle.length !== HANDLE_BYTES || shared < MAGIC_BYTES) {
      throw new NfsError("BADHANDLE", "Cannot use the handle: it was not issued by this server");
    }
    const { length } = this.#prefix;
    const id = u32At(handle, length) * 2 ** 32 + u32At(handle, length + 4);
    const node = shared === length
      ? this.uploads.withId(id)?.node ?? this.vfs.tree.withId(id)
      : undefined;
    if (node === undefined) {
      throw new NfsError("STALE", "Cannot use the handle: its object was deleted");
    }
    return node;
  }

  /** Throws `NfsError`. */
  dir(node: Node): DirNode {
    if (!node.dir) throw new NfsError("NOTDIR", `Cannot look into "${pathOf(node)}": it is a file`);
    return node;
  }

  /** Throws `NfsError`. */
  file(node: Node): FileNode {
    if (!node.dir) return node;
    throw new NfsError("ISDIR", `Cannot use "${pathOf(node)}" as a file: it is a directory`);
  }

  attributes(node: Node, owner: Owner): Attributes {
    const work = node.dir ? undefined : this.uploads.withId(node.id);
    const { mtimeMs, ctimeMs, atimeMs, mode } = work?.about ?? node;
    return {
      dir: node.dir,
      mode: mode ?? DEFAULT_MODE[node.dir ? "dir" : "file"],
      links: node.dir ? this.#linksOf(node) : 1,
      uid: owner.uid,
      gid: owner.gid,
      size: node.dir ? this.#sizeOf(node) : work?.draft.size ?? node.size,
      id: node.id,
      atimeMs: atimeMs ?? mtimeMs,
      mtimeMs,
      ctimeMs,
    };
  }

  /** Looks up a name. Throws `NfsError`. */
  lookup(dir: DirNode, bytes: Uint8Array): Node {
    const node = this.find(dir, toText(bytes));
    if (node !== undefined) return node;
    throw new NfsError("NOENT", `Cannot find "${shown(bytes)}" in "${pathOf(dir)}"`);
  }

  find(dir: DirNode, name: string): Node | undefined {
    if (name === ".") return dir;
    if (name === "..") return dir.parent ?? dir;
    return this.uploads.named(dir, name)?.node ?? dir.children.get(name);
  }

  /** Returns the entries after a cookie, `.` and `..` first. */
  entries(dir: DirNode, cookie: number): readonly Entry[] {
    const created = new Map(this.uploads.in(dir).map(({ node }) => [node.name, node]));
    const entries: Entry[] = [
      { name: ".", node: dir, cookie: 1 },
      { name: "..", node: dir.parent ?? dir, cookie: 2 },
    ];
    for (const [name, node] of dir.children) {
      if (!created.has(name)) entries.push({ name, node, cookie: node.id + FIRST_COOKIE });
    }
    for (const [name, node] of created) {
      entries.push({ name, node, cookie: node.id + FIRST_COOKIE });
    }
    return entries.filter((entry) => entry.cookie > cookie).sort((a, b) => a.cookie - b.cookie);
  }

  /** Returns whether a directory is empty for NFS. */
  isEmpty(dir: DirNode): boolean {
    return dir.children.size === 0 && this.uploads.in(dir).length === 0;
  }

  /** Checks a new name and its path. Throws `NfsError`. */
  place(dir: DirNode, bytes: Uint8Array): { readonly name: string; readonly path: string } {
    if (bytes.length > PATH_LIMITS.nameBytes) tooLong(bytes);
    const name = toText(bytes);
    if (name === "" || name === "." || name === ".." || /[/\\\p{Cc}]/u.test(name)) {
      throw new NfsError("INVAL", `Cannot use "${shown(bytes)}" as a name`);
    }
    try {
      return { name, path: resolvePath(name, pathOf(dir)) };
    } catch (error) {
      // The remaining cause is a path that is too deep, or too long.
      if (error instanceof VfsError) throw new NfsError("NAMETOOLONG", error.message);
      throw error;
    }
  }

  /** Returns the number of first bytes that a handle shares with those of this server. */
  #sharedBytes(handle: Uint8Array): number {
    let count = 0;
    while (count < this.#prefix.length && handle[count] === this.#prefix[count]) count++;
    return count;
  }

  /** A directory has two links, plus one for each directory in it. */
  #linksOf(dir: DirNode): number {
    const { ctimeMs } = dir;
    const known = this.#links.get(dir);
    if (known?.ctimeMs === ctimeMs) return known.count;
    let count = 2;
    for (const child of dir.children.values()) if (child.dir) count++;
    this.#links.set(dir, { ctimeMs, count });
    return count;
  }

  #sizeOf(dir: DirNode): number {
    return 4096 * Math.max(1, Math.ceil(dir.children.size / 64));
  }
}

function toText(bytes: Uint8Array): string {
  if (bytes.length > PATH_LIMITS.nameBytes) tooLong(bytes);
  try {
    return decodePath(bytes);
  } catch (error) {
    if (error instanceof VfsError) throw new NfsError("INVAL", error.message);
    throw error;
  }
}

function tooLong(bytes: Uint8Array): never {
  throw new NfsError(
    "NAMETOOLONG",
    `Cannot use a name of ${bytes.length} bytes: at most ${PATH_LIMITS.nameBytes} are allowed`,
  );
}

const QUOTE = 200;

function shown(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, QUOTE)).replaceAll(/\p{Cc}/gu, "�");
}

/** Returns the bytes of a name as READDIR sends it. */
export function nameBytes(name: string): number {
  return byteLength(name);
}
