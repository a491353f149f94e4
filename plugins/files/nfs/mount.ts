/** MOUNT version 3 (RFC 1813 appendix I), which gives a client its first handle. */
import type { DirNode } from "../vfs/node.ts";
import { decodePath, resolvePath } from "../vfs/path.ts";
import { VfsError } from "../vfs/errors.ts";
import { STATUS } from "./codec/nfs3.ts";
import { NULL_PROCEDURE, type Program, type ProgramProcedure } from "./program.ts";
import type { Volume } from "./volume.ts";

/** Program number of MOUNT. */
export const MOUNT_PROGRAM = 100_005;
const MAX_PATH_BYTES = 1024;
const [MNT, DUMP, UMNT, UMNTALL, EXPORT] = [1, 2, 3, 4, 5] as const;
/** AUTH_SYS before AUTH_NONE: Linux uses the first that it knows. */
const FLAVORS = [1, 0] as const;
const EXPORT_PATH = new TextEncoder().encode("/");

/** Result of MNT: MNT3_OK and a directory, or a refusal. */
type Mounted = DirNode | "NOTDIR" | "INVAL" | "SERVERFAULT";

/** The program, for one volume. */
export function createMount(volume: Volume): Program {
  const mnt: ProgramProcedure = {
    run({ args, out }) {
      const mounted = mount(volume, args.opaque(MAX_PATH_BYTES));
      if (typeof mounted === "string") return void out.u32(STATUS[mounted]);
      out.u32(STATUS.OK).opaque(volume.handleOf(mounted)).u32(FLAVORS.length);
      for (const flavor of FLAVORS) out.u32(flavor);
    },
  };
  // Mounts are not recorded: a mount is only its handle.
  const dump: ProgramProcedure = { run: ({ out }) => void out.bool(false) };
  const exports: ProgramProcedure = {
    run: ({ out }) => void out.bool(true).opaque(EXPORT_PATH).bool(false).bool(false),
  };
  return {
    version: 3,
    procedures: new Map<number, ProgramProcedure>([
      [0, NULL_PROCEDURE],
      [MNT, mnt],
      [DUMP, dump],
      [UMNT, { run: ({ args }) => void args.opaque(MAX_PATH_BYTES) }],
      [UMNTALL, NULL_PROCEDURE],
      [EXPORT, exports],
    ]),
    // Programs that unmount use version 1.
    everywhere: new Set([0, UMNT, UMNTALL]),
  };
}

/** Returns a directory of the tree, or the root for any other name. */
function mount(volume: Volume, bytes: Uint8Array): Mounted {
  try {
    const path = decodePath(bytes);
    const resolved = resolvePath(path);
    // MOUNT has no temporary refusal. The handle of the root never changes, and calls that use it get NFS3ERR_JUKEBOX.
    if (resolved === "/") return volume.root;
    const node = volume.vfs.tree.find(resolved);
    if (node === undefined) return volume.root;
    return node.dir ? node : "NOTDIR";
  } catch (error) {
    if (error instanceof VfsError) return volume.vfs.isUsable ? "INVAL" : "SERVERFAULT";
    throw error;
  }
}
