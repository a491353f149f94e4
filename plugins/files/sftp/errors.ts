import { VfsError, type VfsErrorCode } from "../vfs/errors.ts";
import { STATUS, type StatusCode } from "./codec/packet.ts";

/** draft-ietf-secsh-filexfer-02 section 7. */
const CODES: Readonly<Record<VfsErrorCode, StatusCode>> = {
  not_found: STATUS.noSuchFile,
  exists: STATUS.failure,
  not_a_directory: STATUS.failure,
  is_a_directory: STATUS.failure,
  not_empty: STATUS.failure,
  invalid_path: STATUS.permissionDenied,
  too_large: STATUS.failure,
  no_space: STATUS.failure,
  busy: STATUS.failure,
  elsewhere: STATUS.failure,
};

/** Returns the status for a refusal of the tree; rethrows anything else. */
export function refusalStatus(
  error: unknown,
): { readonly code: StatusCode; readonly message: string } {
  if (!(error instanceof VfsError)) throw error;
  const message = error.code === "no_space" ? `No space: ${error.message}` : error.message;
  return { code: CODES[error.code], message };
}

/** A request that is refused with a specific status. */
export class StatusError extends Error {
  override name = "StatusError";

  constructor(readonly code: StatusCode, message: string) {
    super(message);
  }
}
