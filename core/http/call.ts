import type { ClientCertificate, HeaderPairs } from "../events/event.ts";
import type { Disturbance } from "../faults/outcome.ts";
import type { Answer } from "./answer.ts";

/**
 * Header fields by name, whatever its case; several of a name are joined by `, ` (RFC 9110 section 5.3). Listed with
 * their names in lower case.
 */
export type HeaderValues = Pick<Headers, "get" | "has"> & Iterable<[name: string, value: string]>;

/** The body of a request, read into buffers of the reader. */
export interface BodyIntake {
  /** In bytes, over all; nothing for a body in chunks. */
  readonly size: number | undefined;
  /** Bytes put into `into`, at least one before the end, which is 0. Rejects when the body breaks off. */
  read(into: Uint8Array): Promise<number>;
  /** Returns the rest, if it has arrived, in a buffer of `room`, or a separate one by default. */
  atHand?(room?: (bytes: number) => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined;
  /**
   * What comes at once of a body that is too long to be read, at most 64 KiB; no more may be read of it afterwards.
   * Rejects when the client ends before that.
   */
  beginning?(): Promise<Uint8Array>;
}

/** A request, before its body is read. */
export interface HttpCall {
  /** Request with a stream of the body; over HTTP/1 it is created on demand. Has no information about upgrades. */
  readonly request: Request;
  /** The body, also available as a stream of `request`; read only one of the two. Absent over HTTP/2. */
  readonly intake?: BodyIntake | undefined;
  /** As sent. */
  readonly method: string;
  /** As sent, without scheme and authority: `/a/../b?x=1`. */
  readonly target: string;
  /** `target` up to the query, still percent-encoded. */
  readonly path: string;
  /** `target` behind the `?`, still encoded; empty without a query. */
  readonly search: string;
  /** Case-insensitive look-up. */
  readonly headers: HeaderValues;
  /** In the order and spelling received over HTTP/1; lower-case over HTTP/2. */
  readonly rawHeaders: HeaderPairs;
  /** Known for certain, not guessed from headers. */
  readonly version: "1.0" | "1.1" | "2";
  /** Whether the connection is encrypted. */
  readonly tls: boolean;
  /** Absent in the clear, and for a client that has none. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** `host:port` of the client. */
  readonly peer: string;
  /** `host:port` the client reached. */
  readonly local: string;
  /** Aborts when the connection has ended: no answer can be sent any more. */
  readonly gone: AbortSignal;
  /** Applies a network fault to the connection from now on. */
  disturb(what: Disturbance): void;
}

/** Answers one request. */
export type HttpHandler = (call: HttpCall) => Answer | Promise<Answer>;
