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
  elsewhere: TFTP_ERROR.undefined,
};

/** Returns the ERROR packet for a refusal; rethrows anything but a `VfsError`. */
export function refusalPacket(error: unknown): Packet {
  if (!(error instanceof VfsError)) throw error;
  return errorPacket(CODES[error.code], error.message);
}

/** Creates an ERROR packet. */
export function errorPacket(code: number, message: string): Packet {
  return { type: "ERROR", code, message };
}
