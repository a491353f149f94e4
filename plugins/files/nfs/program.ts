import type { Credential } from "./codec/rpc.ts";
import type { XdrReader, XdrWriter } from "./codec/xdr.ts";

/** A call of one procedure, with what is known of the caller. */
export interface ProcedureCall {
  readonly credential: Credential;
  /** To be read before anything is waited for: what comes next takes the place of the bytes. */
  readonly args: XdrReader;
  /** Results go here. */
  readonly out: XdrWriter;
}

/** One procedure of a program. */
export interface ProgramProcedure {
  /** A repeated call gets the first answer, and is not carried out again. */
  readonly once?: boolean;
  /** Throws, or rejects with, `WireError` for arguments that cannot be read. */
  run(call: ProcedureCall): void | Promise<void>;
}

/** A program of ONC RPC: procedures by number, of the version that there is. */
export interface Program {
  readonly version: number;
  readonly procedures: ReadonlyMap<number, ProgramProcedure>;
  /** Procedures that are the same in every earlier version. */
  readonly everywhere?: ReadonlySet<number>;
}

/** Does nothing (every program has it, RFC 5531 section 12.1). */
export const NULL_PROCEDURE: ProgramProcedure = { run: () => {} };
