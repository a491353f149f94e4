/** NFS version 3 (RFC 1813), all 22 procedures. */
import { WireError } from "../../../core/bytes/decoder.ts";
import type { Fault, RejectedNote } from "../../../core/plugin.ts";
import { type FileAsk, type FilePhase, marked } from "../faults.ts";
import type { Actor } from "../record.ts";
import { pathOf } from "../vfs/node.ts";
import { MAX_HANDLE_BYTES } from "./codec/nfs3.ts";
import type { Credential } from "./codec/rpc.ts";
import { XdrReader } from "./codec/xdr.ts";
import { NfsError } from "./errors.ts";
import { FAULTS } from "./faults.ts";
import { ATTRIBUTE_PROCEDURES } from "./attribute_procedures.ts";
import { FILE_PROCEDURES } from "./file_procedures.ts";
import { INFO_PROCEDURES } from "./info_procedures.ts";
import { LIST_PROCEDURES } from "./list_procedures.ts";
import { NAME_PROCEDURES } from "./name_procedures.ts";
import { type Caller, Operation, type Procedure } from "./operation.ts";
import {
  NULL_PROCEDURE,
  type ProcedureCall,
  type Program,
  type ProgramProcedure,
} from "./program.ts";
import type { Volume } from "./volume.ts";

/** Program number of NFS. */
export const NFS_PROGRAM = 100_003;

/** Environment of a connection. */
export interface NfsHandler {
  readonly volume: Volume;
  /** Host of the client. */
  readonly host: string;
  actor(credential: Credential): Actor;
  /** Records a refusal. */
  refuse(note: RejectedNote): void;
  /** Reports an internal error. */
  fault(error: unknown): void;
  /** Returns the fault of a rule, if one applies. */
  ask(phase: FilePhase, about: () => FileAsk): Promise<Fault | undefined> | undefined;
  /** Applies a network fault to the connection; for `hang`, resolves once the client is gone. */
  disturb(fault: Fault): Promise<void> | undefined;
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
      run(call) {
        const caller = callerOf(call.credential);
        const asked = handler.ask(
          procedure.changes ? "capture" : "read",
          () => aboutOf(procedure, call, volume),
        );
        if (asked !== undefined) {
          // The next call overwrites the arguments.
          const args = new XdrReader(call.args.rest.slice());
          return answerAsked(procedure, { ...call, handler, caller, args, asked });
        }
        const { args, out, hold } = call;
        return new Operation(procedure, { volume, caller, hold }).answer(args, out);
      },
    });
  }
  return { version: 3, procedures };
}

/** Carries out a call under a fault. */
async function answerAsked(
  procedure: Procedure,
  { handler, caller, args, out, hold, asked }: Omit<ProcedureCall, "credential"> & {
    handler: NfsHandler;
    caller: Caller;
    asked: Promise<Fault | undefined>;
  },
): Promise<void> {
  const fault = await asked;
  const { volume } = handler;
  const { writer } = caller;
  const operation = new Operation(procedure, {
    volume,
    hold,
    caller: fault === undefined
      ? caller
      : { ...caller, writer: { ...writer, actor: marked(writer.actor, fault) } },
  });
  const status = FAULTS.outcomes.find(({ id }) => id === fault?.outcome)?.status;
  const isLate = fault === undefined || fault.after || fault.captures === true;
  if (fault?.captures === true) handler.disturb(fault);
  if (!isLate) {
    if (status === undefined) await handler.disturb(fault);
    return operation.refuse(status ?? "IO", out);
  }
  const start = out.length;
  await operation.answer(args, out);
  if (fault === undefined || fault.captures === true) return;
  if (status === undefined) return await handler.disturb(fault);
  out.cut(start);
  operation.refuse(status, out);
}

/** Calls whose arguments begin with a directory and a name. */
const NAMED = /^(LOOKUP|CREATE|MKDIR|SYMLINK|MKNOD|REMOVE|RMDIR|RENAME)$/;

function aboutOf(
  { name: operation }: Procedure,
  { args, credential }: ProcedureCall,
  volume: Volume,
): FileAsk {
  const user = credential.flavor === "unix" ? credential.machine : undefined;
  try {
    const head = new XdrReader(args.rest);
    const at = pathOf(volume.node(head.opaque(MAX_HANDLE_BYTES)));
    if (!NAMED.test(operation)) return { operation, path: at, user };
    const name = new TextDecoder().decode(head.opaque(MAX_NAME_BYTES));
    return { operation, path: at === "/" ? `/${name}` : `${at}/${name}`, user };
  } catch (error) {
    if (error instanceof WireError || error instanceof NfsError) return { operation, user };
    throw error;
  }
}

/** Longest name parsed for a rule; RFC 1813 leaves it to the server. */
const MAX_NAME_BYTES = 4096;

/** Identifies a machine, whichever of its connections a call uses. */
export function clientOf(host: string, credential: Credential): string {
  return credential.flavor === "unix" ? `${host} ${credential.machine}` : host;
}

/** Most calls of a connection are by the same user as the previous one. */
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
