/** MOUNT version 3 (RFC 1813 appendix I), which gives a client its first handle. */
import { VfsError } from "../vfs/errors.ts";
import type { DirNode } from "../vfs/node.ts";
import { decodePath, resolvePath } from "../vfs/path.ts";
import type { Tree } from "../vfs/tree.ts";
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

/** The program, for one volume. `stored` returns the last known tree while the tree cannot be used. */
export function createMount(volume: Volume, stored: () => Pick<Tree, "find">): Program {
  const mnt: ProgramProcedure = {
    run({ args, out }) {
      const mounted = mount(volume, args.opaque(MAX_PATH_BYTES), stored);
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

/**
 * Returns a directory of the tree, or the root for any other name.
 *
 * The statuses of MNT (RFC 1813 appendix I) have no temporary refusal like NFS3ERR_JUKEBOX, and Linux gives up after
 * any of them. So while the tree cannot be used, known directories are still mounted, and the calls that use their
 * handles make the client wait. Only an unknown name, which may exist by now, gets a server failure, because the root
 * would be the wrong directory.
 */
function mount(volume: Volume, bytes: Uint8Array, stored: () => Pick<Tree, "find">): Mounted {
  let path: string;
  try {
    path = resolvePath(decodePath(bytes));
  } catch (error) {
    if (error instanceof VfsError) return "INVAL";
    throw error;
  }
  // Its handle never changes.
  if (path === "/") return volume.root;
  const { isUsable, tree } = volume.vfs;
  const node = (isUsable ? tree : stored()).find(path);
  if (node === undefined) return isUsable ? volume.root : "SERVERFAULT";
  return node.dir ? node : "NOTDIR";
}
