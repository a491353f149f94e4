import type { ClientCertificate, HeaderPairs, RawRecord } from "../events/event.ts";
import type { Fault } from "../faults/outcome.ts";
import type { HeaderValues, HttpCall } from "../http/call.ts";
import {
  BodyEncodingError,
  BodyTooLargeError,
  decodeBody,
  readBody,
} from "../http/server/body/body.ts";
import { MemoryFullError } from "../errors.ts";
import type { MemoryLease } from "../memory/lease.ts";
import { jsonWork } from "../codec/json_work.ts";
import { SMALL_WORK, WORK_FACTOR } from "../memory/size.ts";
import type { IngressCall, Refusal } from "../plugin.ts";
import { toRaw } from "./recording.ts";

/** Bytes of a refused body passed to the vendor's refusal. */
const PREFIX = 65_536;

const NO_BYTES: Uint8Array = new Uint8Array();

/** The body of a call, or its refusal. */
export interface ReadBody {
  /** As sent; only the beginning if it was too large. */
  readonly wire: Uint8Array;
  /** With content codings removed. */
  readonly body: Uint8Array;
  readonly refusal?: Refusal;
}

/** Limits and budget of a read. */
export interface ReadLimits {
  readonly maxBytes: number;
  /** The most that a body may reserve, in bytes: more would never find room. */
  readonly mostWork: number;
  readonly lease?: MemoryLease;
  /** Whether the body keeps its content coding. */
  readonly undecoded?: boolean;
}

/** Bytes that every connection holds anyway; bodies up to this size are not counted. */
const AT_HAND_BYTES = 4096;

/** Returns the body if it arrived complete with its head; nothing if it must be awaited, decoded or refused. */
export function takeBuffered(
  { intake, headers }: HttpCall,
  { maxBytes, undecoded }: Pick<ReadLimits, "maxBytes" | "undecoded">,
): ReadBody | undefined {
  const { size = Infinity } = intake ?? {};
  if (size > Math.min(maxBytes, AT_HAND_BYTES)) return undefined;
  if (undecoded !== true && headers.get("content-encoding") !== null) return undefined;
  const wire = intake?.atHand?.(roomFor);
  return wire && { wire, body: wire };
}

/** Size of the buffer that small bodies share, and the largest body that goes there. */
const SHARED_BYTES = 16_384;
const SMALL_BYTES = 2048;
let shared = new ArrayBuffer(0);
let sharedAt = 0;

/**
 * Places small bodies one after another in a shared buffer: a separate one costs 1.5 us per body, from allocation to
 * garbage collection. An event keeps the whole buffer alive, up to 16 KiB; the memory limit includes that, because it
 * measures the process.
 */
function roomFor(bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes > SMALL_BYTES) return new Uint8Array(bytes);
  if (sharedAt + bytes > shared.byteLength) {
    shared = new ArrayBuffer(SHARED_BYTES);
    sharedAt = 0;
  }
  const room = new Uint8Array(shared, sharedAt, bytes);
  // Aligned to four bytes, so that they can be read as words.
  sharedAt += (bytes + 3) & ~3;
  return room;
}

/** Reads the body; the lease covers the work of answering it. Rejects if the client left. */
export function readWhole(http: HttpCall, limits: ReadLimits): Promise<ReadBody> {
  return readBody(http, limits).then((wire) => {
    const coding = limits.undecoded ? null : http.headers.get("content-encoding");
    if (coding !== null) return decode(wire, coding, limits);
    if (wire.length <= SMALL_WORK) return { wire, body: wire };
    return withRoom({ wire, body: wire }, limits);
  }, (error) => refusedBody(error, limits));
}

async function decode(wire: Uint8Array, coding: string, limits: ReadLimits): Promise<ReadBody> {
  try {
    return await withRoom({ wire, body: await decodeBody(wire, coding, limits) }, limits);
  } catch (error) {
    return refusedBody(error, limits, wire);
  }
}

async function withRoom(read: ReadBody, limits: ReadLimits): Promise<ReadBody> {
  try {
    const { wire, body } = read;
    const bytes = Math.max(
      WORK_FACTOR * body.length,
      wire.length + (WORK_FACTOR - 1) * body.length,
    );
    const parsed = body.length > SMALL_WORK ? jsonWork(body) : 0;
    await limits.lease?.cover(Math.max(bytes, Math.min(bytes + parsed, limits.mostWork)));
    return read;
  } catch (error) {
    return refusedBody(error, limits, read.wire);
  }
}

/** Refuses a body that does not fit in memory. */
export function busy({ message }: MemoryFullError): Refusal {
  return { kind: "busy", status: 503, message };
}

/** Replaces a body that cannot be taken, given its received part. Throws other errors. */
function refusedBody(error: unknown, { maxBytes }: ReadLimits, wire = NO_BYTES): ReadBody {
  if (error instanceof BodyTooLargeError) {
    const prefix = wire.length > 0 ? wire.subarray(0, PREFIX) : error.prefix;
    const message = `Cannot accept a body of more than ${maxBytes} bytes`;
    return { wire: prefix, body: prefix, refusal: { kind: "too_large", status: 413, message } };
  }
  if (error instanceof BodyEncodingError) {
    const refusal: Refusal = { kind: "bad_encoding", status: 400, message: error.message };
    return { wire, body: wire, refusal };
  }
  if (error instanceof MemoryFullError) {
    const prefix = wire.slice(0, PREFIX);
    return { wire: prefix, body: prefix, refusal: busy(error) };
  }
  throw error;
}

/** A call with its body; rarely used properties are created on demand. */
export class ReadCall implements IngressCall {
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly body: Uint8Array;
  fault?: Fault;
  readonly #http: HttpCall;
  readonly #wire: Uint8Array;
  #query: URLSearchParams | undefined;
  #raw: RawRecord | undefined;

  /** `params` and `path` of the matched route. */
  constructor(
    http: HttpCall,
    { params, path }: Pick<IngressCall, "params" | "path">,
    read: ReadBody,
  ) {
    this.params = params;
    this.path = path;
    this.body = read.body;
    this.#http = http;
    this.#wire = read.wire;
  }

  get request(): Request {
    return this.#http.request;
  }
  get method(): string {
    return this.#http.method;
  }
  get target(): string {
    return this.#http.target;
  }
  get search(): string {
    return this.#http.search;
  }
  get headers(): HeaderValues {
    return this.#http.headers;
  }
  get rawHeaders(): HeaderPairs {
    return this.#http.rawHeaders;
  }
  get version(): HttpCall["version"] {
    return this.#http.version;
  }
  get tls(): boolean {
    return this.#http.tls;
  }
  get clientCertificate(): ClientCertificate | undefined {
    return this.#http.clientCertificate;
  }
  get peer(): string {
    return this.#http.peer;
  }
  get local(): string {
    return this.#http.local;
  }
  get query(): URLSearchParams {
    return this.#query ??= new URLSearchParams(this.#http.search);
  }
  get raw(): RawRecord {
    return this.#raw ??= toRaw(this.#http, this.#wire);
  }
}
