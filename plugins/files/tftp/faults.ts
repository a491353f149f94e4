/** Faults of a TFTP server: error codes of RFC 1350. */
import type { Fault } from "../../../core/plugin.ts";
import { statusFaults } from "../faults.ts";
import { type Packet, TFTP_ERROR } from "./codec/packet.ts";
import { errorPacket } from "./errors.ts";

/** Outcomes of a request. */
export const FAULTS = statusFaults({
  changes: "WRQ",
  asks: "RRQ",
  source: "https://www.rfc-editor.org/rfc/rfc1350#section-5",
}, [
  ["no_space", "Disk full or allocation exceeded", TFTP_ERROR.full, ["capture"]],
  ["permission", "Access violation", TFTP_ERROR.access],
  ["io_error", "Input/output error", TFTP_ERROR.undefined],
]);

/** A transfer ends with a fault, though it was captured. */
export class LateFault extends Error {
  override name = "LateFault";

  constructor(readonly fault: Fault) {
    super(fault.outcome);
  }
}

/** Returns the packet of a fault; nothing if it drops the request. */
export function packetOf({ outcome }: Fault): Packet | undefined {
  const own = FAULTS.outcomes.find(({ id }) => id === outcome);
  return own && errorPacket(own.status, own.text);
}
