import type { ClientCertificate, HeaderPairs } from "../../../events/event.ts";
import type { Disturbance } from "../../../faults/outcome.ts";
import type { BodyIntake, HeaderValues, HttpCall } from "../../call.ts";
import type { RequestHead } from "../http1/head.ts";
import type { ConnectionFacts } from "./wire.ts";

/** Shared by calls of every HTTP version: their target, and their connection. */
abstract class BaseCall {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly search: string;
  readonly tls: boolean;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly peer: string;
  readonly local: string;
  readonly #connection: ConnectionFacts;

  /** `target` as in the request line: a path, with its query if it has one. */
  constructor(method: string, target: string, connection: ConnectionFacts) {
    this.method = method;
    this.target = target;
    this.tls = connection.tls;
    this.clientCertificate = connection.clientCertificate;
    this.peer = connection.peer;
    this.local = connection.local;
    this.#connection = connection;
    const mark = target.indexOf("?");
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.search = mark < 0 ? "" : target.slice(mark + 1);
  }

  /** Aborts when the client disconnects. */
  get gone(): AbortSignal {
    return this.#connection.gone;
  }

  /** Applies a network fault to the connection from now on. */
  disturb(what: Disturbance): void {
    this.#connection.disturb(what);
  }
}

/** Read size in bytes if the reader of a body has no buffer. */
const CHUNK_BYTES = 65_536;

/** A call over HTTP/1, with its head as received. */
export class Http1Call extends BaseCall implements HttpCall {
  readonly intake: BodyIntake;
  readonly rawHeaders: HeaderPairs;
  readonly version: "1.0" | "1.1";
  readonly #head: RequestHead;
  #request: Request | undefined;

  constructor(
    intake: BodyIntake,
    head: RequestHead,
    connection: ConnectionFacts,
  ) {
    super(head.method, head.target, connection);
    this.#head = head;
    this.intake = intake;
    this.version = head.version;
    this.rawHeaders = head.headers;
  }

  get request(): Request {
    return this.#request ??= toRequest(this);
  }

  /** From the head that we hold: reading headers from the platform would copy all of them. */
  get headers(): HeaderValues {
    return this.#head.fields ??= new PairLookup(this.rawHeaders);
  }
}

/** Fields by which a client offers another protocol, which is not accepted (RFC 9110 section 7.8). */
const UPGRADE: ReadonlySet<string> = new Set(["connection", "upgrade", "http2-settings"]);
/** Methods that the platform refuses to construct a request with. */
const UNUSUAL: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/** For handlers that want a stream. */
function toRequest({ method, local, target, rawHeaders, intake }: Http1Call): Request {
  const url = `http://${local}${target.startsWith("/") ? target : "/"}`;
  const headers = rawHeaders.filter(([name]) => !UPGRADE.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [name, value]);
  const body = intake.size === 0 ? null : streamOf(intake);
  const hasOddBody = body !== null && (method === "GET" || method === "HEAD");
  if (!hasOddBody && !UNUSUAL.has(method)) return new Request(url, { method, headers, body });
  const request = new Request(url, { method: "POST", headers, body });
  return Object.defineProperty(request, "method", { value: method });
}

/** Read into the buffers of its reader, so that small chunks need no more memory than their bytes. */
function streamOf(intake: BodyIntake): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    type: "bytes",
    autoAllocateChunkSize: CHUNK_BYTES,
    async pull(controller) {
      const { byobRequest } = controller;
      const count = await intake.read(byobRequest!.view as Uint8Array);
      if (count === 0) controller.close();
      byobRequest!.respond(count);
    },
  });
}

/** Number of look-ups in a list of fields after which results are cached: more than one request makes. */
const MANY_LOOK_UPS = 24;

/** Finds fields in a short list, which is quicker than an index; a handler that reads them all gets one. */
class PairLookup implements HeaderValues {
  readonly #pairs: HeaderPairs;
  /** By name in lower case. */
  #index: ReadonlyMap<string, string> | undefined;
  #lookUps = 0;
  /** Results by name as asked for: requests that share their head ask for the same names again and again. */
  #known: Map<string, string | null> | undefined;

  constructor(pairs: HeaderPairs) {
    this.#pairs = pairs;
  }

  get(name: string): string | null {
    if (this.#known === undefined) {
      if (++this.#lookUps === MANY_LOOK_UPS) this.#known = new Map();
      return this.#find(name);
    }
    let value = this.#known.get(name);
    if (value === undefined) this.#known.set(name, value = this.#find(name));
    return value;
  }

  #find(name: string): string | null {
    if (this.#index !== undefined) return this.#index.get(name.toLowerCase()) ?? null;
    let found: string | null = null;
    for (const pair of this.#pairs) {
      const own = pair[0];
      // Most names differ in length.
      if (own.length !== name.length || own.toLowerCase() !== name.toLowerCase()) continue;
      found = found === null ? pair[1] : `${found}, ${pair[1]}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return (this.#index ??= indexFields(this.#pairs)).entries();
  }
}

/** Values by names in lower case; those of one name are joined. */
function indexFields(pairs: HeaderPairs): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  for (const [own, value] of pairs) {
    const name = own.toLowerCase();
    const found = index.get(name);
    index.set(name, found === undefined ? value : `${found}, ${value}`);
  }
  return index;
}

/** A call over HTTP/2; the platform has read its head. */
export class Http2Call extends BaseCall implements HttpCall {
  readonly request: Request;
  readonly version = "2";
  /** Whether all of its body is read by `request.bytes()`, so that nothing of it can be left. */
  isReadAtOnce = false;
  #headers: HeaderValues | undefined;
  #rawHeaders: HeaderPairs | undefined;

  constructor(request: Request, connection: ConnectionFacts) {
    super(request.method, targetOf(request.url), connection);
    this.request = request;
  }

  get headers(): HeaderValues {
    return this.#headers ??= new PairLookup(this.rawHeaders);
  }

  get rawHeaders(): HeaderPairs {
    return this.#rawHeaders ??= pairsOf(this.request.headers);
  }
}

function pairsOf(headers: Headers): HeaderPairs {
  const pairs: (readonly [string, string])[] = [];
  // Thirty times as fast as iterating.
  headers.forEach((value, name) => {
    const pair: readonly [string, string] = [name, value];
    // A copy, because an event keeps only copies: docs/decisions/0019.
    pairs.push([...pair]);
  });
  return pairs;
}

/** `http://host/a/../b?c` yields `/a/../b?c`: cut as text, because `new URL()` would collapse the path. */
function targetOf(url: string): string {
  const slash = url.indexOf("/", url.indexOf("://") + 3);
  return slash < 0 ? "/" : url.slice(slash);
}
