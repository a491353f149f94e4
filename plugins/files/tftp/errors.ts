import { VfsError, type VfsErrorCode } from "../vfs/errors.ts";
import { type Packet, TFTP_ERROR } from "./codec/packet.ts";

/** RFC 1350 section 5. */
const CODES: Readonly<Record<VfsErrorCode, number>> = {
  not_found: TFTP_ERROR.notFound,
  exists: TFTP_ERROR.exists,
  not_a_directory: TFTP_ERROR.notFound,
  is_a_directory: TFTP_ERROR.notFound,
  not_empty: TFTP_ERROR.undefined,
  invalid_path: TFTP_ERROR.access,
  too_large: TFTP_ERROR.full,
  no_space: TFTP_ERROR.full,
  busy: TFTP_ERROR.full,
};

/** What the client is told of a refusal; anything else than a `VfsError` is rethrown. */
export function refusalPacket(error: unknown): Packet {
  if (!(error instanceof VfsError)) throw error;
  return errorPacket(CODES[error.code], error.message);
}

/** An ERROR packet. */
export function errorPacket(code: number, message: string): Packet {
  return { type: "ERROR", code, message };
}
