/**
 * Revisions of the Model Context Protocol. From 2026-07-28 on every request states its revision and there is no handshake;
 * before that a client agrees on one by `initialize`. This server keeps no sessions, so it serves both side by side.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 *
 * @module
 */
import { textOf } from "../options/suggest.ts";
import { isObject, RPC_CODES, RpcError, type RpcMessage } from "./message.ts";

/** Revisions whose requests state them. */
const STATED: readonly string[] = ["2026-07-28"];
/** Revisions with a handshake, the newest first. */
const AGREED = ["2025-11-25", "2025-06-18"] as const;

/** Every revision served, the newest first. */
export const REVISIONS: readonly string[] = [...STATED, ...AGREED];

/** Prefix of the keys that the protocol reserves in `_meta`. */
export const META_PREFIX = "io.modelcontextprotocol/";

/** Returns the revision in the `_meta` of a request; `undefined` for revisions with a handshake. */
export function statedRevision({ params }: RpcMessage): unknown {
  const { _meta: meta } = params;
  return isObject(meta) ? meta[`${META_PREFIX}protocolVersion`] : undefined;
}

/**
 * Returns whether a request belongs to a revision without a handshake. Throws `RpcError` for a revision that is not served,
 * and for a request that lacks what its revision requires.
 */
export function isStateless(message: RpcMessage): boolean {
  const stated = statedRevision(message);
  if (stated === undefined) return false;
  if (typeof stated !== "string" || !STATED.includes(stated)) throw unknownRevision(stated);
  const meta = message.params._meta as Readonly<Record<string, unknown>>;
  if (isObject(meta[`${META_PREFIX}clientCapabilities`])) return true;
  throw new RpcError(
    RPC_CODES.params,
    `Cannot serve ${message.method}: expected _meta["${META_PREFIX}clientCapabilities"]`,
  );
}

/** Returns the revision for an `initialize`: the requested one, or the newest with a handshake. */
export function agreedRevision(wanted: unknown): string {
  return AGREED.find((one) => one === wanted) ?? AGREED[0];
}

/** Error for a revision that is not served. */
export function unknownRevision(requested: unknown): RpcError {
  return new RpcError(
    RPC_CODES.version,
    `Unsupported protocol version: expected one of ${REVISIONS.join(", ")}`,
    { supported: REVISIONS, requested: textOf(requested).slice(0, 80) },
  );
}
