/**
 * Header fields of the HTTP transport. They repeat parts of the body, and must match it.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 *
 * @module
 */
import type { HeaderValues } from "../http/call.ts";
import { shownName } from "../options/suggest.ts";
import { RPC_CODES, RpcError, type RpcMessage } from "./message.ts";
import { REVISIONS, statedRevision, unknownRevision } from "./revision.ts";

/** Member of `params` that `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = { "tools/call": "name", "resources/read": "uri" };

/** Throws `RpcError` for header fields that are missing, unknown or contradict the message. */
export function checkHeaders(headers: HeaderValues, message: RpcMessage): void {
  const stated = statedRevision(message);
  const revision = headers.get("mcp-protocol-version");
  if (stated === undefined) {
    // Absent before revision 2025-06-18, and in the first message of later ones.
    if (revision !== null && !REVISIONS.includes(revision)) throw unknownRevision(revision);
    if (revision !== null && revision === REVISIONS[0] && message.id !== undefined) {
      throw new RpcError(RPC_CODES.params, "Cannot serve a request without its _meta");
    }
    return;
  }
  agree("MCP-Protocol-Version", revision, stated);
  if (message.id === undefined) return;
  agree("Mcp-Method", headers.get("mcp-method"), message.method);
  const name = Object.hasOwn(NAMED, message.method) ? NAMED[message.method] : undefined;
  if (name !== undefined) {
    agree("Mcp-Name", decoded(headers.get("mcp-name")), message.params[name]);
  }
}

function agree(name: string, header: string | null, body: unknown): void {
  if (header === body) return;
  const found = header === null ? "is missing" : `${shownName(header)} does not match the body`;
  throw new RpcError(RPC_CODES.headers, `Header mismatch: ${name} ${found}`);
}

/** Names that header fields cannot carry come in base64: `=?base64?…?=`. */
function decoded(value: string | null): string | null {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? "") ?? [];
  if (base64 === undefined) return value;
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(base64));
  } catch {
    return value;
  }
}
