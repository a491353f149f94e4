/** A directory or file of the tree. Only `Tree` changes one. */
export type Node = DirNode | FileNode;

interface NodeBase {
  /** Never given to another node, not even after a restart. */
  readonly id: number;
  /** Empty for the root. */
  name: string;
  /** `undefined` for the root, and for a node that is no longer in the tree. */
  parent: DirNode | undefined;
  /** Unix milliseconds. */
  mtimeMs: number;
  /** Unix milliseconds of the last change to anything about it; rises with each. Begins anew with the process. */
  ctimeMs: number;
  /** Unix milliseconds, where a client has set it. Begins anew with the process. */
  atimeMs?: number;
  /** The lower twelve mode bits, where a client has set them. */
  mode?: number;
  /** Provider that wrote it; empty for the root. */
  provider: string;
}

/** A directory. */
export interface DirNode extends NodeBase {
  readonly dir: true;
  readonly children: Map<string, Node>;
}

/** A file. */
export interface FileNode extends NodeBase {
  readonly dir: false;
  size: number;
  contentType: string;
  /** Id of the blob with its bytes. */
  blob: string;
}

/** A node as it is kept on disk. */
export interface NodeRow {
  readonly id: number;
  /** Id of the directory it lies in. */
  readonly parent: number;
  readonly name: string;
  readonly dir: boolean;
  readonly mtimeMs: number;
  readonly mode: number | undefined;
  readonly provider: string;
  readonly size: number;
  readonly contentType: string;
  readonly blob: string;
}

/** Id of the root, which is not kept on disk. */
export const ROOT_ID = 1;

/** An empty directory without a place. */
export function createRoot(mtimeMs: number): DirNode {
  return {
    id: ROOT_ID,
    name: "",
    parent: undefined,
    mtimeMs,
    ctimeMs: mtimeMs,
    provider: "",
    dir: true,
    children: new Map(),
  };
}

/** Absolute path of a node. */
export function pathOf(node: Node): string {
  const names: string[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) names.unshift(at.name);
  return names.length === 1 ? "/" : names.join("/");
}

/** Everything below a directory, each directory before what is in it. */
export function* descendants(dir: DirNode): Generator<Node> {
  for (const child of dir.children.values()) {
    yield child;
    if (child.dir) yield* descendants(child);
  }
}

/** Directories first, then by name. */
export function inOrder(dir: DirNode): Node[] {
  return [...dir.children.values()].sort((a, b) =>
    a.dir === b.dir ? (a.name < b.name ? -1 : 1) : a.dir ? -1 : 1
  );
}
