import { WireError } from "../../../core/bytes/decoder.ts";
import { MemoryFullError } from "../../../core/errors.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { SMALL_WORK } from "../../../core/memory/size.ts";
import type { RejectedNote } from "../../../core/plugin.ts";
import { Pace } from "../../../core/net/pace.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { IdleError, type Transport } from "../../../core/net/transport.ts";
import { RecordDecoder } from "./codec/record.ts";
import {
  beginReply,
  type Call,
  type Credential,
  decodeCall,
  encodeFault,
  endReply,
  type Reply,
} from "./codec/rpc.ts";
import { XdrWriter } from "./codec/xdr.ts";
import type { Duplicates } from "./duplicates.ts";
import { MAX_RECORD_BYTES } from "./limits.ts";
import { COPIED_BYTES, Outbox } from "./outbox.ts";
import type { Program, ProgramProcedure } from "./program.ts";
import type { SpareRecords } from "./spare_records.ts";

/** Context of a conversation. */
export interface RpcOptions {
  readonly programs: ReadonlyMap<number, Program>;
  readonly duplicates: Duplicates;
  /** Host of the client. */
  readonly host: string;
  /** Counts large records, and replies that wait to be sent. */
  readonly memory: Memory;
  /** Shared by all connections. */
  readonly spare: SpareRecords;
  /** Maximum wait for a call. */
  readonly idleMs: number;
  /** Ends a conversation between two calls. */
  readonly signal: AbortSignal;
  /** Called for each call before it is carried out. */
  called(credential: Credential): void;
  /** Records a refusal below the programs. */
  refuse(note: RejectedNote): void;
  /** Reports an internal error. */
  fault(error: unknown): void;
}

/** A growing buffer briefly exists along with the smaller one that it replaces. */
const GROWTH = 1.5;
/** Buffers of small records are part of what a connection takes. */
const MAX_UNCOUNTED_BYTES = SMALL_WORK / 4;
/** Chunks share a buffer, which need not be large: the rest of a long record is read into the buffer of that record. */
const OWN_BUFFER = { reuse: true, maxReused: 64 * 1024 };
/** Time without calls after which the buffer of large records is given up, in milliseconds. */
const KEEP_MS = 1000;
/** Calls of one chunk between two looks at the clock; fewer take no time that others would notice. */
const MANY_CALLS = 32;
/** Maximum silence inside a record. */
const RECORD_MS = 60_000;
/** Long enough for the reply to CREATE. */
const REPLY_BYTES = 272;
const MAX_NOTED_BYTES = 1024;
const MAX_COMPARED_BYTES = 512;

/**
 * Answers ONC RPC calls (RFC 5531) on one connection until it ends. Carries out several calls at a time, and answers
 * each when it is done. A record that cannot be a call ends the connection, and is recorded.
 */
export async function serveRpc(wire: Transport, options: RpcOptions): Promise<void> {
  using session = new Session(wire, options);
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
  readonly #decoder = new RecordDecoder({ maxBytes: MAX_RECORD_BYTES });
  readonly #pace: Pace;
  readonly #records: MemoryLease;
  /** Held while a record is read without memory. */
  #spare: Disposable | undefined;
  /** Size of the buffer that the last chunk was read into. */
  #readBytes = 0;
  /** Holds replies that are ready at once: they are copied from here, one after the other. */
  #out = new XdrWriter();
  #last: Call | undefined;
  /** Its arguments. */
  readonly #compared = new Uint8Array(MAX_COMPARED_BYTES);
  #comparedBytes = 0;
  /** The client uses one xid for many calls, so it does not identify a repeated one. */
  #reusesXids = false;

  constructor(wire: Transport, options: RpcOptions) {
    this.#wire = wire;
    this.#options = options;
    this.#outbox = new Outbox(wire, options.memory);
    this.#records = options.memory.lease();
    const idleMs = Math.min(options.idleMs, RECORD_MS);
    this.#pace = new Pace({ idleMs, what: "a record" });
  }

  async run(): Promise<void> {
    const decoder = this.#decoder;
    let slice = new TimeSlice();
    try {
      for (let chunk; (chunk = await this.#read()) !== undefined;) {
        const covered = this.#cover(chunk);
        if (covered !== undefined) await covered;
        let calls = 0;
        for (const record of decoder.push(chunk)) {
          // A client that never stops sending calls would have the event loop for itself.
          if (++calls % MANY_CALLS === 0 && slice.over) {
            slice = new TimeSlice();
            await slice.yieldToEventLoop();
          }
          if (this.#outbox.full) {
            this.#outbox.flush();
            await this.#outbox.room();
          }
          this.#take(record);
          this.#pace.end();
        }
        if (!decoder.inside) this.#endSpare();
        this.#outbox.flush();
        if (calls < MANY_CALLS) slice = new TimeSlice();
      }
      decoder.end();
    } catch (error) {
      const isSlow = error instanceof IdleError && decoder.inside;
      // Without room for a record the client has to connect again, and repeats the call.
      const isKnown = error instanceof WireError || error instanceof MemoryFullError || isSlow;
      if (!isKnown) throw error;
      this.#options.refuse({ reason: error.message });
    }
    await this.#outbox.end();
  }

  /** Releases waiting replies, and the memory of records. */
  [Symbol.dispose](): void {
    this.#outbox[Symbol.dispose]();
    this.#decoder.release();
    this.#spare?.[Symbol.dispose]();
    this.#records[Symbol.dispose]();
  }

  /** Between records a client may be silent for long. */
  #read(): Promise<Uint8Array | undefined> {
    if (this.#decoder.isLong) return this.#readLong();
    if (this.#decoder.inside) {
      return this.#pace.next(({ idleMs }) => this.#wire.read({ idleMs, ...OWN_BUFFER }));
    }
    const reading = this.#wire.read({ idleMs: this.#options.idleMs, ...OWN_BUFFER });
    return this.#records.bytes === 0 ? reading : this.#releaseMeanwhile(reading);
  }

  /** Reads the next bytes of a long record into its buffer, which is counted before it exists. */
  async #readLong(): Promise<Uint8Array | undefined> {
    const covered = this.#reserve(this.#decoder.bytesWithRoom);
    if (covered !== undefined) await covered;
    const into = this.#decoder.room();
    return await this.#pace.next(({ idleMs }) => this.#wire.read({ idleMs, into, ...OWN_BUFFER }));
  }

  /** A client that sends nothing for a while needs no buffer. */
  async #releaseMeanwhile<T>(reading: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.#decoder.release();
      this.#keep(this.#readBytes);
    }, KEEP_MS);
    try {
      return await reading;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Counts the buffer that a chunk was read into, and that of the record it continues, unless it was read into that. */
  #cover(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#decoder.owns(chunk)) return undefined;
    this.#readBytes = chunk.buffer.byteLength;
    return this.#reserve(this.#decoder.bytesWith(chunk.length));
  }

  /**
   * Counts a buffer for a record of this size. Without memory, a few records at a time are read anyway, so that their
   * calls are refused with an NFS status; others wait.
   */
  #reserve(recordBytes: number): Promise<void> | undefined {
    const bytes = this.#readBytes + Math.ceil(GROWTH * recordBytes);
    if (bytes <= MAX_UNCOUNTED_BYTES) this.#keep(bytes);
    else if (this.#spare === undefined && !this.#takes(bytes)) {
      this.#spare = this.#options.spare.take();
      if (this.#spare === undefined) return this.#records.cover(bytes);
    }
    return undefined;
  }

  /** Reserves this many bytes in total, if there is room. */
  #takes(bytes: number): boolean {
    try {
      this.#records.take(Math.max(0, bytes - this.#records.bytes));
      return true;
    } catch (error) {
      if (error instanceof MemoryFullError) return false;
      throw error;
    }
  }

  /** Frees a record that was read without memory. */
  #endSpare(): void {
    if (this.#spare === undefined) return;
    this.#decoder.release();
    this.#spare[Symbol.dispose]();
    this.#spare = undefined;
  }

  /** Counts no more than this. */
  #keep(bytes: number): void {
    const spare = this.#records.bytes - (bytes > MAX_UNCOUNTED_BYTES ? bytes : 0);
    if (spare > 0) this.#records.give(spare);
  }

  /** Throws `WireError` for a record that is not a call. */
  #take(record: Uint8Array): void {
    const received = decodeCall(record, this.#last);
    if (received.type === "refused") {
      this.#options.refuse({
        reason: received.reason,
        raw: record.slice(0, MAX_NOTED_BYTES),
      });
      return this.#outbox.add(received.reply);
    }
    const { call } = received;
    if (call.credential !== this.#last?.credential) this.#options.called(call.credential);
    this.#compare(call);
    const procedure = this.#find(call);
    if (!("run" in procedure)) return this.#outbox.add(procedure);
    if (!procedure.once || this.#reusesXids) return this.#answer(call, procedure);
    const { xid, program, procedure: number, credentialBody: credential } = call;
    const sent = { host: this.#options.host, credential, xid, program, procedure: number };
    const reply = this.#options.duplicates.answer(
      { ...sent, args: call.arguments.rest },
      // The reply is kept, so no other may overwrite it.
      () => this.#carryOut(call, { procedure, out: new XdrWriter(REPLY_BYTES) }),
    );
    if (reply instanceof Promise) this.#outbox.expect(reply);
    else this.#outbox.add(reply);
  }

  /** Keeps a call until the next one, and notices if two different ones have the same xid. */
  #compare(call: Call): void {
    const last = this.#last;
    this.#last = call;
    const { rest } = call.arguments;
    const length = Math.min(rest.length, MAX_COMPARED_BYTES);
    let differs = last?.procedure !== call.procedure || length !== this.#comparedBytes;
    // Copied, because the next record overwrites them; most are short, so byte by byte.
    for (let i = 0; i < length; i++) {
      if (this.#compared[i] === rest[i]) continue;
      differs = true;
      this.#compared[i] = rest[i]!;
    }
    this.#comparedBytes = length;
    if (differs && last?.xid === call.xid) this.#reusesXids = true;
  }

  #answer(call: Call, procedure: ProgramProcedure): void {
    const out = this.#out;
    const reply = this.#carryOut(call, { procedure, out });
    const isReady = !(reply instanceof Promise);
    if (!isReady || out.length > COPIED_BYTES) this.#out = new XdrWriter();
    if (isReady) this.#outbox.add(reply, out.takeLoan());
    else this.#outbox.expect(reply, () => out.takeLoan());
  }

  /** Returns the procedure of a call, or the reply that there is none. */
  #find({ xid, program: number, version, procedure }: Call): ProgramProcedure | Reply {
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

  #carryOut(
    call: Call,
    { procedure, out }: { procedure: ProgramProcedure; out: XdrWriter },
  ): Reply | Promise<Reply> {
    beginReply(call.xid, out);
    let held = 0;
    const hold = (bytes: number): Promise<void> | undefined => {
      held += bytes;
      return this.#outbox.hold(bytes);
    };
    try {
      const { credential, arguments: args } = call;
      const running = procedure.run({ credential, args, out, hold });
      if (running === undefined) return endReply(out);
      return running.then(() => endReply(out), (error) => this.#fault(call, error)).finally(() =>
        this.#outbox.arrived(held)
      );
    } catch (error) {
      return this.#fault(call, error);
    }
  }

  #fault({ xid, program, procedure }: Call, error: unknown): Reply {
    if (!(error instanceof WireError)) {
      this.#options.fault(error);
      return encodeFault(xid, { type: "system error" });
    }
    const method = `program ${program}, procedure ${procedure}`;
    this.#options.refuse({ reason: error.message, method });
    return encodeFault(xid, { type: "garbage arguments" });
  }
}
