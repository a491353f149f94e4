import type { Credential } from "./codec/rpc.ts";
import type { XdrReader, XdrWriter } from "./codec/xdr.ts";

/** A call of one procedure, with its caller. */
export interface ProcedureCall {
  readonly credential: Credential;
  /** Must be read before the first await: the next call overwrites the bytes. */
  readonly args: XdrReader;
  /** Results go here. */
  readonly out: XdrWriter;
  /**
   * Takes the memory of this many bytes of results that are read first. Nothing to wait for if there is enough; else it
   * waits, and rejects with `MemoryFullError` if there is none in time.
   */
  hold(bytes: number): Promise<void> | undefined;
}

/** One procedure of a program. */
export interface ProgramProcedure {
  /** A repeated call gets the first reply, and is not carried out again. */
  readonly once?: boolean;
  /** Throws, or rejects with, `WireError` for unreadable arguments. */
  run(call: ProcedureCall): void | Promise<void>;
}

/** An ONC RPC program of one version: its procedures by number. */
export interface Program {
  readonly version: number;
  readonly procedures: ReadonlyMap<number, ProgramProcedure>;
  /** Procedures that are the same in every earlier version. */
  readonly everywhere?: ReadonlySet<number>;
}

/** Does nothing (every program has it, RFC 5531 section 12.1). */
export const NULL_PROCEDURE: ProgramProcedure = { run: () => {} };
