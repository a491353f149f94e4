/** Features and capacity of the file system: FSSTAT, FSINFO, PATHCONF (RFC 1813 sections 3.3.18 to 3.3.20). */
import { MAX_FILE_BYTES } from "../vfs/draft.ts";
import { PATH_LIMITS } from "../vfs/path.ts";
import { MAX_NODES } from "../vfs/tree_nodes.ts";
import { STATUS } from "./codec/nfs3.ts";
import { DIRECTORY_BYTES, MAX_TRANSFER_BYTES } from "./limits.ts";
import type { Procedure } from "./operation.ts";

/** Preferred multiple of sizes. */
const BLOCK_BYTES = 4096;
/** FSF3_HOMOGENEOUS and FSF3_CANSETTIME; neither FSF3_LINK nor FSF3_SYMLINK. */
const PROPERTIES = 0x8 | 0x10;
const MICROSECOND_NS = 1000;

/** Capacity follows from the limits: the number of files, each of the largest size, and their bytes in total. */
const FSSTAT: Procedure = {
  name: "FSSTAT",
  refusal: "attributes",
  run(operation, args, out) {
    const node = operation.node(args);
    const { tree, blobs } = operation.volume.vfs;
    const { files, dirs, bytes } = tree.stats;
    const left = MAX_NODES - files - dirs;
    const free = Math.min(left * MAX_FILE_BYTES, blobs.freeBytes);
    operation.writeAttributes(out.u32(STATUS.OK), node);
    out.u64(bytes + free).u64(free).u64(free).u64(MAX_NODES).u64(left).u64(left).u32(0);
  },
};

const FSINFO: Procedure = {
  name: "FSINFO",
  refusal: "attributes",
  run(operation, args, out) {
    operation.writeAttributes(out.u32(STATUS.OK), operation.node(args));
    for (let i = 0; i < 2; i++) {
      out.u32(MAX_TRANSFER_BYTES).u32(MAX_TRANSFER_BYTES).u32(BLOCK_BYTES);
    }
    out.u32(DIRECTORY_BYTES).u64(MAX_FILE_BYTES).u32(0).u32(MICROSECOND_NS).u32(PROPERTIES);
  },
};

const PATHCONF: Procedure = {
  name: "PATHCONF",
  refusal: "attributes",
  run(operation, args, out) {
    operation.writeAttributes(out.u32(STATUS.OK), operation.node(args));
    // linkmax, name_max; no_trunc, chown_restricted, not case_insensitive, case_preserving
    out.u32(1).u32(PATH_LIMITS.nameBytes).bool(true).bool(true).bool(false).bool(true);
  },
};

/** By number. */
export const INFO_PROCEDURES: Readonly<Record<number, Procedure>> = {
  18: FSSTAT,
  19: FSINFO,
  20: PATHCONF,
};
