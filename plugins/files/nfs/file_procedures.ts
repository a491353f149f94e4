/** Bytes of files: READ, WRITE, CREATE, COMMIT (RFC 1813 section 3.3). */
import { MAX_FILE_BYTES } from "../vfs/draft.ts";
import type { FileNode, Node } from "../vfs/node.ts";
import {
  CREATE_MODE,
  MAX_HANDLE_BYTES,
  readDirOp,
  readSettings,
  type Settings,
  STABLE,
  STATUS,
  VERIFIER_BYTES,
} from "./codec/nfs3.ts";
import { MAX_TRANSFER_BYTES } from "./limits.ts";
import { NfsError } from "./errors.ts";
import type { XdrReader, XdrWriter } from "./codec/xdr.ts";
import { applySettings } from "./attribute_procedures.ts";
import type { Operation, Procedure } from "./operation.ts";
import { VfsError } from "../vfs/errors.ts";
import type { PendingUpload } from "./pending_upload.ts";

/** Size from which parts of a file that is being written are sent without a copy: the next write to them copies them. */
const PART_BYTES = 32 * 1024;

const READ: Procedure = {
  name: "READ",
  refusal: "attributes",
  run(operation, args, out) {
    const { volume } = operation;
    const handle = args.opaque(MAX_HANDLE_BYTES);
    const [offset, asked] = [args.u64(), args.u32()];
    const node = volume.file(operation.watch(volume.node(handle)));
    const count = Math.min(asked, MAX_TRANSFER_BYTES);
    const upload = volume.uploads.withId(node.id);
    const answer = (parts: readonly Uint8Array[], size: number, loan?: Disposable): void => {
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      operation.writeAttributes(out.u32(STATUS.OK), node);
      out.u32(length).bool(offset + length >= size).opaqueLast(parts, loan);
    };
    if (upload !== undefined) {
      const { draft } = upload;
      if (count < PART_BYTES) return answer([draft.read(offset, count)], draft.size);
      const lent = draft.lendParts(offset, count);
      return answer(lent.parts, draft.size, lent);
    }
    const { size } = node;
    if (offset >= size || count === 0) return answer([], size);
    const lent = volume.vfs.lendParts(node, offset, count);
    if (lent !== undefined) return answer(lent.parts, size, lent);
    const read = () => volume.vfs.readParts(node, offset, count);
    const held = operation.hold(count);
    return (held === undefined ? read() : held.then(read)).then((parts) => {
      if (parts === undefined) throw new NfsError("STALE", "Cannot read a file that was replaced");
      answer(parts, size);
    });
  },
};

const WRITE: Procedure = {
  name: "WRITE",
  refusal: "wcc",
  changes: true,
  run(operation, args, out) {
    const { volume, by } = operation;
    const handle = args.opaque(MAX_HANDLE_BYTES);
    const [offset, count, stable] = [args.u64(), args.u32(), args.choice(STABLE.FILE_SYNC)];
    const data = args.opaque(MAX_TRANSFER_BYTES);
    const node = fileOf(operation.watch(volume.node(handle)));
    if (count > data.length) {
      throw new NfsError("INVAL", `Cannot write ${count} bytes: ${data.length} were sent`);
    }
    if (offset + count > MAX_FILE_BYTES) {
      throw new NfsError("FBIG", `Cannot write beyond ${MAX_FILE_BYTES} bytes`);
    }
    const { uploads } = volume;
    const what = { offset, stable, data: data.subarray(0, count) };
    const upload = uploads.openAtOnce(node.id, by);
    if (upload !== undefined) return write(operation, out, { ...what, upload });
    const kept = { ...what, data: what.data.slice() };
    return uploads.open(node.id, by).then((upload) => write(operation, out, { ...kept, upload }));
  },
};

function writeTo(upload: PendingUpload, offset: number, data: Uint8Array): void {
  try {
    upload.draft.write(offset, data);
    if (upload.refusedAt === offset) upload.refusedAt = undefined;
  } catch (error) {
    if (error instanceof VfsError && error.code === "no_space") {
      upload.refusedAt = offset;
      upload.failed = true;
    }
    throw error;
  }
}

/** Writes bytes at once; waits only for those that must be durable. */
function write(
  operation: Operation,
  out: XdrWriter,
  what: { upload: PendingUpload; offset: number; stable: number; data: Uint8Array },
): void | Promise<void> {
  const { volume: { uploads }, by, nowMs } = operation;
  const { upload, offset, stable, data } = what;
  const isUnstable = stable === STABLE.UNSTABLE;
  let marked: void | Promise<void> = undefined;
  if (data.length > 0) {
    writeTo(upload, offset, data);
    upload.changed(by, { nowMs, bytes: data.length });
    if (isUnstable) marked = uploads.markUnstable(upload);
  }
  const answer = (): void => {
    uploads.watch(upload);
    operation.writeWcc(out.u32(STATUS.OK));
    const committed = isUnstable ? STABLE.UNSTABLE : STABLE.FILE_SYNC;
    out.u32(data.length).u32(committed).fixed(uploads.verifier);
  };
  const durable = isUnstable ? marked : uploads.commit(upload);
  return durable === undefined ? answer() : durable.then(answer);
}

/** Refuses anything that is not a file, with its own status (section 3.3.7). */
function fileOf(node: Node): FileNode {
  if (!node.dir) return node;
  throw new NfsError("INVAL", "Cannot write to a directory");
}

type CreateHow =
  | { readonly guarded: boolean; readonly settings: Settings }
  | { readonly verifier: string };

function readCreateHow(args: XdrReader): CreateHow {
  const mode = args.choice(CREATE_MODE.EXCLUSIVE);
  if (mode === CREATE_MODE.EXCLUSIVE) return { verifier: args.fixed(VERIFIER_BYTES).toHex() };
  return { guarded: mode === CREATE_MODE.GUARDED, settings: readSettings(args) };
}

const CREATE: Procedure = {
  name: "CREATE",
  refusal: "wcc",
  once: true,
  changes: true,
  run(operation, args, out) {
    const { volume } = operation;
    const { handle, name: bytes } = readDirOp(args);
    const how = readCreateHow(args);
    const dir = volume.dir(operation.watch(volume.node(handle)));
    const { name } = volume.place(dir, bytes);
    const existing = volume.find(dir, name);
    const settings = "settings" in how ? how.settings : {};
    if (existing !== undefined) checkExisting(operation, existing, how);
    const node = existing ?? volume.uploads.create(dir, name, operation.by).node;
    if ("verifier" in how) volume.uploads.creators.add(node.id, how.verifier);
    const answer = (): void => {
      out.u32(STATUS.OK).bool(true).opaque(volume.handleOf(node));
      operation.writeAttributes(out, node);
      operation.writeWcc(out);
    };
    const applied = applyCreated(
      operation,
      node,
      existing === undefined ? settings : sizeOf(settings),
    );
    return applied === undefined ? answer() : applied.then(answer);
  },
};

function checkExisting({ volume }: Operation, node: Node, how: CreateHow): void {
  const isSame = "verifier" in how
    ? volume.uploads.creators.of(node.id) === how.verifier
    : !how.guarded && !node.dir;
  if (!isSame) throw new NfsError("EXIST", `Cannot create "${node.name}": it already exists`);
}

/** Sets only the size of an existing file (section 3.3.8). */
function sizeOf({ size }: Settings): Settings {
  return size === undefined ? {} : { size };
}

/** Does not create a file whose attributes cannot be set. */
function applyCreated(operation: Operation, node: Node, settings: Settings): void | Promise<void> {
  const upload = operation.volume.uploads.withId(node.id);
  const fail = async (error: unknown): Promise<never> => {
    if (upload?.created && upload.version === 0) await operation.volume.uploads.forget(upload);
    throw error;
  };
  try {
    return applySettings(operation, node, settings)?.catch(fail);
  } catch (error) {
    return fail(error);
  }
}

const COMMIT: Procedure = {
  name: "COMMIT",
  refusal: "wcc",
  changes: true,
  run(operation, args, out) {
    const { uploads } = operation.volume;
    const node = fileOf(operation.node(args));
    args.u64();
    args.u32();
    const upload = uploads.withId(node.id);
    const answer = (): void => {
      operation.writeWcc(out.u32(STATUS.OK));
      out.fixed(uploads.verifier);
    };
    // The reply promises the whole file, whatever range the client named.
    const durable = upload && uploads.commit(upload);
    return durable === undefined ? answer() : durable.then(answer);
  },
};

/** By number. */
export const FILE_PROCEDURES: Readonly<Record<number, Procedure>> = {
  6: READ,
  7: WRITE,
  8: CREATE,
  21: COMMIT,
};
