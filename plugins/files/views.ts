/** How the tree reads in the API. */
import { type Static, Type } from "@sinclair/typebox";
import { LongList } from "../../core/bytes/long_list.ts";
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { compact } from "../../core/compact.ts";
import { type DirNode, inOrder, type Node, pathOf } from "./vfs/node.ts";
import { namesOf, parentPath } from "./vfs/path.ts";
import type { Tree } from "./vfs/tree.ts";

/** Where more can be read of an entry. */
export const EntryLinksShape = Type.Object({
  self: Type.String(),
  content: Type.Optional(Type.String({ description: "Only of a file" })),
  tree: Type.Optional(Type.String({ description: "Only of a directory" })),
}, { $id: "files.EntryLinks" });

/** One file or directory. */
export const EntryViewShape = Type.Object({
  name: Type.String(),
  path: Type.String(),
  dir: Type.Boolean(),
  size: Type.Integer({ description: "Bytes; 0 for a directory" }),
  mod_time: Type.String({ format: "date-time" }),
  mtime: Type.String({ format: "date-time", description: "Same as mod_time" }),
  provider: Type.Optional(Type.String()),
  content_type: Type.Optional(Type.String()),
  blob: BlobRefShape,
  links: EntryLinksShape,
}, { $id: "files.EntryView" });

/** One step on the way down to a directory. */
export const BreadcrumbShape = Type.Object({
  name: Type.String(),
  path: Type.String(),
  url: Type.String({ description: "Listing of that directory" }),
}, { $id: "files.Breadcrumb" });

/** One directory, or all below it. */
export const TreeViewShape = Type.Object({
  path: Type.String(),
  parent: Type.Optional(Type.String({ description: "Absent at the root" })),
  recursive: Type.Boolean(),
  breadcrumb: Type.Array(BreadcrumbShape),
  entries: Type.Array(EntryViewShape),
  stats: Type.Object({
    files: Type.Integer(),
    dirs: Type.Integer(),
    bytes: Type.Integer(),
  }, { description: "Of the whole tree, the root not counted" }),
}, { $id: "files.TreeView" });

/** One file or directory. */
export type EntryView = Static<typeof EntryViewShape>;
/** One directory, or all below it, before it is written. */
export type UnwrittenTree = Omit<Static<typeof TreeViewShape>, "entries"> & {
  readonly entries: LongList<Node>;
};

const BASE = "/api/v1/files";

/** An entry as lists and `/stat` show it. */
export function toEntry(node: Node): EntryView {
  const path = pathOf(node);
  const encoded = encodePath(path);
  const mtime = new Date(node.mtimeMs).toISOString();
  return {
    name: node.parent === undefined ? "/" : node.name,
    path,
    dir: node.dir,
    size: node.dir ? 0 : node.size,
    mod_time: mtime,
    mtime,
    ...compact({
      provider: node.provider || undefined,
      content_type: node.dir ? undefined : node.contentType,
    }),
    blob: node.dir ? { id: "", size: 0 } : {
      id: node.blob,
      size: node.size,
      content_type: node.contentType,
      filename: node.name,
    },
    links: {
      self: `${BASE}/stat${encoded}`,
      ...(node.dir ? { tree: treeUrl(path) } : { content: `${BASE}/content${encoded}` }),
    },
  };
}

/** A listing: directories first, then by name; everything below, by path, when `recursive`. */
export function toTree(
  tree: Tree,
  dir: DirNode,
  { recursive }: { recursive: boolean },
): UnwrittenTree {
  const path = pathOf(dir);
  const nodes = recursive
    ? [...below(dir, path === "/" ? "" : path)].sort(([, a], [, b]) => a < b ? -1 : 1)
      .map(([node]) => node)
    : inOrder(dir);
  return {
    path,
    ...(path === "/" ? {} : { parent: parentPath(path) }),
    recursive,
    breadcrumb: toBreadcrumb(path),
    entries: new LongList(nodes, toEntry),
    stats: { ...tree.stats },
  };
}

/** Everything below a directory, with its path. Each is made of the one above it: there may be fifty thousand. */
function* below(dir: DirNode, path: string): Generator<readonly [node: Node, path: string]> {
  for (const node of dir.children.values()) {
    const own = `${path}/${node.name}`;
    yield [node, own];
    if (node.dir) yield* below(node, own);
  }
}

function toBreadcrumb(path: string): UnwrittenTree["breadcrumb"] {
  const crumbs = [{ name: "/", path: "/", url: treeUrl("/") }];
  let at = "";
  for (const name of namesOf(path)) {
    at += `/${name}`;
    crumbs.push({ name, path: at, url: treeUrl(at) });
  }
  return crumbs;
}

function treeUrl(path: string): string {
  return `${BASE}/tree?path=${encodeURIComponent(path)}`;
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
