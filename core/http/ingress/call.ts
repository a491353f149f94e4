import type { HeaderPairs } from "../../events/event.ts";
import type { HttpCall } from "../call.ts";
import type { RequestHead } from "./head.ts";

/** What all calls of one connection have in common. */
export interface ConnectionFacts {
  readonly peer: string;
  readonly local: string;
  readonly tls: boolean;
}

/** A call over HTTP/1, with its head as received. */
export class Http1Call implements HttpCall {
  readonly request: Request;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly search: string;
  readonly rawHeaders: HeaderPairs;
  readonly version: "1.0" | "1.1";
  readonly tls: boolean;
  readonly peer: string;
  readonly local: string;

  constructor(request: Request, head: RequestHead, connection: ConnectionFacts) {
    this.request = request;
    this.method = head.method;
    this.target = head.target;
    this.version = head.version;
    this.rawHeaders = head.headers;
    this.tls = connection.tls;
    this.peer = connection.peer;
    this.local = connection.local;
    const mark = head.target.indexOf("?");
    this.path = mark < 0 ? head.target : head.target.slice(0, mark);
    this.search = mark < 0 ? "" : head.target.slice(mark + 1);
  }

  get headers(): Headers {
    return this.request.headers;
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
  readonly peer: string;
  readonly local: string;
  #rawHeaders: HeaderPairs | undefined;

  constructor(request: Request, connection: ConnectionFacts) {
    this.request = request;
    this.method = request.method;
    this.target = targetOf(request.url);
    this.tls = connection.tls;
    this.peer = connection.peer;
    this.local = connection.local;
    const mark = this.target.indexOf("?");
    this.path = mark < 0 ? this.target : this.target.slice(0, mark);
    this.search = mark < 0 ? "" : this.target.slice(mark + 1);
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
