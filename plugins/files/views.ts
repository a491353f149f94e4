/** JSON views of the tree. */
import type { Static } from "@sinclair/typebox";
import { LongList } from "../../core/bytes/long_list.ts";
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { compact } from "../../core/compact.ts";
import { Type } from "../../core/shape_type.ts";
import { type DirNode, inOrder, type Node, pathOf } from "./vfs/node.ts";
import { namesOf, parentPath } from "./vfs/path.ts";
import type { Tree } from "./vfs/tree.ts";

/** Links of an entry. */
export const EntryLinksShape = Type.Object({
  self: Type.String(),
  content: Type.Optional(Type.String({ description: "Only of a file" })),
  tree: Type.Optional(Type.String({ description: "Only of a directory" })),
}, { $id: "files.EntryLinks" });

/** One file or directory. */
export const EntryViewShape = Type.Object({
  name: Type.String({ description: "Last part of the path" }),
  path: Type.String({ description: "Path from the root of the tree" }),
  dir: Type.Boolean({ description: "Whether it is a directory" }),
  size: Type.Integer({ description: "Bytes; 0 for a directory" }),
  mod_time: Type.String({ format: "date-time", description: "Modification time" }),
  mtime: Type.String({ format: "date-time", description: "Same as mod_time" }),
  provider: Type.Optional(Type.String({ description: "Provider that wrote it" })),
  content_type: Type.Optional(Type.String({ description: "Recorded type of the content" })),
  blob: BlobRefShape,
  links: EntryLinksShape,
}, { $id: "files.EntryView" });

/** One step on the way to a directory. */
export const BreadcrumbShape = Type.Object({
  name: Type.String({ description: "Name of the directory" }),
  path: Type.String({ description: "Path of the directory" }),
  url: Type.String({ description: "Listing of that directory" }),
}, { $id: "files.Breadcrumb" });

/** One directory, or everything below it. */
export const TreeViewShape = Type.Object({
  path: Type.String({ description: "Path of the directory" }),
  parent: Type.Optional(Type.String({ description: "Absent for the root" })),
  recursive: Type.Boolean({ description: "Whether the entries are those of all levels below" }),
  breadcrumb: Type.Array(BreadcrumbShape, { description: "From the root to the directory" }),
  entries: Type.Array(EntryViewShape),
  stats: Type.Object({
    files: Type.Integer(),
    dirs: Type.Integer(),
    bytes: Type.Integer(),
  }, { description: "Of the whole tree, without the root" }),
}, { $id: "files.TreeView" });

/** One file or directory. */
export type EntryView = Static<typeof EntryViewShape>;
/** One directory, or everything below it, before it is written. */
export type UnwrittenTree = Omit<Static<typeof TreeViewShape>, "entries"> & {
  readonly entries: LongList<Node>;
};

const BASE = "/api/v1/files";

/** Returns an entry as in lists and `/stat`. */
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

/** Returns a listing: directories first, then by name; with `recursive` everything below, by path. */
export function toTree(
  tree: Tree,
  dir: DirNode,
  { recursive }: { recursive: boolean },
): UnwrittenTree {
  const path = pathOf(dir);
  return {
    path,
    ...(path === "/" ? {} : { parent: parentPath(path) }),
    recursive,
    breadcrumb: toBreadcrumb(path),
    entries: new LongList(recursive ? tree.allBelow(dir) : inOrder(dir), toEntry),
    stats: { ...tree.stats },
  };
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
