/** Extensions of OpenSSH's PROTOCOL file, which clients use if VERSION announces them. */
import { MAX_FILE_BYTES } from "../vfs/draft.ts";
import { PATH_LIMITS } from "../vfs/path.ts";
import { MAX_NODES } from "../vfs/tree_nodes.ts";
import { readAttrs } from "./codec/attrs.ts";
import {
  encodeNames,
  encodeNumbers,
  MAX_DATA_BYTES,
  MAX_PACKET_BYTES,
  readHandle,
  readPath,
  type Request,
  STATUS,
} from "./codec/packet.ts";
import type { SftpState } from "./conversation.ts";
import { StatusError } from "./errors.ts";
import { changeBytes, MAX_HANDLES } from "./handles.ts";
import { done, handleOf, move, realPath, setAttrs, toPath } from "./requests.ts";

/** Extensions announced in VERSION: exactly those that are implemented. */
export const EXTENSIONS: readonly (readonly [name: string, data: string])[] = [
  ["posix-rename@openssh.com", "1"],
  ["statvfs@openssh.com", "2"],
  ["fstatvfs@openssh.com", "2"],
  ["fsync@openssh.com", "1"],
  ["limits@openssh.com", "1"],
  ["copy-data", "1"],
  ["lsetstat@openssh.com", "1"],
  ["expand-path@openssh.com", "1"],
  ["home-directory", "1"],
];

const BLOCK_BYTES = 4096;
const [TILDE, SLASH] = [0x7e, 0x2f];

/** Carries out an extended request; refuses one that is not announced. */
export async function extended(
  state: SftpState,
  { id, name, body }: Extract<Request, { readonly type: "EXTENDED" }>,
): Promise<Uint8Array> {
  switch (name) {
    case "posix-rename@openssh.com": {
      const from = toPath(readPath(body));
      await move(state, { from, to: toPath(readPath(body)), replace: true });
      return done(id);
    }
    case "statvfs@openssh.com":
      state.handler.vfs.tree.get(toPath(readPath(body)));
      return encodeNumbers(id, capacity(state));
    case "fstatvfs@openssh.com":
      handleOf(state, readHandle(body));
      return encodeNumbers(id, capacity(state));
    case "fsync@openssh.com":
      // The file is stored as a whole when it is closed.
      handleOf(state, readHandle(body));
      return done(id);
    case "limits@openssh.com":
      return encodeNumbers(id, [MAX_PACKET_BYTES, MAX_DATA_BYTES, MAX_DATA_BYTES, MAX_HANDLES]);
    case "copy-data": {
      const from = {
        handle: readHandle(body),
        offset: Number(body.u64()),
        length: Number(body.u64()),
      };
      copy(state, from, { handle: readHandle(body), offset: Number(body.u64()) });
      return done(id);
    }
    case "lsetstat@openssh.com":
      // Without links it equals SETSTAT.
      await setAttrs(state, toPath(readPath(body)), readAttrs(body));
      return done(id);
    case "expand-path@openssh.com":
      return encodeNames(id, [realPath(state, toPath(withoutHome(readPath(body))))]);
    case "home-directory":
      return encodeNames(id, [realPath(state, "/")]);
    default:
      throw new StatusError(STATUS.unsupported, "The extension is not supported");
  }
}

/** `~` and `~name` are the root for every user. */
function withoutHome(path: Uint8Array): Uint8Array {
  if (path[0] !== TILDE) return path;
  const slash = path.indexOf(SLASH);
  return slash < 0 ? new Uint8Array() : path.subarray(slash);
}

/** bsize frsize blocks bfree bavail files ffree favail fsid flag namemax, by the limits of the tree. */
function capacity({ handler }: SftpState): readonly number[] {
  const { files, dirs, bytes } = handler.vfs.tree.stats;
  const left = MAX_NODES - files - dirs;
  const free = Math.floor(left * MAX_FILE_BYTES / BLOCK_BYTES);
  const used = Math.ceil(bytes / BLOCK_BYTES);
  return [
    ...[BLOCK_BYTES, BLOCK_BYTES, used + free, free, free],
    ...[MAX_NODES, left, left, 1, 0, PATH_LIMITS.nameBytes],
  ];
}

/** A length of 0 means up to the end of the file. */
function copy(
  state: SftpState,
  from: { handle: Uint8Array; offset: number; length: number },
  to: { handle: Uint8Array; offset: number },
): void {
  const source = handleOf(state, from.handle);
  const target = handleOf(state, to.handle);
  if (source.kind === "dir" || target.kind !== "write") {
    throw new StatusError(STATUS.failure, "Expected a file to read and a file to write");
  }
  const reading = source.kind === "read" ? source.bytes : source.draft;
  const length = from.length === 0 ? Infinity : from.length;
  changeBytes(target, (draft) => draft.write(to.offset, reading.read(from.offset, length)));
}
