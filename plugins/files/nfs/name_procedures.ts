/** Names in directories: MKDIR, REMOVE, RMDIR, RENAME, and links, which are not supported (RFC 1813 section 3.3). */
import { mkdir, remove, rename } from "../record.ts";
import { type DirNode, type Node, pathOf } from "../vfs/node.ts";
import { MAX_HANDLE_BYTES, readDirOp, readSettings, STATUS } from "./codec/nfs3.ts";
import { applySettings } from "./attribute_procedures.ts";
import { NfsError } from "./errors.ts";
import type { Operation, Procedure } from "./operation.ts";

const MKDIR: Procedure = {
  name: "MKDIR",
  refusal: "wcc",
  once: true,
  changes: true,
  async run(operation, args, out) {
    const { volume, caller } = operation;
    const { handle, name: bytes } = readDirOp(args);
    const settings = readSettings(args);
    const dir = volume.dir(operation.watch(volume.node(handle)));
    if (isDots(bytes)) throw new NfsError("EXIST", "Cannot create a directory with such a name");
    const { name, path } = volume.place(dir, bytes);
    if (volume.find(dir, name) !== undefined) {
      throw new NfsError("EXIST", `Cannot create "${path}": it already exists`);
    }
    const made = await mkdir(volume.vfs, caller.writer.actor, { path, command: `MKDIR ${path}` });
    const { size: _size, ...rest } = settings;
    await applySettings(operation, made, rest);
    out.u32(STATUS.OK).bool(true).opaque(volume.handleOf(made));
    operation.writeAttributes(out, made);
    operation.writeWcc(out);
  },
};

const REMOVE: Procedure = {
  name: "REMOVE",
  refusal: "wcc",
  once: true,
  changes: true,
  async run(operation, args, out) {
    const { volume, caller, nowMs } = operation;
    const { dir, node } = readVictim(operation, readDirOp(args));
    if (node.dir) throw new NfsError("ISDIR", `Cannot remove "${pathOf(node)}": it is a directory`);
    const path = pathOf(node);
    const work = volume.uploads.withId(node.id);
    if (work !== undefined) await volume.uploads.forget(work);
    const isTold = volume.vfs.tree.withId(node.id) !== undefined;
    // A file that never became an upload makes no event.
    if (!isTold) volume.vfs.tree.change(dir, { mtimeMs: nowMs }, nowMs);
    else await remove(volume.vfs, caller.writer.actor, { path, command: `REMOVE ${path}` });
    operation.writeWcc(out.u32(STATUS.OK));
  },
};

const RMDIR: Procedure = {
  name: "RMDIR",
  refusal: "wcc",
  once: true,
  changes: true,
  async run(operation, args, out) {
    const { volume, caller } = operation;
    const { node } = readVictim(operation, readDirOp(args));
    const path = pathOf(node);
    if (!node.dir) throw new NfsError("NOTDIR", `Cannot remove "${path}": it is a file`);
    if (!volume.isEmpty(node)) {
      throw new NfsError("NOTEMPTY", `Cannot remove "${path}": the directory is not empty`);
    }
    await remove(volume.vfs, caller.writer.actor, { path, command: `RMDIR ${path}` });
    operation.writeWcc(out.u32(STATUS.OK));
  },
};

/** Returns the entry to remove from a directory. Throws `NfsError`. */
function readVictim(
  operation: Operation,
  { handle, name }: { readonly handle: Uint8Array; readonly name: Uint8Array },
): { readonly dir: DirNode; readonly node: Node } {
  const { volume } = operation;
  const dir = volume.dir(operation.watch(volume.node(handle)));
  if (isDots(name)) throw new NfsError("INVAL", "Cannot remove . or ..");
  return { dir, node: volume.lookup(dir, name) };
}

function isDots(name: Uint8Array): boolean {
  return name.length > 0 && name.length <= 2 && name.every((byte) => byte === 0x2e);
}

const RENAME: Procedure = {
  name: "RENAME",
  refusal: "two wcc",
  once: true,
  changes: true,
  async run(operation, args, out) {
    const { volume, caller } = operation;
    const [from, to] = [readDirOp(args), readDirOp(args)];
    const source = operation.watch(volume.node(from.handle));
    const target = volume.dir(operation.watch(volume.node(to.handle)));
    if (isDots(from.name)) throw new NfsError("INVAL", "Cannot rename . or ..");
    const node = volume.lookup(volume.dir(source), from.name);
    const { name, path } = volume.place(target, to.name);
    const taken = volume.find(target, name);
    if (taken !== node) {
      if (taken !== undefined) checkReplaces(operation, node, taken);
      const work = volume.uploads.withId(node.id);
      // From now on it may be anywhere, so its upload under the old name is recorded first.
      if (work !== undefined) await volume.uploads.settle(work);
      const moved = pathOf(volume.vfs.tree.withId(node.id) ?? node);
      await dropTarget(operation, target, name);
      await rename(volume.vfs, caller.writer.actor, {
        ...{ from: moved, to: path, replace: true },
        command: `RENAME ${moved} ${path}`,
      });
    }
    operation.writeWcc(out.u32(STATUS.OK));
    operation.writeWcc(out, 1);
  },
};

/** Drops a file that is being written when another replaces it. */
async function dropTarget({ volume }: Operation, dir: DirNode, name: string): Promise<void> {
  const taken = volume.find(dir, name);
  const work = taken && volume.uploads.withId(taken.id);
  if (work !== undefined) await volume.uploads.forget(work);
}

function checkReplaces({ volume }: Operation, node: Node, taken: Node): void {
  const what = `Cannot replace "${pathOf(taken)}" with "${pathOf(node)}"`;
  if (node.dir && !taken.dir) throw new NfsError("NOTDIR", `${what}: it is a file`);
  if (!node.dir && taken.dir) throw new NfsError("ISDIR", `${what}: it is a directory`);
  if (taken.dir && !volume.isEmpty(taken)) {
    throw new NfsError("NOTEMPTY", `${what}: the directory is not empty`);
  }
}

/** Any server may refuse these (section 3.3.10): the tree only holds files and directories. */
function unsupported(name: string, refusal: Procedure["refusal"], handles: number): Procedure {
  return {
    name,
    refusal,
    changes: true,
    run(operation, args) {
      for (let i = 0; i < handles; i++) {
        operation.watch(operation.volume.node(args.opaque(MAX_HANDLE_BYTES)));
      }
      throw new NfsError(
        "NOTSUPP",
        `Cannot carry out ${name}: there are only files and directories`,
      );
    },
  };
}

/** By number. */
export const NAME_PROCEDURES: Readonly<Record<number, Procedure>> = {
  9: MKDIR,
  10: unsupported("SYMLINK", "wcc", 1),
  11: unsupported("MKNOD", "wcc", 1),
  12: REMOVE,
  13: RMDIR,
  14: RENAME,
  15: unsupported("LINK", "attributes and wcc", 2),
};
