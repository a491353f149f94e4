/** A directory or file of the tree. Only `Tree` changes one. */
export type Node = DirNode | FileNode;

interface NodeBase {
  /** Never reused, not even after a restart. */
  readonly id: number;
  /** Empty for the root. */
  name: string;
  /** `undefined` for the root, and for a node that is no longer in the tree. */
  parent: DirNode | undefined;
  /** Unix milliseconds. */
  mtimeMs: number;
  /** Unix milliseconds of the last change of any kind; increases with each. Not kept across restarts. */
  ctimeMs: number;
  /** Unix milliseconds, if a client has set it. Not kept across restarts. */
  atimeMs?: number;
  /** The lower twelve mode bits, if a client has set them. */
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

/** A node as stored on disk. */
export interface NodeRow {
  readonly id: number;
  /** Id of its directory. */
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

/** Id of the root, which is not stored on disk. */
export const ROOT_ID = 1;

/** Returns an empty directory outside the tree. */
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

/** Returns the absolute path of a node. */
export function pathOf(node: Node): string {
  const names: string[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) names.unshift(at.name);
  return names.length === 1 ? "/" : names.join("/");
}

/** Yields everything below a directory, each directory before its entries. */
export function* descendants(dir: DirNode): Generator<Node> {
  for (const child of dir.children.values()) {
    yield child;
    if (child.dir) yield* descendants(child);
  }
}

/** Orders everything below a directory by path. Each path extends that of its parent: there may be 50 000. */
export function byPath(dir: DirNode): Node[] {
  return [...withPaths(dir, "")].sort(([, a], [, b]) => a < b ? -1 : 1).map(([node]) => node);
}

function* withPaths(dir: DirNode, path: string): Generator<readonly [node: Node, path: string]> {
  for (const node of dir.children.values()) {
    const own = `${path}/${node.name}`;
    yield [node, own];
    if (node.dir) yield* withPaths(node, own);
  }
}

/** Orders directories first, then by name. */
export function inOrder(dir: DirNode): Node[] {
  return [...dir.children.values()].sort((a, b) =>
    a.dir === b.dir ? (a.name < b.name ? -1 : 1) : a.dir ? -1 : 1
  );
}
