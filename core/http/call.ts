import type { ClientCertificate, HeaderPairs } from "../events/event.ts";
import type { Disturbance } from "../faults/outcome.ts";
import type { Answer } from "./answer.ts";

/**
 * Header fields by case-insensitive name; equal names are joined by `, ` (RFC 9110 section 5.3).
 * Iteration yields lower-case names.
 */
export type HeaderValues = Pick<Headers, "get" | "has"> & Iterable<[name: string, value: string]>;

/** The body of a request, read into buffers of the reader. */
export interface BodyIntake {
  /** Total length in bytes; `undefined` for a chunked body. */
  readonly size: number | undefined;
  /**
   * Reads into `into` and returns the number of bytes: at least one, or 0 at the end. Rejects if
   * the body ends early.
   */
  read(into: Uint8Array): Promise<number>;
  /** Returns the rest, if it has arrived, in a buffer of `room`, or a separate one by default. */
  atHand?(room?: (bytes: number) => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined;
  /**
   * Returns the already received part of a body that is too long, at most 64 KiB; the rest must not
   * be read afterwards. Rejects if the client disconnects first.
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
  /** `target` after the `?`, still encoded; empty without a query. */
  readonly search: string;
  /** Case-insensitive look-up. */
  readonly headers: HeaderValues;
  /** In the order and spelling received over HTTP/1; lower-case over HTTP/2. */
  readonly rawHeaders: HeaderPairs;
  /** Determined from the connection, not from headers. */
  readonly version: "1.0" | "1.1" | "2";
  /** Whether the connection is encrypted. */
  readonly tls: boolean;
  /** Absent over cleartext, and for a client without a certificate. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** `host:port` of the client. */
  readonly peer: string;
  /** `host:port` the client reached. */
  readonly local: string;
  /** Aborts when the connection has ended, so that no response can be sent. */
  readonly gone: AbortSignal;
  /** Applies a network fault to the connection from now on. */
  disturb(what: Disturbance): void;
}

/** Answers one request. */
export type HttpHandler = (call: HttpCall) => Answer | Promise<Answer>;
