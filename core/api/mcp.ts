/**
 * The Model Context Protocol over HTTP: one message per request, one JSON response, no streams and no sessions.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *
 * @module
 */
import { accepts } from "@std/http/negotiation";
import { ByteGatherer } from "../bytes/gatherer.ts";
import { MemoryFullError } from "../errors.ts";
import type { HttpCall } from "../http/call.ts";
import { apiError, json } from "../http/reply.ts";
import { BodyTooLargeError, readBody } from "../http/server/body/body.ts";
import { jsonMemory } from "../http/server/body/json_body.ts";
import { type ApiAnswer, type ApiRequest, MAX_ANSWER_BYTES } from "../mcp/api.ts";
import { checkHeaders } from "../mcp/headers.ts";
import {
  MAX_MESSAGE_BYTES,
  readMessage,
  RPC_CODES,
  type RpcAnswer,
  RpcError,
  type RpcId,
  type RpcMessage,
  toError,
} from "../mcp/message.ts";
import { statedRevision } from "../mcp/revision.ts";
import type { ApiTable } from "../mcp/schemas.ts";
import { createMcp } from "../mcp/server.ts";
import { toolsFor } from "../mcp/tools/all.ts";
import type { Memory } from "../memory/budget.ts";
import type { MemoryLease } from "../memory/lease.ts";
import { API_BASE } from "./openapi.ts";

/** Memory per byte of an API response: the bytes, their text, and twice its parsed values. */
const COST_FACTOR = 4;

/** The parts of the service that the endpoint uses. */
export interface McpContext {
  readonly table: ApiTable;
  /** Budget for messages and responses. */
  readonly budget: Memory;
  /** Handles requests to the read-back API. */
  answerApi(call: HttpCall): Promise<Response>;
}

/** Creates the endpoint. */
export function createMcpEndpoint(context: McpContext): (call: HttpCall) => Promise<Response> {
  const { table, budget } = context;
  const server = createMcp(toolsFor(table));
  return async (call) => {
    const { method, path } = call;
    if (method !== "POST") {
      return apiError(405, `Cannot ${method} "${path}": allowed is POST`, { allow: "POST" });
    }
    const refusal = checkTypes(call);
    if (refusal !== undefined) return refusal;
    using lease = budget.lease({ gone: call.gone });
    let id: RpcId | undefined;
    let message: RpcMessage;
    try {
      const body = await readBody(call, { maxBytes: MAX_MESSAGE_BYTES, lease });
      await lease.cover(jsonMemory(body));
      message = readMessage(body);
      id = message.id;
      checkHeaders(call.headers, message);
    } catch (error) {
      if (error instanceof RpcError) return json(toError(id, error), 400);
      if (error instanceof MemoryFullError) return apiError(503, error.message);
      if (!(error instanceof BodyTooLargeError)) throw error;
      return json(toError(id, new RpcError(RPC_CODES.request, error.message)), 413);
    }
    const heldBytes = lease.bytes;
    const answer = await server.answer(message, {
      ask: (request) => askWithin(call, request, { context, lease, heldBytes }),
      signal: call.gone,
    });
    if (answer === undefined) return new Response(null, { status: 202 });
    return json(answer, statusOf(message, answer));
  };
}

function checkTypes({ headers }: HttpCall): Response | undefined {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    return apiError(415, `Cannot read "${type ?? ""}": expected Content-Type: application/json`);
  }
  if (headers.has("content-encoding")) {
    return apiError(415, "Cannot read a body with Content-Encoding: expected none");
  }
  const wanted = headers.get("accept");
  if (wanted === null) return undefined;
  const asked = new Request("http://localhost", { headers: { accept: wanted } });
  if (accepts(asked, "application/json") !== undefined) return undefined;
  return apiError(
    406,
    "Cannot answer in any of the accepted types: only application/json is available",
  );
}

/** Only revisions without a handshake give errors their own status. */
function statusOf(message: RpcMessage, { error }: RpcAnswer): number {
  if (error === undefined || statedRevision(message) === undefined) return 200;
  if (error.code === RPC_CODES.method) return 404;
  return error.code === RPC_CODES.version || error.code === RPC_CODES.params ? 400 : 200;
}

/** Sends a request to the API on behalf of a call, which was admitted already. */
async function askWithin(
  outer: HttpCall,
  { method, path, body }: ApiRequest,
  { context, lease, heldBytes }: {
    readonly context: McpContext;
    readonly lease: MemoryLease;
    /** Bytes of the lease that the message needs. */
    readonly heldBytes: number;
  },
): Promise<ApiAnswer> {
  const target = API_BASE + path;
  const [way = "", search = ""] = target.split("?", 2);
  const sent = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  const headers = new Headers(sent && { "content-length": String(sent.length) });
  const response = await context.answerApi({
    request: new Request(`http://localhost${target}`, { method, ...(sent && { body: sent }) }),
    method,
    target,
    path: way,
    search,
    headers,
    rawHeaders: [...headers],
    version: outer.version,
    tls: outer.tls,
    peer: outer.peer,
    local: outer.local,
    gone: outer.gone,
    disturb: (what) => outer.disturb(what),
  });
  return await readAnswer(response, { lease, heldBytes });
}

async function readAnswer(
  response: Response,
  { lease, heldBytes }: { readonly lease: MemoryLease; readonly heldBytes: number },
): Promise<ApiAnswer> {
  const { status, headers } = response;
  const contentType = headers.get("content-type") ?? "application/octet-stream";
  const gathered = new ByteGatherer(MAX_ANSWER_BYTES);
  let cut = false;
  for await (const chunk of response.body ?? []) {
    cut = gathered.length + chunk.length > MAX_ANSWER_BYTES;
    if (cut) break;
    await lease.cover(heldBytes + COST_FACTOR * (gathered.length + chunk.length));
    gathered.append(chunk);
  }
  return { status, contentType, body: gathered.take(), cut };
}
