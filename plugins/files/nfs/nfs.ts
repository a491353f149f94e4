/** NFS version 3 (RFC 1813), all 22 procedures. */
import { WireError } from "../../../core/bytes/decoder.ts";
import type { Fault, RejectedNote } from "../../../core/plugin.ts";
import { type FileAsk, type FilePhase, marked } from "../faults.ts";
import type { Actor } from "../record.ts";
import { pathOf } from "../vfs/node.ts";
import { MAX_HANDLE_BYTES } from "./codec/nfs3.ts";
import type { Credential } from "./codec/rpc.ts";
import { XdrReader, type XdrWriter } from "./codec/xdr.ts";
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
  /** The fault that a rule wants, if any. */
  ask(phase: FilePhase, about: () => FileAsk): Promise<Fault | undefined> | undefined;
  /** Does to the connection what a fault of networks says. */
  disturb(fault: Fault): void;
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
          // What comes next takes the place of the arguments.
          const args = new XdrReader(call.args.rest.slice());
          return answerAsked(procedure, { handler, caller, args, out: call.out, asked });
        }
        return new Operation(procedure, { volume, caller }).answer(call.args, call.out);
      },
    });
  }
  return { version: 3, procedures };
}

/** Carries a call out as a fault wants it. */
async function answerAsked(
  procedure: Procedure,
  { handler, caller, args, out, asked }: {
    handler: NfsHandler;
    caller: Caller;
    args: XdrReader;
    out: XdrWriter;
    asked: Promise<Fault | undefined>;
  },
): Promise<void> {
  const fault = await asked;
  const { volume } = handler;
  const { writer } = caller;
  const operation = new Operation(procedure, {
    volume,
    caller: fault === undefined
      ? caller
      : { ...caller, writer: { ...writer, actor: marked(writer.actor, fault) } },
  });
  const status = FAULTS.outcomes.find(({ id }) => id === fault?.outcome)?.status;
  if (fault !== undefined && status === undefined) handler.disturb(fault);
  if (fault !== undefined && !fault.after && fault.captures !== true) {
    return operation.refuse(status ?? "IO", out);
  }
  const start = out.length;
  await operation.answer(args, out);
  if (status === undefined) return;
  out.cut(start);
  operation.refuse(status, out);
}

/** Calls whose handle is that of a directory, with a name behind it. */
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

/** Longest name that is read for a rule; RFC 1813 leaves it to the server. */
const MAX_NAME_BYTES = 4096;

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
