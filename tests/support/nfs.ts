import { assertEquals, assertRejects } from "@std/assert";
import { type Attributes, STATUS } from "../../plugins/files/nfs/codec/nfs3.ts";
import { XdrReader, XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { operations, until } from "./files.ts";
import type { TestService } from "./service.ts";

/** Program numbers. */
export const [MOUNT, NFS] = [100_005, 100_003] as const;
/** Procedures of NFS by name. */
export const PROC = {
  ...{ NULL: 0, GETATTR: 1, SETATTR: 2, LOOKUP: 3, ACCESS: 4, READLINK: 5, READ: 6, WRITE: 7 },
  ...{ CREATE: 8, MKDIR: 9, SYMLINK: 10, MKNOD: 11, REMOVE: 12, RMDIR: 13, RENAME: 14, LINK: 15 },
  ...{ READDIR: 16, READDIRPLUS: 17, FSSTAT: 18, FSINFO: 19, PATHCONF: 20, COMMIT: 21 },
} as const;
/** stable_how */
export const [UNSTABLE, DATA_SYNC, FILE_SYNC] = [0, 1, 2] as const;

const encoder = new TextEncoder();

/** The server did not carry out a call: names of RFC 5531. */
export class RpcFault extends Error {
  override name = "RpcFault";

  constructor(readonly stat: readonly number[]) {
    super(`reply ${stat.join(" ")}`);
  }
}

/** A status of NFS or MOUNT other than OK, by its name in RFC 1813. */
export class NfsRefusal extends Error {
  override name = "NfsRefusal";

  constructor(readonly status: string, readonly rest: XdrReader) {
    super(status);
  }
}

/** Credential of a client. */
export interface NfsClientOptions {
  readonly machine?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** AUTH_NONE instead. */
  readonly anonymous?: boolean;
}

/** Attributes as read from a response. */
export type SeenAttributes = Attributes & { readonly used: number };

/** Arguments of WRITE. */
export interface Writing {
  readonly at?: number;
  readonly stable?: 0 | 1 | 2;
}

/** An NFS client on a real socket, which never waits implicitly. */
export class NfsClient implements AsyncDisposable {
  readonly conn: Deno.TcpConn;
  readonly #options: NfsClientOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  readonly #reading: Promise<void>;
  #xid = 1;

  constructor(conn: Deno.TcpConn, options: NfsClientOptions) {
    this.conn = conn;
    this.#options = options;
    this.#reading = this.#read();
  }

  static async open(
    service: { endpoint(provider: string): { readonly port: number } },
    options: NfsClientOptions = {},
  ): Promise<NfsClient> {
    const { port } = service.endpoint("nfs");
    return new NfsClient(await Deno.connect({ hostname: "127.0.0.1", port }), options);
  }

  /** Ends the connection, and waits until the server has finished and closes it, too. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.conn.closeWrite().catch(() => {});
    await this.#reading;
    this.abort();
  }

  /** Disconnects abruptly. */
  abort(): void {
    try {
      this.conn.close();
    } catch {
      // It is closed.
    }
  }

  /** Resolves when the server has closed the connection. */
  get ended(): Promise<void> {
    return this.#reading;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let left = bytes; left.length > 0;) left = left.subarray(await this.conn.write(left));
  }

  /** Sends a call and returns the bytes of the reply after the mark. */
  async raw(
    call: { program: number; version?: number; procedure: number; xid?: number },
    args: Uint8Array = new Uint8Array(),
  ): Promise<Uint8Array> {
    const xid = call.xid ?? this.#xid++;
    const reply = this.expect(xid);
    await this.write(encodeCall({ ...call, xid }, { args, who: this.#options }));
    return await reply;
  }

  /** Returns the reply to a call that was sent otherwise. */
  expect(xid: number): Promise<Uint8Array> {
    const reply = Promise.withResolvers<Uint8Array>();
    this.#waiting.set(xid, reply);
    return reply.promise;
  }

  /** Returns the results of a call. Rejects with `RpcFault`. */
  async call(
    call: { program: number; version?: number; procedure: number; xid?: number },
    args?: XdrWriter,
  ): Promise<XdrReader> {
    const reader = new XdrReader(await this.raw(call, args?.take()));
    reader.u32();
    reader.u32();
    const denied = reader.u32();
    if (denied !== 0) throw new RpcFault([denied, ...words(reader)]);
    reader.u32();
    reader.opaque(400);
    const stat = reader.u32();
    if (stat !== 0) throw new RpcFault([denied, stat, ...words(reader)]);
    return reader;
  }

  /** Returns the results of an NFS procedure, after the status. Rejects with `NfsRefusal`. */
  async nfs(name: keyof typeof PROC, args: XdrWriter, xid?: number): Promise<XdrReader> {
    const call = { program: NFS, procedure: PROC[name], ...(xid === undefined ? {} : { xid }) };
    return checkStatus(await this.call(call, args));
  }

  /** Returns the handle of a directory; by default the root. */
  async mount(path = "/"): Promise<Uint8Array> {
    const args = new XdrWriter().opaque(encoder.encode(path));
    return checkStatus(await this.call({ program: MOUNT, procedure: 1 }, args)).opaque(64);
  }

  async lookup(dir: Uint8Array, name: string | Uint8Array): Promise<Uint8Array> {
    return (await this.nfs("LOOKUP", dirOp(dir, name))).opaque(64);
  }

  async getattr(handle: Uint8Array): Promise<SeenAttributes> {
    return readAttributes(await this.nfs("GETATTR", new XdrWriter().opaque(handle)));
  }

  /** UNCHECKED by default. */
  async create(
    dir: Uint8Array,
    name: string | Uint8Array,
    options: { guarded?: boolean; verifier?: Uint8Array; mode?: number; size?: number } = {},
  ): Promise<Uint8Array> {
    const args = dirOp(dir, name);
    if (options.verifier !== undefined) args.u32(2).fixed(options.verifier);
    else settings(args.u32(options.guarded ? 1 : 0), options);
    const reply = await this.nfs("CREATE", args);
    reply.bool();
    return reply.opaque(64);
  }

  async writeTo(
    handle: Uint8Array,
    bytes: Uint8Array,
    { at = 0, stable = FILE_SYNC }: Writing = {},
  ): Promise<{ count: number; committed: number; verifier: string }> {
    const args = new XdrWriter(bytes.length + 128).opaque(handle).u64(at).u32(bytes.length)
      .u32(stable).opaque(bytes);
    const reply = await this.nfs("WRITE", args);
    readWcc(reply);
    return { count: reply.u32(), committed: reply.u32(), verifier: reply.fixed(8).toHex() };
  }

  async commit(handle: Uint8Array): Promise<string> {
    const reply = await this.nfs("COMMIT", new XdrWriter().opaque(handle).u64(0).u32(0));
    readWcc(reply);
    return reply.fixed(8).toHex();
  }

  async read(
    handle: Uint8Array,
    at: number,
    count: number,
  ): Promise<{ bytes: Uint8Array; eof: boolean }> {
    const reply = await this.nfs("READ", new XdrWriter().opaque(handle).u64(at).u32(count));
    readPostOp(reply);
    reply.u32();
    const eof = reply.bool();
    return { bytes: reply.opaque(2 ** 21), eof };
  }

  async mkdir(dir: Uint8Array, name: string | Uint8Array): Promise<Uint8Array> {
    const reply = await this.nfs("MKDIR", settings(dirOp(dir, name), {}));
    reply.bool();
    return reply.opaque(64);
  }

  async remove(dir: Uint8Array, name: string): Promise<void> {
    await this.nfs("REMOVE", dirOp(dir, name));
  }

  async rename(from: readonly [Uint8Array, string], to: readonly [Uint8Array, string]) {
    return await this.nfs("RENAME", dirOp(to[0], to[1], dirOp(from[0], from[1])));
  }

  /** One page of a directory. */
  async readdir(
    dir: Uint8Array,
    options: { cookie?: number; verifier?: Uint8Array; count?: number } = {},
  ): Promise<{ entries: readonly { name: string; id: number; cookie: number }[]; eof: boolean }> {
    const { cookie = 0, verifier = new Uint8Array(8), count = 4096 } = options;
    const reply = await this.nfs(
      "READDIR",
      new XdrWriter().opaque(dir).u64(cookie).fixed(verifier).u32(count),
    );
    readPostOp(reply);
    reply.fixed(8);
    const entries = [];
    while (reply.bool()) {
      const id = reply.u64();
      const name = new TextDecoder().decode(reply.opaque(1024));
      entries.push({ id, name, cookie: reply.u64() });
    }
    return { entries, eof: reply.bool() };
  }

  async #read(): Promise<void> {
    try {
      const reader = this.conn.readable.getReader();
      let rest = new Uint8Array();
      for (let part; !(part = await reader.read()).done;) {
        const joined = new Uint8Array(rest.length + part.value.length);
        joined.set(rest);
        joined.set(part.value, rest.length);
        rest = joined;
        for (let length; (length = recordLength(rest)) <= rest.length - 4;) {
          const record = rest.slice(4, 4 + length);
          rest = rest.subarray(4 + length);
          const xid = new DataView(record.buffer).getUint32(0);
          this.#waiting.get(xid)?.resolve(record);
          this.#waiting.delete(xid);
        }
      }
    } catch {
      // The connection was cut, by either side.
    }
    for (const { promise, reject } of this.#waiting.values()) {
      promise.catch(() => {});
      reject(new Error("The server closed the connection"));
    }
  }
}

function recordLength(bytes: Uint8Array): number {
  if (bytes.length < 4) return Infinity;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) & 0x7fff_ffff;
}

/** Expects an NFS refusal, and returns it. */
export async function refused(status: string, work: Promise<unknown>): Promise<NfsRefusal> {
  const refusal = await assertRejects(() => work, NfsRefusal);
  assertEquals(refusal.status, status);
  return refusal;
}

/** Returns the changes of the tree once there are as many as expected: an upload is complete after a quiet period. */
export async function happened(service: TestService, expected: readonly string[]): Promise<void> {
  await until(() => operations(service).length >= expected.length).catch(() => {});
  assertEquals(operations(service), expected);
}

/** Settings without uploads after a quiet period. */
export const PATIENT = { nfs: { settle_ms: 60_000 } };
/** Settings with a short quiet period. */
export const QUICK = { nfs: { settle_ms: 300 } };

/** A call as one record in one fragment. */
export function encodeCall(
  call: { program: number; version?: number; procedure: number; xid: number },
  { args = new Uint8Array(), who = {} }: { args?: Uint8Array; who?: NfsClientOptions } = {},
): Uint8Array {
  const writer = new XdrWriter(args.length + 256).u32(0).u32(call.xid).u32(0).u32(2);
  writer.u32(call.program).u32(call.version ?? 3).u32(call.procedure);
  if (who.anonymous) writer.u32(0).u32(0);
  else {
    const { machine = "ada.example", uid = 1000, gid = 100 } = who;
    const body = new XdrWriter().u32(7).opaque(encoder.encode(machine)).u32(uid).u32(gid).u32(1);
    writer.u32(1).opaque(body.u32(gid).take());
  }
  writer.u32(0).u32(0);
  writer.fixed(args);
  return writer.replaceU32(0, 0x8000_0000 + writer.length - 4).take();
}

/** diropargs3 */
export function dirOp(
  dir: Uint8Array,
  name: string | Uint8Array,
  writer: XdrWriter = new XdrWriter(),
): XdrWriter {
  return writer.opaque(dir).opaque(typeof name === "string" ? encoder.encode(name) : name);
}

/** sattr3; times in Unix milliseconds. */
export function settings(
  writer: XdrWriter,
  set: { mode?: number; size?: number; mtimeMs?: number },
): XdrWriter {
  if (set.mode === undefined) writer.bool(false);
  else writer.bool(true).u32(set.mode);
  writer.bool(false).bool(false);
  if (set.size === undefined) writer.bool(false);
  else writer.bool(true).u64(set.size);
  writer.u32(0);
  if (set.mtimeMs === undefined) return writer.u32(0);
  return writer.u32(2).u32(Math.floor(set.mtimeMs / 1000)).u32((set.mtimeMs % 1000) * 1e6);
}

/** post_op_attr */
export function readPostOp(reader: XdrReader): SeenAttributes | undefined {
  return reader.bool() ? readAttributes(reader) : undefined;
}

/** wcc_data */
export function readWcc(
  reader: XdrReader,
): {
  before: { size: number; mtimeMs: number; ctimeMs: number } | undefined;
  after: SeenAttributes | undefined;
} {
  const before = reader.bool()
    ? { size: reader.u64(), mtimeMs: time(reader), ctimeMs: time(reader) }
    : undefined;
  return { before, after: readPostOp(reader) };
}

function readAttributes(reader: XdrReader): SeenAttributes {
  const dir = reader.u32() === 2;
  const [mode, links, uid, gid] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()];
  const [size, used] = [reader.u64(), reader.u64()];
  reader.u64();
  reader.u64();
  const id = reader.u64();
  const [atimeMs, mtimeMs, ctimeMs] = [time(reader), time(reader), time(reader)];
  return { dir, mode, links, uid, gid, size, used, id, atimeMs, mtimeMs, ctimeMs };
}

function time(reader: XdrReader): number {
  return reader.u32() * 1000 + reader.u32() / 1e6;
}

function checkStatus(reader: XdrReader): XdrReader {
  const status = reader.u32();
  if (status === 0) return reader;
  const name = Object.entries(STATUS).find(([, value]) => value === status)?.[0];
  throw new NfsRefusal(name ?? String(status), reader);
}

function words(reader: XdrReader): number[] {
  const left: number[] = [];
  while (reader.rest.length >= 4) left.push(reader.u32());
  return left;
}
