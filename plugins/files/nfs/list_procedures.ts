/** Directories, page by page: READDIR and READDIRPLUS (RFC 1813 sections 3.3.16 and 3.3.17). */
import { MAX_HANDLE_BYTES, STATUS, VERIFIER_BYTES } from "./codec/nfs3.ts";
import type { XdrReader, XdrWriter } from "./codec/xdr.ts";
import { NfsError } from "./errors.ts";
import { MAX_TRANSFER_BYTES } from "./limits.ts";
import type { Operation, Procedure } from "./operation.ts";
import type { Entry } from "./volume.ts";

/** The cookie of an entry never changes, so no page depends on an earlier one. */
const VERIFIER = new Uint8Array(VERIFIER_BYTES);
/** status, attributes of the directory, verifier, no more entries, eof */
const FRAME_BYTES = 4 + 4 + 84 + VERIFIER_BYTES + 4 + 4;
/** one more entry, fileid, length of the name, cookie */
const ENTRY_BYTES = 4 + 8 + 4 + 8;
/** attributes and handle of an entry, both with the word that marks them as present */
const PLUS_BYTES = 4 + 84 + 4 + 4 + 20;

const encoder = new TextEncoder();

interface Page {
  readonly cookie: number;
  /** Limit of names, ids and cookies. */
  readonly listBytes: number;
  /** Limit of the whole response. */
  readonly allBytes: number;
  readonly plus: boolean;
}

const READDIR: Procedure = {
  name: "READDIR",
  refusal: "attributes",
  run(operation, args, out) {
    list(operation, out, { handle: args.opaque(MAX_HANDLE_BYTES), page: readPage(args, false) });
  },
};

const READDIRPLUS: Procedure = {
  name: "READDIRPLUS",
  refusal: "attributes",
  run(operation, args, out) {
    list(operation, out, { handle: args.opaque(MAX_HANDLE_BYTES), page: readPage(args, true) });
  },
};

function readPage(args: XdrReader, plus: boolean): Page & { readonly verified: boolean } {
  const cookie = args.u64();
  const verified = args.fixed(VERIFIER_BYTES).every((byte, i) => byte === VERIFIER[i]);
  const listBytes = plus ? args.u32() : Infinity;
  const allBytes = Math.min(args.u32(), MAX_TRANSFER_BYTES);
  return { cookie, verified, listBytes, allBytes, plus };
}

function list(
  operation: Operation,
  out: XdrWriter,
  { handle, page }: { handle: Uint8Array; page: Page & { readonly verified: boolean } },
): void {
  const { volume } = operation;
  const dir = volume.dir(operation.watch(volume.node(handle)));
  if (page.cookie !== 0 && !page.verified) {
    throw new NfsError("BAD_COOKIE", "Cannot continue a listing: it was not begun here");
  }
  operation.writeAttributes(out.u32(STATUS.OK), dir);
  out.fixed(VERIFIER);
  const entries = volume.entries(dir, page.cookie);
  const written = writeEntries(operation, out, { entries, page });
  if (written === 0 && entries.length > 0) {
    throw new NfsError("TOOSMALL", "Cannot list a directory: not even one entry has room");
  }
  out.bool(false).bool(written === entries.length);
}

/** Writes as many entries as fit, and returns their number. */
function writeEntries(
  operation: Operation,
  out: XdrWriter,
  { entries, page }: { entries: readonly Entry[]; page: Page },
): number {
  let listBytes = 0;
  let allBytes = FRAME_BYTES;
  let written = 0;
  for (const entry of entries) {
    const name = encoder.encode(entry.name);
    const bytes = ENTRY_BYTES + Math.ceil(name.length / 4) * 4;
    listBytes += bytes;
    allBytes += page.plus ? bytes + PLUS_BYTES : bytes;
    if (listBytes > page.listBytes || allBytes > page.allBytes) break;
    out.bool(true).u64(entry.node.id).opaque(name).u64(entry.cookie);
    if (page.plus) {
      operation.writeAttributes(out, entry.node);
      out.bool(true).opaque(operation.volume.handleOf(entry.node));
    }
    written++;
  }
  return written;
}

/** By number. */
export const LIST_PROCEDURES: Readonly<Record<number, Procedure>> = {
  16: READDIR,
  17: READDIRPLUS,
};
