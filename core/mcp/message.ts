/**
 * Messages of JSON-RPC 2.0 as the Model Context Protocol uses them: one object, never a batch.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#messages
 *
 * @module
 */
import { WireError } from "../bytes/decoder.ts";
import { decodeJson } from "../codec/json_lenient.ts";

/** Largest message that is read, in bytes. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** Id of a request. */
export type RpcId = string | number;

/** Codes of JSON-RPC 2.0 section 5.1, and those that the protocol adds. */
export const RPC_CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  /** Up to revision 2025-11-25; later `params`. */
  noResource: -32002,
  headers: -32020,
  version: -32022,
} as const;

/** An error that is answered. */
export class RpcError extends Error {
  override name = "RpcError";

  constructor(readonly code: number, message: string, readonly data?: unknown) {
    super(message);
  }
}

/** A request or, without an id, a notification. */
export interface RpcMessage {
  readonly id?: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The response to a request; without an id if that could not be read. */
export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id?: RpcId;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Parses a message. Throws `RpcError` for anything else. */
export function readMessage(bytes: Uint8Array): RpcMessage {
  const value = parse(bytes);
  if (Array.isArray(value)) {
    throw new RpcError(RPC_CODES.request, "Cannot read a batch: expected one message per request");
  }
  if (!isObject(value) || value.jsonrpc !== "2.0") {
    throw new RpcError(
      RPC_CODES.request,
      'Cannot read the message: expected {"jsonrpc": "2.0", …}',
    );
  }
  const { id, method, params = {} } = value;
  if (typeof method !== "string") {
    throw new RpcError(
      RPC_CODES.request,
      "Cannot read the message: expected a method; this server sends no requests to answer",
    );
  }
  if (id !== undefined && typeof id !== "string" && !Number.isSafeInteger(id)) {
    throw new RpcError(RPC_CODES.request, "Cannot read the id: expected a string or an integer");
  }
  if (!isObject(params)) {
    throw new RpcError(RPC_CODES.params, "Cannot read params: expected an object");
  }
  return { ...(id === undefined ? {} : { id: id as RpcId }), method, params };
}

/** Answers with a result. */
export function toResult(id: RpcId, result: object): RpcAnswer {
  return { jsonrpc: "2.0", id, result };
}

/** Answers with an error. */
export function toError(id: RpcId | undefined, { code, message, data }: RpcError): RpcAnswer {
  return {
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return decodeJson(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new RpcError(RPC_CODES.parse, `Cannot read the message: ${error.message}`);
  }
}
