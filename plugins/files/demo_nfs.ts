/** One upload over NFS version 3 and TCP (RFC 1813, RFC 5531), with the part of a client that it needs. */
import { WireError } from "../../core/bytes/decoder.ts";
import type { Transport } from "../../core/net/transport.ts";
import type { DemoTarget } from "../../core/plugin.ts";
import { CREATE_MODE, MAX_HANDLE_BYTES, STABLE, STATUS, VERIFIER_BYTES } from "./nfs/codec/nfs3.ts";
import { markOf, RecordDecoder } from "./nfs/codec/record.ts";
import { XdrReader, XdrWriter } from "./nfs/codec/xdr.ts";

const MOUNT = 100_005;
const NFS = 100_003;
const VERSION = 3;
const MNT = 1;
const [LOOKUP, WRITE, CREATE, MKDIR, COMMIT] = [3, 7, 8, 9, 21] as const;
const WAIT_MS = 10_000;
const MAX_REPLY_BYTES = 65_536;
const MAX_AUTH_BYTES = 400;
const encoder = new TextEncoder();

/** Writes one file into a folder at the root, which is created if necessary. */
export async function uploadByNfs(
  { at, net }: DemoTarget,
  { folder, name, bytes }: { folder: string; name: string; bytes: Uint8Array },
): Promise<void> {
  await using client = new NfsClient(await net.connectTcp({ ...at, idleMs: WAIT_MS }));
  const mounted = await client.call(MOUNT, MNT, new XdrWriter().opaque(encoder.encode("/")));
  const root = handleIn(mounted.ok());
  const made = await client.call(NFS, MKDIR, nothingSet(place(root, folder)));
  // It may exist from an earlier run.
  const dir = made.status === STATUS.EXIST
    ? handleIn((await client.call(NFS, LOOKUP, place(root, folder))).ok())
    : optionalHandleIn(made.ok());
  const args = nothingSet(place(dir, name).u32(CREATE_MODE.UNCHECKED));
  const file = optionalHandleIn((await client.call(NFS, CREATE, args)).ok());
  const writing = new XdrWriter(bytes.length + VERIFIER_BYTES).opaque(file).u64(0);
  writing.u32(bytes.length).u32(STABLE.UNSTABLE).opaque(bytes);
  (await client.call(NFS, WRITE, writing)).ok();
  (await client.call(NFS, COMMIT, new XdrWriter().opaque(file).u64(0).u32(0))).ok();
}

/** diropargs3 */
function place(dir: Uint8Array, name: string): XdrWriter {
  return new XdrWriter().opaque(dir).opaque(encoder.encode(name));
}

/** sattr3 that leaves mode, owner, group, size and both times to the server. */
function nothingSet(args: XdrWriter): XdrWriter {
  return args.bool(false).bool(false).bool(false).bool(false).u32(0).u32(0);
}

function handleIn(results: XdrReader): Uint8Array {
  return results.opaque(MAX_HANDLE_BYTES).slice();
}

/** post_op_fh3 */
function optionalHandleIn(results: XdrReader): Uint8Array {
  if (results.bool()) return handleIn(results);
  throw new WireError("syntax", "it created an object without returning its handle");
}

/** Returns the results of a call, after the status. */
interface Results {
  readonly status: number;
  /** Throws for any status but OK. */
  ok(): XdrReader;
}

class NfsClient implements AsyncDisposable {
  readonly #wire: Transport;
  readonly #decoder = new RecordDecoder({ maxBytes: MAX_REPLY_BYTES });
  #xid = 0;

  constructor(wire: Transport) {
    this.#wire = wire;
  }

  /** With AUTH_NONE: the caller owns everything. */
  async call(program: number, procedure: number, args: XdrWriter): Promise<Results> {
    const body = args.take();
    const head = new XdrWriter().u32(++this.#xid).u32(0).u32(2).u32(program).u32(VERSION);
    head.u32(procedure).u32(0).u32(0).u32(0).u32(0);
    const mark = new XdrWriter().u32(markOf(head.length + body.length));
    for (const part of [mark.take(), head.take(), body]) await this.#wire.write(part);
    return resultsOf(await this.#record(), `procedure ${procedure} of program ${program}`);
  }

  async #record(): Promise<Uint8Array> {
    for (;;) {
      const chunk = await this.#wire.read({ idleMs: WAIT_MS });
      if (chunk === undefined) throw new WireError("truncated", "it closed without a reply");
      // One call at a time: the first record is its reply.
      for (const record of this.#decoder.push(chunk)) return record.slice();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
  }
}

/** Reads the head of an accepted reply: xid 1 0 verf 0. */
function resultsOf(record: Uint8Array, what: string): Results {
  const reader = new XdrReader(record);
  reader.u32();
  reader.u32();
  const denied = reader.u32();
  if (denied === 0) {
    reader.u32();
    reader.opaque(MAX_AUTH_BYTES);
  }
  const fault = reader.u32();
  if (denied !== 0 || fault !== 0) {
    throw new WireError("syntax", `it refused ${what}: ${denied} ${fault}`);
  }
  const status = reader.u32();
  return {
    status,
    ok() {
      if (status === STATUS.OK) return reader;
      const name = Object.entries(STATUS).find(([, value]) => value === status)?.[0] ?? status;
      throw new WireError("syntax", `it answered ${name} to ${what}`);
    },
  };
}
