/** Attributes of objects: GETATTR, SETATTR, LOOKUP, ACCESS, READLINK (RFC 1813 section 3.3). */
import { compact } from "../../../core/compact.ts";
import type { Node } from "../vfs/node.ts";
import type { NodeChanges } from "../vfs/tree_change.ts";
import {
  ACCESS,
  MAX_HANDLE_BYTES,
  readDirOp,
  readSettings,
  readTime,
  type Settings,
  STATUS,
  writeAttributes,
} from "./codec/nfs3.ts";
import { NfsError } from "./errors.ts";
import type { Operation, Procedure } from "./operation.ts";

const GETATTR: Procedure = {
  name: "GETATTR",
  refusal: "nothing",
  run({ volume, caller }, args, out) {
    const attributes = volume.attributes(volume.node(args.opaque(MAX_HANDLE_BYTES)), caller);
    writeAttributes(out.u32(STATUS.OK), attributes);
  },
};

const SETATTR: Procedure = {
  name: "SETATTR",
  refusal: "wcc",
  once: true,
  changes: true,
  run(operation, args, out) {
    const handle = args.opaque(MAX_HANDLE_BYTES);
    const settings = readSettings(args);
    const guardMs = args.bool() ? readTime(args) : undefined;
    const node = operation.watch(operation.volume.node(handle));
    const { ctimeMs } = operation.volume.attributes(node, operation.caller);
    if (guardMs !== undefined && Math.round(ctimeMs * 1000) !== Math.round(guardMs * 1000)) {
      throw new NfsError("NOT_SYNC", "Cannot set attributes: they have changed meanwhile");
    }
    const answer = (): void => operation.writeWcc(out.u32(STATUS.OK));
    const applied = applySettings(operation, node, settings);
    return applied === undefined ? answer() : applied.then(answer);
  },
};

/** Sets the given attributes; returns nothing if that is done. Throws, or rejects with, `VfsError` and `NfsError`. */
export function applySettings(
  operation: Operation,
  node: Node,
  settings: Settings,
): void | Promise<void> {
  const { nowMs } = operation;
  const { size, mode } = settings;
  const [atimeMs, mtimeMs] = [toMs(settings.atimeMs, nowMs), toMs(settings.mtimeMs, nowMs)];
  const changes: NodeChanges = compact({ mode, atimeMs, mtimeMs });
  if (size === undefined) return change(operation, node, changes);
  if (node.dir) throw new NfsError("ISDIR", "Cannot set the size of a directory");
  return resize(operation, node, size).then(() => change(operation, node, changes));
}

async function resize(
  { volume: { uploads }, by, nowMs }: Operation,
  { id }: Node,
  size: number,
): Promise<void> {
  const upload = await uploads.open(id, { ...by, empty: size === 0 });
  upload.draft.truncate(size);
  upload.changed(by, { nowMs, bytes: 0 });
  uploads.watch(upload);
}

/** Waits only for a file that is becoming an upload. */
function change(operation: Operation, node: Node, changes: NodeChanges): void | Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const { volume: { uploads, vfs }, by, nowMs } = operation;
  const upload = uploads.withId(node.id);
  if (upload === undefined) {
    const there = vfs.tree.withId(node.id);
    if (there !== undefined) return void vfs.tree.change(there, changes, nowMs);
    throw new NfsError("STALE", "Cannot set attributes of a deleted object");
  }
  if (upload.settling !== undefined) {
    return upload.settling.then(() => change(operation, node, changes));
  }
  Object.assign(upload.about, changes);
  upload.touched(by, nowMs);
  uploads.note(upload);
}

function toMs(time: number | "now" | undefined, nowMs: number): number | undefined {
  return time === "now" ? nowMs : time;
}

const LOOKUP: Procedure = {
  name: "LOOKUP",
  refusal: "attributes",
  run(operation, args, out) {
    const { volume } = operation;
    const { handle, name } = readDirOp(args);
    const dir = volume.dir(operation.watch(volume.node(handle)));
    const node = volume.lookup(dir, name);
    out.u32(STATUS.OK).opaque(volume.handleOf(node));
    operation.writeAttributes(out, node);
    operation.writeAttributes(out, dir);
  },
};

const FOR_FILES = ACCESS.READ | ACCESS.MODIFY | ACCESS.EXTEND | ACCESS.EXECUTE;
const FOR_DIRECTORIES = ACCESS.READ | ACCESS.LOOKUP | ACCESS.MODIFY | ACCESS.EXTEND |
  ACCESS.DELETE;

/** Grants everything that an object of its kind allows. */
const ACCESS_PROCEDURE: Procedure = {
  name: "ACCESS",
  refusal: "attributes",
  run(operation, args, out) {
    const node = operation.node(args);
    const asked = args.u32();
    operation.writeAttributes(out.u32(STATUS.OK), node);
    out.u32(asked & (node.dir ? FOR_DIRECTORIES : FOR_FILES));
  },
};

const READLINK: Procedure = {
  name: "READLINK",
  refusal: "attributes",
  run(operation, args) {
    operation.node(args);
    throw new NfsError("INVAL", "Cannot read a link: there are none");
  },
};

/** By number. */
export const ATTRIBUTE_PROCEDURES: Readonly<Record<number, Procedure>> = {
  1: GETATTR,
  2: SETATTR,
  3: LOOKUP,
  4: ACCESS_PROCEDURE,
  5: READLINK,
};
