import { VfsError, type VfsErrorCode } from "../vfs/errors.ts";
import { type Reply, toReply } from "./codec/reply.ts";

/** RFC 959 section 4.2. */
const CODES: Readonly<Record<VfsErrorCode, number>> = {
  not_found: 550,
  exists: 550,
  not_a_directory: 550,
  is_a_directory: 550,
  not_empty: 550,
  invalid_path: 553,
  too_large: 552,
  no_space: 552,
  busy: 452,
  elsewhere: 451,
};

/** Returns the reply to a refusal of the tree; rethrows anything else. */
export function refusalReply(error: unknown): Reply {
  if (!(error instanceof VfsError)) throw error;
  return toReply(CODES[error.code], error.message);
}
