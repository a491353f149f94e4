/** Implementation of the requests; resolves paths, and shows a client its own unfinished files. */
import { formatLong } from "../codec/long_line.ts";
import { mkdir, remove, rename, touch, upload } from "../record.ts";
import { VfsError } from "../vfs/errors.ts";
import { inOrder, type Node } from "../vfs/node.ts";
import { baseName, decodePath, resolvePath } from "../vfs/path.ts";
import type { Attrs, Changes } from "./codec/attrs.ts";
import {
  encodeAttrs,
  encodeData,
  encodeHandle,
  encodeNames,
  encodeStatus,
  MAX_DATA_BYTES,
  type NameEntry,
  OPEN_FLAG,
  type Request,
  STATUS,
} from "./codec/packet.ts";
import type { SftpState } from "./conversation.ts";
import { StatusError } from "./errors.ts";
import { changeBytes, type Handle, release, type WriteHandle } from "./handles.ts";

/** Entries of one response to READDIR. */
const NAMES_AT_A_TIME = 100;

/** A request implemented in this file. */
type Plain = Exclude<Request, Of<"INIT" | "EXTENDED">>;
type Of<T extends Request["type"]> = Extract<Request, { readonly type: T }>;

/** Carries out a request. Rejects with `VfsError`, `StatusError` or `WireError`. */
export async function answer(state: SftpState, request: Plain): Promise<Uint8Array> {
  switch (request.type) {
    case "OPEN":
      return encodeHandle(request.id, await open(state, request));
    case "CLOSE":
      return await close(state, request);
    case "READ": {
      const parts = read(state, request);
      return parts === undefined ? eof(request.id) : encodeData(request.id, parts);
    }
    case "WRITE":
      return await write(state, request);
    case "OPENDIR":
      return encodeHandle(request.id, openDirectory(state, toPath(request.path)));
    case "READDIR": {
      const entries = readDirectory(state, request);
      return entries.length === 0 ? eof(request.id) : encodeNames(request.id, entries);
    }
    case "LSTAT":
    case "STAT":
      return encodeAttrs(request.id, attrsOf(state, toPath(request.path)));
    case "FSTAT":
      return encodeAttrs(request.id, attrsOfHandle(state, request.handle));
    case "REALPATH":
      return encodeNames(request.id, [realPath(state, toPath(request.path))]);
    default:
      return await change(state, request);
  }
}

async function change(
  state: SftpState,
  request: Plain,
): Promise<Uint8Array> {
  switch (request.type) {
    case "SETSTAT":
      await setAttrs(state, toPath(request.path), request.attrs);
      break;
    case "FSETSTAT":
      await setHandleAttrs(state, request);
      break;
    case "REMOVE":
      await removeFile(state, toPath(request.path));
      break;
    case "RMDIR":
      await removeDirectory(state, toPath(request.path));
      break;
    case "MKDIR":
      await makeDirectory(state, toPath(request.path));
      break;
    case "RENAME":
      await move(state, { from: toPath(request.from), to: toPath(request.to), replace: false });
      break;
    default:
      throw new StatusError(STATUS.unsupported, "Links and other requests are not supported");
  }
  return done(request.id);
}

/** Resolves a path of a request. Throws `VfsError`. */
export function toPath(bytes: Uint8Array): string {
  return resolvePath(decodePath(bytes));
}

/** STATUS OK. */
export function done(id: number): Uint8Array {
  return encodeStatus(id, STATUS.ok, "Done");
}

/**
 * STATUS EOF, returned instead of thrown: each file and directory ends with one, and an error takes
 * 15 us.
 */
function eof(id: number): Uint8Array {
  return encodeStatus(id, STATUS.eof, "End of file");
}

/** Returns the open object of a handle. Throws `StatusError`. */
export function handleOf(state: SftpState, name: Uint8Array): Handle {
  const handle = state.handles.get(name);
  if (handle === undefined) throw new StatusError(STATUS.failure, "The handle is not open");
  return handle;
}

async function open(state: SftpState, request: Of<"OPEN">): Promise<string> {
  const { vfs } = state.handler;
  const { flags } = request;
  const path = toPath(request.path);
  state.handles.checkRoom();
  const there = vfs.tree.find(path) !== undefined || state.handles.pending(path) !== undefined;
  if (there && flags & OPEN_FLAG.create && flags & OPEN_FLAG.exclusive) {
    throw new VfsError("exists", `Cannot create "${path}": it already exists`);
  }
  if (!there && !(flags & OPEN_FLAG.create)) {
    throw new VfsError("not_found", `Cannot find "${path}"`);
  }
  if (there && (flags & OPEN_FLAG.write) === 0) {
    const file = vfs.tree.getFile(path);
    return state.handles.add({ kind: "read", file, path, bytes: await vfs.reader(file) });
  }
  const isNew = !there || (flags & OPEN_FLAG.truncate) !== 0;
  return state.handles.add({
    kind: "write",
    path,
    draft: isNew ? vfs.draft(path) : await vfs.draftFrom(path),
    append: (flags & OPEN_FLAG.append) !== 0,
    command: `OPEN ${path}`,
    dirty: isNew,
    mtimeMs: isNew ? request.attrs.mtimeMs : undefined,
    dropped: false,
  });
}

async function close(state: SftpState, request: Of<"CLOSE" | "FSTAT" | "READDIR">) {
  const handle = state.handles.take(request.handle);
  if (handle === undefined) throw new StatusError(STATUS.failure, "The handle is not open");
  try {
    if (handle.kind === "write" && handle.dirty && !handle.dropped) await keep(state, handle);
  } finally {
    release(handle);
  }
  return done(request.id);
}

async function keep({ handler }: SftpState, handle: WriteHandle): Promise<void> {
  const { path, draft, command, mtimeMs, failure } = handle;
  if (failure !== undefined) throw failure;
  await upload(handler.vfs, handler.actor, { path, draft, command });
  if (mtimeMs !== undefined) await touch(handler.vfs, path, mtimeMs);
}

/** Returns the bytes; `undefined` at the end of the file. */
function read(state: SftpState, request: Of<"READ">): readonly Uint8Array[] | undefined {
  const handle = handleOf(state, request.handle);
  if (handle.kind === "dir") throw new StatusError(STATUS.failure, "The handle is a directory");
  const source = handle.kind === "read" ? handle.bytes : handle.draft;
  if (request.offset >= source.size) return undefined;
  return source.parts(request.offset, Math.min(request.length, MAX_DATA_BYTES));
}

async function write(state: SftpState, request: Of<"WRITE">): Promise<Uint8Array> {
  const handle = handleOf(state, request.handle);
  if (handle.kind !== "write") {
    throw new StatusError(STATUS.permissionDenied, "The handle is not open for writing");
  }
  const { draft } = handle;
  const room = draft.room(request.bytes.length);
  if (room !== undefined) await state.channel.holdUp(room);
  // sshfs gives the intended offset even if the file is open for appending.
  const offset = handle.append ? Math.max(request.offset, draft.size) : request.offset;
  changeBytes(handle, () => draft.write(offset, request.bytes));
  return done(request.id);
}

function openDirectory(state: SftpState, path: string): string {
  state.handles.checkRoom();
  const dir = state.handler.vfs.tree.getDir(path);
  return state.handles.add({ kind: "dir", path, entries: inOrder(dir), next: 0 });
}

/** Returns the next entries; none at the end of the directory. */
function readDirectory(
  state: SftpState,
  request: Of<"CLOSE" | "FSTAT" | "READDIR">,
): readonly NameEntry[] {
  const handle = handleOf(state, request.handle);
  if (handle.kind !== "dir") throw new StatusError(STATUS.failure, "The handle is a file");
  const named = handle.entries.slice(handle.next, handle.next + NAMES_AT_A_TIME)
    .map((node) => toName(state, node.name, attrsOfNode(node)));
  const entries = handle.next === 0 ? [...named, ...ownFiles(state, handle.path)] : named;
  handle.next += NAMES_AT_A_TIME;
  return entries;
}

/** Returns the files of this session that are not in the tree yet, for a directory. */
function ownFiles(state: SftpState, dir: string): NameEntry[] {
  const { tree } = state.handler.vfs;
  const prefix = dir === "/" ? "/" : `${dir}/`;
  return state.handles.writing()
    .filter(({ path, dropped }) =>
      !dropped && path === prefix + baseName(path) && tree.find(path) === undefined
    )
    .map((handle) => toName(state, baseName(handle.path), attrsOfDraft(state, handle)));
}

function toName({ handler }: SftpState, name: string, attrs: Attrs): NameEntry {
  const longName = formatLong({ id: 0, name, ...attrs }, handler.now().getTime());
  return { name, longName, attrs };
}

/** Returns a path for REALPATH, which need not exist. */
export function realPath(state: SftpState, path: string): NameEntry {
  const node = state.handler.vfs.tree.find(path);
  return {
    name: path,
    longName: path,
    attrs: node === undefined ? { dir: false, size: 0, mtimeMs: 0 } : attrsOfNode(node),
  };
}

function attrsOf(state: SftpState, path: string): Attrs {
  const pending = state.handles.pending(path);
  if (pending !== undefined) return attrsOfDraft(state, pending);
  return attrsOfNode(state.handler.vfs.tree.get(path));
}

function attrsOfHandle(state: SftpState, name: Uint8Array): Attrs {
  const handle = handleOf(state, name);
  if (handle.kind === "write") return attrsOfDraft(state, handle);
  if (handle.kind === "dir") return attrsOf(state, handle.path);
  return { ...attrsOfNode(handle.file), size: handle.bytes.size };
}

function attrsOfDraft({ handler }: SftpState, handle: WriteHandle): Attrs {
  // A file that was not written to is as before.
  const keptMs = handle.dirty ? undefined : handler.vfs.tree.find(handle.path)?.mtimeMs;
  const mtimeMs = handle.mtimeMs ?? keptMs ?? handler.now().getTime();
  return { dir: false, size: handle.draft.size, mtimeMs };
}

function attrsOfNode(node: Node): Attrs {
  return { dir: node.dir, size: node.dir ? 0 : node.size, mtimeMs: node.mtimeMs };
}

/** Sets size and times of the object at a path; accepts and drops the other attributes. */
export async function setAttrs(state: SftpState, path: string, changes: Changes): Promise<void> {
  const pending = state.handles.pending(path);
  if (pending !== undefined) return await setDraftAttrs(state, pending, changes);
  const { vfs, actor } = state.handler;
  const node = vfs.tree.get(path);
  if (changes.size !== undefined) {
    if (node.dir) {
      throw new VfsError("is_a_directory", `Cannot truncate "${path}": it is a directory`);
    }
    if (changes.size !== node.size) {
      using draft = await vfs.draftFrom(path);
      draft.truncate(changes.size);
      await upload(vfs, actor, { path, draft, command: `SETSTAT ${path}` });
    }
  }
  if (changes.mtimeMs !== undefined) await touch(vfs, path, changes.mtimeMs);
}

async function setHandleAttrs(state: SftpState, request: Of<"FSETSTAT">): Promise<void> {
  const handle = handleOf(state, request.handle);
  if (handle.kind === "write") return await setDraftAttrs(state, handle, request.attrs);
  await setAttrs(state, handle.path, request.attrs);
}

async function setDraftAttrs(
  { handler: { vfs } }: SftpState,
  handle: WriteHandle,
  { size, mtimeMs }: Changes,
): Promise<void> {
  if (size !== undefined && size !== handle.draft.size) {
    changeBytes(handle, (draft) => draft.truncate(size));
  }
  if (mtimeMs === undefined) return;
  handle.mtimeMs = mtimeMs;
  // A file that is not written to is not stored when it is closed, so its time is set in the tree.
  const isThere = !handle.dropped && vfs.tree.find(handle.path) !== undefined;
  if (!handle.dirty && isThere) await touch(vfs, handle.path, mtimeMs);
}

async function removeFile(state: SftpState, path: string): Promise<void> {
  const { vfs, actor } = state.handler;
  const pending = state.handles.pending(path);
  if (pending !== undefined) pending.dropped = true;
  const node = vfs.tree.find(path);
  if (node === undefined && pending !== undefined) return;
  if (node?.dir) {
    throw new VfsError("is_a_directory", `Cannot remove "${path}": it is a directory`);
  }
  await remove(vfs, actor, { path, command: `REMOVE ${path}` });
}

async function removeDirectory({ handler, handles }: SftpState, path: string): Promise<void> {
  handler.vfs.tree.getDir(path);
  if (handles.below(path).length > 0) {
    throw new VfsError("not_empty", `Cannot delete "${path}": a file in it is being written`);
  }
  await remove(handler.vfs, handler.actor, { path, command: `RMDIR ${path}` });
}

async function makeDirectory({ handler }: SftpState, path: string): Promise<void> {
  await mkdir(handler.vfs, handler.actor, { path, command: `MKDIR ${path}` });
}

/** Moves a file or directory, and this session's unfinished file under its name. */
export async function move(
  state: SftpState,
  { from, to, replace }: { from: string; to: string; replace: boolean },
): Promise<void> {
  const { vfs, actor } = state.handler;
  const pending = state.handles.pending(from);
  if (pending !== undefined && vfs.tree.find(from) === undefined) {
    if (!replace && vfs.tree.find(to) !== undefined) {
      throw new VfsError("exists", `Cannot rename to "${to}": it already exists`);
    }
    vfs.tree.checkWritable(to);
    pending.path = to;
    return;
  }
  await rename(vfs, actor, { from, to, command: `RENAME ${from} ${to}`, replace });
  if (pending !== undefined) pending.path = to;
  for (const handle of state.handles.below(from)) handle.path = to + handle.path.slice(from.length);
}
