import type { HeaderPairs } from "../../../events/event.ts";
import type { BodyIntake, HeaderValues, HttpCall } from "../../call.ts";
import { BaseCall } from "../wire/base_call.ts";
import type { ConnectionFacts } from "../wire/facts.ts";
import type { RequestHead } from "./head.ts";

/** Bytes that are read of a body at once where its reader brings no buffer. */
const CHUNK_BYTES = 65_536;

/** A call over HTTP/1, with its head as received. */
export class Http1Call extends BaseCall implements HttpCall {
  readonly intake: BodyIntake;
  readonly rawHeaders: HeaderPairs;
  readonly version: "1.0" | "1.1";
  #headers: HeaderValues | undefined;
  #request: Request | undefined;

  constructor(
    intake: BodyIntake,
    head: RequestHead,
    connection: ConnectionFacts,
  ) {
    super(head.method, head.target, connection);
    this.intake = intake;
    this.version = head.version;
    this.rawHeaders = head.headers;
  }

  get request(): Request {
    return this.#request ??= toRequest(this);
  }

  /** From the head at hand: asking the platform for its headers would copy all of them out of it. */
  get headers(): HeaderValues {
    return this.#headers ??= new PairLookup(this.rawHeaders);
  }
}

/** Fields by which a client asks for another protocol, which is an offer that is not taken (RFC 9110 section 7.8). */
const UPGRADE: ReadonlySet<string> = new Set(["connection", "upgrade", "http2-settings"]);
/** Methods that the platform makes no request with. */
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

/** Read into the buffers of its reader, so that small chunks take no more memory than their bytes. */
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
