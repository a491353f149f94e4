import { reasonOf } from "../../../core/errors.ts";
import type { RejectedNote } from "../../../core/plugin.ts";
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
import type { Writer } from "./pending_upload.ts";

/** Who calls. */
export interface Caller extends Owner {
  readonly writer: Writer;
  /** Notes what was refused. */
  refuse(note: RejectedNote): void;
  /** Reports a fault of ours. */
  fault(error: unknown): void;
  now(): Date;
}

/** What a refusal carries behind its status (the `resfail` of RFC 1813). */
export type RefusalShape = "nothing" | "attributes" | "wcc" | "two wcc" | "attributes and wcc";

/** One procedure of NFS. */
export interface Procedure {
  readonly name: string;
  readonly refusal: RefusalShape;
  /** Done twice, it would not come to the same: a repeated call gets the first answer. */
  readonly once?: true;
  /** Changes something: refusals are noted, unless they only say what is there and what is not. */
  readonly changes?: true;
  /** Reads arguments, does what they ask for, and writes the status and the result. */
  run(operation: Operation, args: XdrReader, out: XdrWriter): void | Promise<void>;
}

interface Watched {
  readonly node: Node;
  readonly before: AttributesBefore | undefined;
}

/** Refusals by which clients find out what is there. */
const ORDINARY: ReadonlySet<StatusName> = new Set<StatusName>([
  "NOENT",
  "EXIST",
  "NOTDIR",
  "ISDIR",
  "NOTEMPTY",
  "STALE",
  "NOT_SYNC",
]);

/** One call of a procedure of NFS, and the objects whose attributes its answer carries. */
export class Operation {
  readonly volume: Volume;
  readonly caller: Caller;
  readonly procedure: Procedure;
  readonly #watched: Watched[] = [];

  constructor(procedure: Procedure, options: { volume: Volume; caller: Caller }) {
    this.procedure = procedure;
    this.volume = options.volume;
    this.caller = options.caller;
  }

  /** Who writes, and by which procedure. */
  get by(): Writer & { readonly procedure: string } {
    return { ...this.caller.writer, procedure: this.procedure.name };
  }

  get nowMs(): number {
    return this.caller.now().getTime();
  }

  /** Reads a handle and finds what it leads to; the answer, a refusal too, carries its attributes. */
  node(args: XdrReader): Node {
    return this.watch(this.volume.node(args.opaque(MAX_HANDLE_BYTES)));
  }

  /** Remembers an object, and how it is before the change. */
  watch(node: Node): Node {
    const before = this.procedure.changes && this.volume.attributes(node, this.caller);
    this.#watched.push({ node, before });
    return node;
  }

  writeAttributes(out: XdrWriter, node: Node | undefined): void {
    writePostOp(out, node && this.volume.attributes(node, this.caller));
  }

  /** wcc_data of the object that was watched first, or second. */
  writeWcc(out: XdrWriter, index: 0 | 1 = 0): void {
    const watched = this.#watched[index];
    if (watched === undefined) return writeWcc(out, { after: undefined });
    const { node, before } = watched;
    writeWcc(out, { before, after: this.volume.attributes(node, this.caller) });
  }

  /** Writes the answer. Throws `WireError` for arguments that cannot be read. */
  answer(args: XdrReader, out: XdrWriter): void | Promise<void> {
    const start = out.length;
    try {
      const running = this.procedure.run(this, args, out);
      return running?.catch((error: unknown) => this.#refuse(error, out, start));
    } catch (error) {
      this.#refuse(error, out, start);
    }
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
