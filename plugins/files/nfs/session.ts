import { WireError } from "../../../core/bytes/decoder.ts";
import type { RejectedNote } from "../../../core/plugin.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { RecordDecoder } from "./codec/record.ts";
import {
  beginReply,
  type Call,
  type Credential,
  decodeCall,
  encodeFault,
  endReply,
} from "./codec/rpc.ts";
import type { Duplicates } from "./duplicates.ts";
import { MAX_RECORD_BYTES } from "./limits.ts";
import { Outbox } from "./outbox.ts";
import type { Program, ProgramProcedure } from "./program.ts";

/** What a conversation is held with. */
export interface RpcOptions {
  readonly programs: ReadonlyMap<number, Program>;
  readonly duplicates: Duplicates;
  /** Host of the client. */
  readonly host: string;
  /** Longest wait for a call. */
  readonly idleMs: number;
  /** Ends a conversation that waits for a call. */
  readonly signal: AbortSignal;
  /** Told of each call, before it is carried out. */
  called(credential: Credential): void;
  /** Notes what was refused below the programs. */
  refuse(note: RejectedNote): void;
  /** Reports a fault of ours. */
  fault(error: unknown): void;
}

const MAX_NOTED_BYTES = 1024;

/**
 * Answers calls of ONC RPC (RFC 5531) on one connection until it ends. Calls are carried out as they come, several at a
 * time, and answered as they are done. What cannot be a call ends the connection, and is noted.
 */
export async function serveRpc(wire: Transport, options: RpcOptions): Promise<void> {
  const session = new Session(wire, options);
  const stop = (): void => void wire[Symbol.asyncDispose]();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    await session.run();
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
}

class Session {
  readonly #wire: Transport;
  readonly #options: RpcOptions;
  readonly #outbox: Outbox;
  #last:
    | { readonly xid: number; readonly procedure: number; readonly args: Uint8Array }
    | undefined;
  /** The client gives one xid to many calls, so that it does not tell which one is repeated. */
  #reusesXids = false;

  constructor(wire: Transport, options: RpcOptions) {
    this.#wire = wire;
    this.#options = options;
    this.#outbox = new Outbox(wire);
  }

  async run(): Promise<void> {
    const decoder = new RecordDecoder({ maxBytes: MAX_RECORD_BYTES });
    try {
      for (let chunk; (chunk = await this.#read()) !== undefined;) {
        for (const record of decoder.push(chunk)) {
          await this.#outbox.room();
          this.#take(record);
        }
      }
      decoder.end();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.refuse({ reason: error.message });
    }
    await this.#outbox.end();
  }

  #read(): Promise<Uint8Array | undefined> {
    return this.#wire.read({ idleMs: this.#options.idleMs });
  }

  /** Throws `WireError` for what is no call. */
  #take(record: Uint8Array): void {
    const received = decodeCall(record);
    if (received.type === "refused") {
      this.#options.refuse({
        reason: received.reason,
        raw: record.slice(0, MAX_NOTED_BYTES),
      });
      return this.#outbox.send(received.reply);
    }
    const { call } = received;
    this.#options.called(call.credential);
    const procedure = this.#find(call);
    if (procedure instanceof Uint8Array) return this.#outbox.send(procedure);
    this.#compare(call);
    if (!procedure.once || this.#reusesXids) return this.#answer(call, procedure);
    const { xid, program, procedure: number, credentialBody: credential } = call;
    const sent = { host: this.#options.host, credential, xid, program, procedure: number };
    this.#outbox.expect(
      this.#options.duplicates.answer(
        { ...sent, args: call.arguments.rest },
        () => Promise.resolve(this.#carryOut(call, procedure)),
      ),
    );
  }

  #compare({ xid, procedure, arguments: args }: Call): void {
    if (this.#reusesXids) return;
    if (this.#last?.xid !== xid) {
      this.#last = { xid, procedure, args: args.rest };
      return;
    }
    const { rest } = args;
    this.#reusesXids = this.#last.procedure !== procedure ||
      this.#last.args.length !== rest.length || this.#last.args.some((byte, i) => byte !== rest[i]);
  }

  #answer(call: Call, procedure: ProgramProcedure): void {
    const reply = this.#carryOut(call, procedure);
    if (reply instanceof Uint8Array) this.#outbox.send(reply);
    else this.#outbox.expect(reply);
  }

  /** The procedure that a call asks for, or the answer that there is none. */
  #find({ xid, program: number, version, procedure }: Call): ProgramProcedure | Uint8Array {
    const program = this.#options.programs.get(number);
    if (program === undefined) return encodeFault(xid, { type: "program unavailable" });
    const { version: known, everywhere } = program;
    const isEverywhere = version > 0 && version < known && everywhere?.has(procedure);
    if (version !== known && !isEverywhere) {
      return encodeFault(xid, { type: "program mismatch", low: known, high: known });
    }
    return program.procedures.get(procedure) ??
      encodeFault(xid, { type: "procedure unavailable" });
  }

  #carryOut(call: Call, procedure: ProgramProcedure): Uint8Array | Promise<Uint8Array> {
    const out = beginReply(call.xid);
    try {
      const { credential, arguments: args } = call;
      const running = procedure.run({ credential, args, out });
      if (running === undefined) return endReply(out);
      return running.then(() => endReply(out), (error) => this.#fault(call, error));
    } catch (error) {
      return this.#fault(call, error);
    }
  }

  #fault({ xid, program, procedure }: Call, error: unknown): Uint8Array {
    if (!(error instanceof WireError)) {
      this.#options.fault(error);
      return encodeFault(xid, { type: "system error" });
    }
    const method = `program ${program}, procedure ${procedure}`;
    this.#options.refuse({ reason: error.message, method });
    return encodeFault(xid, { type: "garbage arguments" });
  }
}
