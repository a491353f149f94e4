/** NFS version 3 (RFC 1813), all 22 procedures. */
import type { Actor } from "../record.ts";
import type { RejectedNote } from "../../../core/plugin.ts";
import type { Credential } from "./codec/rpc.ts";
import { ATTRIBUTE_PROCEDURES } from "./attribute_procedures.ts";
import { FILE_PROCEDURES } from "./file_procedures.ts";
import { INFO_PROCEDURES } from "./info_procedures.ts";
import { LIST_PROCEDURES } from "./list_procedures.ts";
import { NAME_PROCEDURES } from "./name_procedures.ts";
import { type Caller, Operation, type Procedure } from "./operation.ts";
import { NULL_PROCEDURE, type Program, type ProgramProcedure } from "./program.ts";
import type { Volume } from "./volume.ts";

/** Program number of NFS. */
export const NFS_PROGRAM = 100_003;

/** What a connection asks of its owner. */
export interface NfsHandler {
  readonly volume: Volume;
  /** Host of the client. */
  readonly host: string;
  actor(credential: Credential): Actor;
  /** Notes what was refused. */
  refuse(note: RejectedNote): void;
  /** Reports a fault of ours. */
  fault(error: unknown): void;
  now(): Date;
}

const PROCEDURES: Readonly<Record<number, Procedure>> = {
  ...ATTRIBUTE_PROCEDURES,
  ...FILE_PROCEDURES,
  ...NAME_PROCEDURES,
  ...LIST_PROCEDURES,
  ...INFO_PROCEDURES,
};

/** The program, for one connection. */
export function createNfs(handler: NfsHandler): Program {
  const { volume } = handler;
  const callerOf = rememberCallers(handler);
  const procedures = new Map<number, ProgramProcedure>([[0, NULL_PROCEDURE]]);
  for (const [number, procedure] of Object.entries(PROCEDURES)) {
    procedures.set(Number(number), {
      once: procedure.once ?? false,
      run: ({ credential, args, out }) =>
        new Operation(procedure, { volume, caller: callerOf(credential) }).answer(args, out),
    });
  }
  return { version: 3, procedures };
}

/** Names a machine, whichever of its connections a call comes by. */
export function clientOf(host: string, credential: Credential): string {
  return credential.flavor === "unix" ? `${host} ${credential.machine}` : host;
}

/** Most calls of a connection are by the same user as the one before. */
function rememberCallers(handler: NfsHandler): (credential: Credential) => Caller {
  let last: { readonly credential: Credential; readonly caller: Caller } | undefined;
  return (credential) => {
    if (last?.credential !== credential) {
      const client = clientOf(handler.host, credential);
      const { uid, gid } = credential.flavor === "unix" ? credential : { uid: 0, gid: 0 };
      const caller: Caller = {
        ...{ uid, gid },
        writer: { client, actor: handler.actor(credential) },
        refuse: (note) => handler.refuse(note),
        fault: (error) => handler.fault(error),
        now: () => handler.now(),
      };
      last = { credential, caller };
    }
    return last.caller;
  };
}
