/** Numbers and types of NFS version 3 (RFC 1813), shared with MOUNT version 3 (appendix I). */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { compact } from "../../../../core/compact.ts";
import type { XdrReader, XdrWriter } from "./xdr.ts";

/** Largest handle (NFS3_FHSIZE). */
export const MAX_HANDLE_BYTES = 64;
/** NFS3_COOKIEVERFSIZE, NFS3_CREATEVERFSIZE, NFS3_WRITEVERFSIZE. */
export const VERIFIER_BYTES = 8;

/** nfsstat3 (section 2.6): the statuses in use here. */
export const STATUS = {
  OK: 0,
  PERM: 1,
  NOENT: 2,
  IO: 5,
  ACCES: 13,
  EXIST: 17,
  NOTDIR: 20,
  ISDIR: 21,
  INVAL: 22,
  FBIG: 27,
  NOSPC: 28,
  ROFS: 30,
  NAMETOOLONG: 63,
  NOTEMPTY: 66,
  STALE: 70,
  BADHANDLE: 10_001,
  NOT_SYNC: 10_002,
  BAD_COOKIE: 10_003,
  NOTSUPP: 10_004,
  TOOSMALL: 10_005,
  SERVERFAULT: 10_006,
  JUKEBOX: 10_008,
} as const;

/** A refusal in the words of RFC 1813, without `NFS3ERR_`. */
export type StatusName = Exclude<keyof typeof STATUS, "OK">;

/** ftype3 of the objects in the tree. */
const FILE_TYPE = { file: 1, directory: 2 } as const;
/** Bits of ACCESS (section 3.3.4). */
export const ACCESS = {
  READ: 1,
  LOOKUP: 2,
  MODIFY: 4,
  EXTEND: 8,
  DELETE: 16,
  EXECUTE: 32,
} as const;
/** stable_how (section 3.3.7). */
export const STABLE = { UNSTABLE: 0, DATA_SYNC: 1, FILE_SYNC: 2 } as const;
/** createmode3 (section 3.3.8). */
export const CREATE_MODE = { UNCHECKED: 0, GUARDED: 1, EXCLUSIVE: 2 } as const;

/** fattr3, without the attributes that are the same for every object here. */
export interface Attributes {
  readonly dir: boolean;
  /** The lower twelve bits. */
  readonly mode: number;
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly id: number;
  /** Unix milliseconds, as all times, with a precision of microseconds. */
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Attributes before a change (wcc_attr). */
export type AttributesBefore = Pick<Attributes, "size" | "mtimeMs" | "ctimeMs">;

const FSID = 1;

/** fattr3 (section 2.6) */
export function writeAttributes(out: XdrWriter, of: Attributes): void {
  out.u32(of.dir ? FILE_TYPE.directory : FILE_TYPE.file).u32(of.mode).u32(of.links);
  out.u32(of.uid).u32(of.gid).u64(of.size).u64(of.size).u32(0).u32(0).u64(FSID).u64(of.id);
  writeTime(out, of.atimeMs);
  writeTime(out, of.mtimeMs);
  writeTime(out, of.ctimeMs);
}

/** post_op_attr */
export function writePostOp(out: XdrWriter, after: Attributes | undefined): void {
  out.bool(after !== undefined);
  if (after !== undefined) writeAttributes(out, after);
}

/** wcc_data */
export function writeWcc(
  out: XdrWriter,
  change: {
    readonly before?: AttributesBefore | undefined;
    readonly after: Attributes | undefined;
  },
): void {
  out.bool(change.before !== undefined);
  if (change.before !== undefined) {
    out.u64(change.before.size);
    writeTime(out, change.before.mtimeMs);
    writeTime(out, change.before.ctimeMs);
  }
  writePostOp(out, change.after);
}

const MICROSECONDS = 1_000_000;
const MAX_SECONDS = 2 ** 32 - 1;

/** nfstime3; the nearest time that it can hold. */
function writeTime(out: XdrWriter, ms: number): void {
  const us = Math.max(0, Math.round(ms * 1000));
  const seconds = Math.floor(us / MICROSECONDS);
  if (seconds > MAX_SECONDS) out.u32(MAX_SECONDS).u32(0);
  else out.u32(seconds).u32((us % MICROSECONDS) * 1000);
}

/** nfstime3, in Unix milliseconds, with a precision of microseconds. */
export function readTime(reader: XdrReader): number {
  const [seconds, nanoseconds] = [reader.u32(), reader.u32()];
  if (nanoseconds >= 1_000_000_000) {
    throw new WireError("syntax", `Cannot read a time with ${nanoseconds} nanoseconds`);
  }
  return seconds * 1000 + Math.floor(nanoseconds / 1000) / 1000;
}

/** Attributes that a client sets (sattr3). */
export interface Settings {
  readonly mode?: number;
  readonly size?: number;
  readonly atimeMs?: number | "now";
  readonly mtimeMs?: number | "now";
}

const MODE_BITS = 0o7777;

/** sattr3; skips owners, because everybody owns everything. */
export function readSettings(reader: XdrReader): Settings {
  const mode = reader.bool() ? reader.u32() & MODE_BITS : undefined;
  if (reader.bool()) reader.u32();
  if (reader.bool()) reader.u32();
  const size = reader.bool() ? reader.u64() : undefined;
  const atimeMs = readTimeHow(reader);
  const mtimeMs = readTimeHow(reader);
  return {
    ...compact({ mode, size, atimeMs, mtimeMs }),
  };
}

/** set_atime, set_mtime: DONT_CHANGE, SET_TO_SERVER_TIME, SET_TO_CLIENT_TIME */
function readTimeHow(reader: XdrReader): number | "now" | undefined {
  const how = reader.choice(2);
  return how === 0 ? undefined : how === 1 ? "now" : readTime(reader);
}

/** diropargs3; the name is unchecked. */
export function readDirOp(reader: XdrReader): { handle: Uint8Array; name: Uint8Array } {
  return { handle: reader.opaque(MAX_HANDLE_BYTES), name: reader.opaque(Infinity) };
}
