import type { ClientCertificate } from "../../../events/event.ts";
import type { Disturbance } from "../../../faults/outcome.ts";
import type { ConnectionFacts } from "./facts.ts";

/** What calls have in common, whichever version of HTTP they came over: their target, and their connection. */
export abstract class BaseCall {
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

  /** Aborts when the client has gone. */
  get gone(): AbortSignal {
    return this.#connection.gone;
  }

  /** What a fault does to the connection, from now on. */
  disturb(what: Disturbance): void {
    this.#connection.disturb(what);
  }
}
