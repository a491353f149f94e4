/** Faults of an SFTP server: statuses of version 3. */
import type { Fault } from "../../../core/plugin.ts";
import { type FileAsk, type FilePhase, statusFaults } from "../faults.ts";
import { resolvePath } from "../vfs/path.ts";
import { VfsError } from "../vfs/errors.ts";
import { OPEN_FLAG, type Request, STATUS } from "./codec/packet.ts";
import { StatusError } from "./errors.ts";
import type { Handles } from "./handles.ts";

/** Outcomes of a request. */
export const FAULTS = statusFaults({
  changes: "OPEN for writing, WRITE, CLOSE of a written file, SETSTAT, REMOVE, RENAME and others",
  asks: "OPEN for reading, READ, STAT, OPENDIR, READDIR and others",
  source: "https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02#section-7",
}, [
  ["no_space", "No space left on device", STATUS.failure, ["capture"]],
  ["permission", "Permission denied", STATUS.permissionDenied],
  ["io_error", "Input/output error", STATUS.failure],
]);

const CHANGES: ReadonlySet<Request["type"]> = new Set(
  ["WRITE", "SETSTAT", "FSETSTAT", "REMOVE", "RMDIR", "MKDIR", "RENAME"] as const,
);

/** Returns the phase of a request; `undefined` for one without faults. */
export function phaseOf(request: Request, handles: Handles): FilePhase | undefined {
  if (request.type === "INIT") return undefined;
  if (request.type === "OPEN") return request.flags & OPEN_FLAG.write ? "capture" : "read";
  if (request.type === "CLOSE") {
    return handles.get(request.handle)?.kind === "write" ? "capture" : undefined;
  }
  return CHANGES.has(request.type) ? "capture" : "read";
}

/** The known parts of a request. */
export function aboutOf(request: Request, handles: Handles, user: string | undefined): FileAsk {
  const path = "path" in request
    ? decode(request.path)
    : "from" in request
    ? decode(request.from)
    : "handle" in request
    ? handles.get(request.handle)?.path
    : undefined;
  return { operation: request.type, path, user };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return resolvePath(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof VfsError) return undefined;
    throw error;
  }
}

/** The refusal of a fault, which is recorded already. */
export class FaultError extends StatusError {
  override name = "FaultError";
}

/** Returns the refusal of a fault; `undefined` for network faults. */
export function errorOf({ outcome }: Fault): FaultError | undefined {
  const own = FAULTS.outcomes.find(({ id }) => id === outcome);
  return own && new FaultError(own.status, own.text);
}
