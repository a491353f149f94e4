import { reasonOf } from "../../../core/errors.ts";
import type { RejectedNote } from "../../../core/plugin.ts";
import { refuseBusy } from "../vfs/errors.ts";
import type { Node } from "../vfs/node.ts";
import {
  type AttributesBefore,
  MAX_HANDLE_BYTES,
  STATUS,
  type StatusName,
  writePostOp,
  writeWcc,
} from "./codec/nfs3.ts";
import type { XdrReader, XdrWriter } from "./codec/xdr.ts";
import { statusOf } from "./errors.ts";
import type { Owner, Volume } from "./volume.ts";
import type { ProcedureCall } from "./program.ts";
import type { Writer, WriterCall } from "./pending_upload.ts";

/** The caller. */
export interface Caller extends Owner {
  readonly writer: Writer;
  /** Records a refusal. */
  refuse(note: RejectedNote): void;
  /** Reports an internal error. */
  fault(error: unknown): void;
  now(): Date;
}

/** Kind of data after the status of a refusal (the `resfail` of RFC 1813). */
export type RefusalShape = "nothing" | "attributes" | "wcc" | "two wcc" | "attributes and wcc";

/** One procedure of NFS. */
export interface Procedure {
  readonly name: string;
  readonly refusal: RefusalShape;
  /** Not idempotent: a repeated call gets the first reply. */
  readonly once?: true;
  /** Changes something: its refusals are recorded, unless they only reveal what exists. */
  readonly changes?: true;
  /** Reads the arguments, carries out the call, and writes the status and the result. */
  run(operation: Operation, args: XdrReader, out: XdrWriter): void | Promise<void>;
}

interface Watched {
  readonly node: Node;
  readonly before: AttributesBefore | undefined;
}

/** Refusals with which clients find out what exists. */
const ORDINARY: ReadonlySet<StatusName> = new Set<StatusName>([
  "NOENT",
  "EXIST",
  "NOTDIR",
  "ISDIR",
  "NOTEMPTY",
  "STALE",
  "NOT_SYNC",
]);

/** One NFS call, and the objects whose attributes its reply includes. */
export class Operation {
  readonly volume: Volume;
  readonly caller: Caller;
  readonly procedure: Procedure;
  readonly #hold: ProcedureCall["hold"];
  readonly #watched: Watched[] = [];

  constructor(
    procedure: Procedure,
    options: { volume: Volume; caller: Caller; hold: ProcedureCall["hold"] },
  ) {
    this.procedure = procedure;
    this.#hold = options.hold;
    this.volume = options.volume;
    this.caller = options.caller;
  }

  /** Author of changes, and the procedure. */
  get by(): WriterCall {
    return { ...this.caller.writer, procedure: this.procedure.name };
  }

  get nowMs(): number {
    return this.caller.now().getTime();
  }

  /** Takes the memory of bytes that are read for the reply; rejects with `VfsError` "busy". */
  hold(bytes: number): Promise<void> | undefined {
    return this.#hold(bytes)?.catch(refuseBusy);
  }

  /** Reads a handle and finds its object; the reply, or a refusal, includes its attributes. */
  node(args: XdrReader): Node {
    return this.watch(this.volume.node(args.opaque(MAX_HANDLE_BYTES)));
  }

  /** Saves the attributes of an object before a change. */
  watch(node: Node): Node {
    const before = this.procedure.changes && this.volume.attributes(node, this.caller);
    this.#watched.push({ node, before });
    return node;
  }

  writeAttributes(out: XdrWriter, node: Node | undefined): void {
    writePostOp(out, node && this.volume.attributes(node, this.caller));
  }

  /** wcc_data of the first or second saved object. */
  writeWcc(out: XdrWriter, index: 0 | 1 = 0): void {
    const watched = this.#watched[index];
    if (watched === undefined) return writeWcc(out, { after: undefined });
    const { node, before } = watched;
    writeWcc(out, { before, after: this.volume.attributes(node, this.caller) });
  }

  /** Writes the reply. Throws `WireError` for unreadable arguments. */
  answer(args: XdrReader, out: XdrWriter): void | Promise<void> {
    const start = out.length;
    try {
      const running = this.#run(args, out);
      return running?.catch((error: unknown) => this.#refuse(error, out, start));
    } catch (error) {
      this.#refuse(error, out, start);
    }
  }

  /** WRITE and COMMIT wait for their own bytes; others for the change, where its client must not be answered before. */
  #run(args: XdrReader, out: XdrWriter): void | Promise<void> {
    const running = this.procedure.run(this, args, out);
    if (this.procedure.once !== true) return running;
    const { vfs } = this.volume;
    return running === undefined ? vfs.acknowledged() : running.then(() => vfs.acknowledged());
  }

  #refuse(error: unknown, out: XdrWriter, start: number): void {
    const status = statusOf(error);
    const reason = reasonOf(error);
    if (status === "SERVERFAULT") this.caller.fault(error);
    if (this.procedure.changes && !ORDINARY.has(status)) {
      this.caller.refuse({ reason, method: this.procedure.name });
    }
    out.cut(start);
    this.refuse(status, out);
  }

  /** Writes a refusal. */
  refuse(status: StatusName, out: XdrWriter): void {
    out.u32(STATUS[status]);
    this.#writeRefusal(out);
  }

  #writeRefusal(out: XdrWriter): void {
    switch (this.procedure.refusal) {
      case "nothing":
        return;
      case "attributes":
        return this.writeAttributes(out, this.#watched[0]?.node);
      case "wcc":
        return this.writeWcc(out);
      case "two wcc":
        this.writeWcc(out);
        return this.writeWcc(out, 1);
      case "attributes and wcc":
        this.writeAttributes(out, this.#watched[0]?.node);
        return this.writeWcc(out, 1);
    }
  }
}
