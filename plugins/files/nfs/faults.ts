/** Faults of an NFS server: statuses of RFC 1813. */
import type { ProviderFaults } from "../../../core/plugin.ts";
import { statusFaults, type StatusOutcome } from "../faults.ts";
import type { StatusName } from "./codec/nfs3.ts";

/** Outcomes of a call. */
export const FAULTS: ProviderFaults<StatusOutcome<StatusName>> = {
  ...statusFaults<StatusName>({
    changes: "WRITE, CREATE, SETATTR, MKDIR, REMOVE, RMDIR, RENAME and other changes",
    asks: "READ, LOOKUP, GETATTR, ACCESS, READDIR and other calls",
    source: "https://www.rfc-editor.org/rfc/rfc1813#section-2.6",
  }, [
    ["no_space", "no space left on the device", "NOSPC", ["capture"]],
    ["permission", "permission denied", "ACCES"],
    ["io_error", "a hard input or output error", "IO"],
    ["stale", "the file of the handle was deleted", "STALE"],
    ["jukebox", "to be tried again later", "JUKEBOX"],
    ["read_only", "the file system is read-only", "ROFS", ["capture"]],
  ]),
};
