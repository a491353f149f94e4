import { WireError } from "../../../core/bytes/decoder.ts";
import { VfsError, type VfsErrorCode } from "../vfs/errors.ts";
import type { StatusName } from "./codec/nfs3.ts";

/** A refusal in the protocol's own terms. */
export class NfsError extends Error {
  override name = "NfsError";

  constructor(readonly status: StatusName, message: string) {
    super(message);
  }
}

/** RFC 1813 section 2.6. */
const STATUSES: Readonly<Record<VfsErrorCode, StatusName>> = {
  not_found: "NOENT",
  exists: "EXIST",
  not_a_directory: "NOTDIR",
  is_a_directory: "ISDIR",
  not_empty: "NOTEMPTY",
  invalid_path: "INVAL",
  too_large: "FBIG",
  no_space: "NOSPC",
  // Clients wait, and repeat the call.
  busy: "JUKEBOX",
  elsewhere: "JUKEBOX",
};

/** Returns the status of an error; anything but a `VfsError` or `NfsError` is an internal error. */
export function statusOf(error: unknown): StatusName {
  if (error instanceof NfsError) return error.status;
  if (error instanceof VfsError) return STATUSES[error.code];
  // Unreadable arguments are refused below NFS.
  if (error instanceof WireError) throw error;
  return "SERVERFAULT";
}
