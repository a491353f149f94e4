import { type ByteIntake, chunksOf } from "../../../byte_source.ts";
import type { ClientCertificate, HeaderPairs } from "../../../events/event.ts";
import type { HeaderValues, HttpCall } from "../../call.ts";
import type { RequestHead } from "../http1/head.ts";

/** Bytes that are read of a body at once where it is read as a stream. */
const CHUNK_BYTES = 65_536;

/** What all calls of one connection have in common. */
export interface ConnectionFacts {
  readonly peer: string;
  readonly local: string;
  readonly tls: boolean;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly gone: AbortSignal;
}

/** A call over HTTP/1, with its head as received. */
export class Http1Call implements HttpCall {
  readonly intake: ByteIntake | undefined;
  readonly unread: Uint8Array | undefined;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly search: string;
  readonly rawHeaders: HeaderPairs;
  readonly version: "1.0" | "1.1";
  readonly tls: boolean;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly peer: string;
  readonly local: string;
  readonly #connection: ConnectionFacts;
  #headers: HeaderValues | undefined;
  #request: Request | undefined;

  /** `body` is what the inner server made of the request, or its bytes alone. */
  constructor(
    body: Request | ByteIntake,
    head: RequestHead,
    connection: ConnectionFacts,
    { unread }: { unread?: Uint8Array } = {},
  ) {
    this.unread = unread;
    if (body instanceof Request) this.#request = body;
    else this.intake = body;
    this.method = head.method;
    this.target = head.target;
    this.version = head.version;
    this.rawHeaders = head.headers;
    this.tls = connection.tls;
    this.clientCertificate = connection.clientCertificate;
    this.peer = connection.peer;
    this.local = connection.local;
    this.#connection = connection;
    const mark = head.target.indexOf("?");
    this.path = mark < 0 ? head.target : head.target.slice(0, mark);
    this.search = mark < 0 ? "" : head.target.slice(mark + 1);
  }

  get gone(): AbortSignal {
    return this.#connection.gone;
  }

  get request(): Request {
    return this.#request ??= toRequest(this, this.intake!);
  }

  /** From the head at hand: asking the platform for its headers would copy all of them out of it. */
  get headers(): HeaderValues {
    return this.#headers ??= new PairLookup(this.rawHeaders);
  }
}

/** For handlers that want a stream. */
function toRequest({ method, local, target }: Http1Call, intake: ByteIntake): Request {
  const body = intake.size === 0 ? null : ReadableStream.from(chunksOf(intake, CHUNK_BYTES));
  return new Request(`http://${local}${target}`, { method, body });
}

/** Finds fields in a short list, which is quicker than an index made for one request. */
class PairLookup implements HeaderValues {
  readonly #pairs: HeaderPairs;

  constructor(pairs: HeaderPairs) {
    this.#pairs = pairs;
  }

  get(name: string): string | null {
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (const pair of this.#pairs) {
      const own = pair[0];
      if (own.length !== wanted.length || own.toLowerCase() !== wanted) continue;
      found = found === null ? pair[1] : `${found}, ${pair[1]}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    const joined = new Map<string, string>();
    for (const [own, value] of this.#pairs) {
      const name = own.toLowerCase();
      const found = joined.get(name);
      joined.set(name, found === undefined ? value : `${found}, ${value}`);
    }
    return joined.entries();
  }
}

/** A call over HTTP/2; the platform has read its head. */
export class Http2Call implements HttpCall {
  readonly request: Request;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly search: string;
  readonly version = "2";
  readonly tls: boolean;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly peer: string;
  readonly local: string;
  readonly #connection: ConnectionFacts;
  #rawHeaders: HeaderPairs | undefined;

  constructor(request: Request, connection: ConnectionFacts) {
    this.request = request;
    this.method = request.method;
    this.target = targetOf(request.url);
    this.tls = connection.tls;
    this.clientCertificate = connection.clientCertificate;
    this.peer = connection.peer;
    this.local = connection.local;
    this.#connection = connection;
    const mark = this.target.indexOf("?");
    this.path = mark < 0 ? this.target : this.target.slice(0, mark);
    this.search = mark < 0 ? "" : this.target.slice(mark + 1);
  }

  get gone(): AbortSignal {
    return this.#connection.gone;
  }

  get headers(): Headers {
    return this.request.headers;
  }

  get rawHeaders(): HeaderPairs {
    return this.#rawHeaders ??= [...this.request.headers];
  }
}

/** `http://host/a/../b?c` gives `/a/../b?c`: cut as text, because `new URL()` would collapse the path. */
function targetOf(url: string): string {
  const slash = url.indexOf("/", url.indexOf("://") + 3);
  return slash < 0 ? "/" : url.slice(slash);
}
