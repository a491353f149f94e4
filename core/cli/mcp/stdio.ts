/**
 * The Model Context Protocol over stdio: one message per line.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 *
 * @module
 */
import { coreRoutes } from "../../api/openapi.ts";
import { ConfigError } from "../../errors.ts";
import { type Ask, MAX_ANSWER_BYTES, ToolError } from "../../mcp/api.ts";
import {
  MAX_MESSAGE_BYTES,
  readMessage,
  RPC_CODES,
  type RpcAnswer,
  RpcError,
  type RpcId,
  type RpcMessage,
  toError,
} from "../../mcp/message.ts";
import { createMcp } from "../../mcp/server.ts";
import { toolsFor } from "../../mcp/tools/all.ts";
import type { AnyPlugin } from "../../plugin.ts";
import type { Instance } from "../instance/instance.ts";
import { linesOf } from "./lines.ts";

/** Longer than the longest wait. */
const ANSWER_MS = 90_000;
/** Maximum concurrent requests; further lines are read when one is done. */
const MAX_CALLS = 32;
/** Time for the last responses, so that a request can be piped in. */
const GRACE_MS = 1000;

/** Where the messages go. */
export interface StdioOptions {
  readonly plugins: readonly AnyPlugin[];
  readonly input: AsyncIterable<Uint8Array>;
  write(line: string): void;
}

/**
 * Handles messages until the input ends; requests still unanswered a second later are cancelled.
 */
export async function serveStdio(instance: Instance, options: StdioOptions): Promise<void> {
  const filters = options.plugins.flatMap(({ id, filters }) =>
    filters === undefined ? [] : [[id, filters] as const]
  );
  const server = createMcp(toolsFor({ routes: coreRoutes, filters: new Map(filters) }));
  const ask = askOver(instance);
  const calls = new Map<
    RpcId,
    { readonly cancel: AbortController; readonly done: Promise<void> }
  >();
  const write = (answer: RpcAnswer): void => options.write(JSON.stringify(answer));

  const answer = async (message: RpcMessage, signal: AbortSignal): Promise<void> => {
    const said = await server.answer(message, { ask, signal });
    if (message.id !== undefined) calls.delete(message.id);
    if (said !== undefined && !signal.aborted) write(said);
  };

  const take = (message: RpcMessage): void => {
    const { id, method, params } = message;
    if (id === undefined) {
      const wanted = method === "notifications/cancelled" ? params.requestId : undefined;
      calls.get(wanted as RpcId)?.cancel.abort();
    } else if (calls.has(id)) {
      const error = new RpcError(
        RPC_CODES.request,
        "Cannot use this id: a request with it is still unanswered",
      );
      write(toError(id, error));
    } else {
      const cancel = new AbortController();
      const started = Promise.resolve().then(() => answer(message, cancel.signal));
      calls.set(id, { cancel, done: started });
    }
  };

  for await (const line of linesOf(options.input, MAX_MESSAGE_BYTES)) {
    try {
      take(readMessage(line ?? tooLong()));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      write(toError(undefined, error));
    }
    if (calls.size >= MAX_CALLS) await Promise.race([...calls.values()].map(({ done }) => done));
  }
  const timer = setTimeout(() => {
    for (const { cancel } of calls.values()) cancel.abort();
  }, GRACE_MS);
  await Promise.all([...calls.values()].map(({ done }) => done));
  clearTimeout(timer);
}

function tooLong(): never {
  throw new RpcError(
    RPC_CODES.request,
    `Cannot read a message of more than ${MAX_MESSAGE_BYTES} bytes`,
  );
}

/** Reaches the read-back API of the instance. */
function askOver(instance: Instance): Ask {
  return async ({ method, path, body }, signal) => {
    try {
      const answer = await instance.ask(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: ANSWER_MS,
        cutAt: MAX_ANSWER_BYTES,
        signal,
      });
      const contentType = answer.headers["content-type"] ?? "application/octet-stream";
      return { status: answer.status, contentType, body: answer.body, cut: answer.cut === true };
    } catch (error) {
      throw error instanceof ConfigError ? new ToolError(error.message) : error;
    }
  };
}
