import type { ClientCertificate, HeaderPairs } from "../../../events/event.ts";
import type { HttpCall } from "../../call.ts";
import type { ConnectionFacts } from "../wire/facts.ts";

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
