/** The read-back API of the tree, under `/api/v1/files`. */
import { ApiError } from "../../core/errors.ts";
import type { HttpCall } from "../../core/http/call.ts";
import { boolean, text } from "../../core/http/params.ts";
import { sendBlob } from "../../core/http/range.ts";
import { bytesDoc, emptyDoc, errorDoc, json, noContent } from "../../core/http/reply.ts";
import { type Route, routeFor } from "../../core/http/route.ts";
import type { FilesState } from "./record.ts";
import { VfsError, type VfsErrorCode } from "./vfs/errors.ts";
import { resolvePath } from "./vfs/path.ts";
import { EntryViewShape, toEntry, toTree, TreeViewShape } from "./views.ts";

const route = routeFor<FilesState>();

const BAD_PATH = errorDoc("The path is refused by the resolver, or a parameter cannot be read");
const UNKNOWN = errorDoc("Nothing has this path");

/** Every route of the read-back API of the tree. */
export const routes: readonly Route<FilesState>[] = [
  route({
    method: "GET",
    path: "/tree",
    summary: "List one directory, or everything below it",
    query: {
      path: text("Directory to list; by default the root"),
      recursive: boolean("Whether to list everything below it"),
    },
    replies: {
      200: { about: "The listing", content: { "application/json": TreeViewShape } },
      400: errorDoc("The path is refused or names a file, or a parameter cannot be read"),
      404: UNKNOWN,
    },
    handle: ({ query, http, state }) =>
      answer(http, () => {
        const { tree } = state.shown;
        const dir = tree.getDir(resolvePath(query.path ?? "/"));
        return json(toTree(tree, dir, { recursive: query.recursive ?? false }));
      }),
  }),
  route({
    method: "DELETE",
    path: "/tree",
    summary: "Clear the tree; the events stay",
    replies: { 204: emptyDoc("Emptied"), 507: errorDoc("The change cannot be stored on disk") },
    handle: ({ http, state }) =>
      answer(http, async () => {
        await state.order({ kind: "clear" });
        return noContent();
      }),
  }),
  route({
    method: "GET",
    path: "/stat/{path...}",
    summary: "Describe one file or directory",
    replies: {
      200: { about: "The entry", content: { "application/json": EntryViewShape } },
      400: BAD_PATH,
      404: UNKNOWN,
    },
    handle: ({ params, http, state }) =>
      answer(http, () => json(toEntry(state.shown.tree.get(resolvePath(params.path))))),
  }),
  route({
    method: "GET",
    path: "/content/{path...}",
    summary: "Fetch the bytes of a file, with its recorded type",
    query: { inline: boolean("Whether a browser may show it instead of saving it") },
    replies: {
      200: bytesDoc("The file"),
      206: bytesDoc("The requested range"),
      400: errorDoc("The path is refused or names a directory, or a parameter cannot be read"),
      404: UNKNOWN,
      416: errorDoc("The range is outside the file"),
    },
    handle: ({ params, query, http, state }) =>
      answer(http, () => {
        const { tree, blobs } = state.shown;
        const file = tree.getFile(resolvePath(params.path));
        return sendBlob(blobs, file.blob, {
          headers: http.headers,
          contentType: file.contentType,
          filename: file.name,
          disposition: query.inline ? "inline" : "attachment",
        });
      }),
  }),
  route({
    method: "DELETE",
    path: "/content/{path...}",
    summary: "Remove a file or directory",
    query: { recursive: boolean("Whether to remove a directory with everything in it") },
    replies: {
      204: emptyDoc("Removed"),
      400: errorDoc("The path is refused or is the root, or a parameter cannot be read"),
      404: UNKNOWN,
      409: errorDoc("The directory is not empty, and recursive was not given"),
      507: errorDoc("The change cannot be stored on disk"),
    },
    handle: ({ params, query, http, state }) =>
      answer(http, async () => {
        await state.order({
          kind: "remove",
          path: resolvePath(params.path),
          recursive: query.recursive ?? false,
          command: `DELETE ${http.target}`,
          peer: http.peer,
        });
        return noContent();
      }),
  }),
];

const STATUS: Readonly<Record<VfsErrorCode, number>> = {
  not_found: 404,
  exists: 409,
  not_a_directory: 400,
  is_a_directory: 400,
  not_empty: 409,
  invalid_path: 400,
  too_large: 413,
  no_space: 507,
  busy: 503,
  elsewhere: 503,
};

async function answer(
  http: HttpCall,
  make: () => Response | Promise<Response>,
): Promise<Response> {
  checkEncoding(http.target);
  try {
    return await make();
  } catch (error) {
    if (error instanceof VfsError) throw new ApiError(STATUS[error.code], error.message);
    throw error;
  }
}

/** A path whose percent-encoded bytes are not UTF-8 names nothing, and is refused like any invalid path. */
function checkEncoding(target: string): void {
  try {
    decodeURIComponent(target);
  } catch {
    throw new ApiError(400, `Cannot use path "${target}": it is not valid percent-encoded UTF-8`);
  }
}
