import type { Logger } from "../../../log.ts";
import { settle } from "../../../net/within.ts";
import type { HttpCall } from "../../call.ts";
import { type Answer, ShortAnswer, toResponse } from "../../answer.ts";
import type { Admitted, Answered } from "../wire/answer_room.ts";
import { type Dropping, dropUnread } from "../body/timed_body.ts";

/** The client of a connection, and its requests. */
export interface Caller {
  /** A request arrived. */
  call(request: Request): HttpCall;
  /** The response to a call has been sent, or could not be. */
  answered(): void;
}

/** Options of the server. */
export interface InnerOptions {
  /** Maximum silence within a body, in milliseconds. */
  readonly bodyMs: number;
  readonly log: Logger;
  /** Never rejects. */
  answer(call: HttpCall): Answer | Promise<Answer>;
  /** Waits for the memory of a response, if it needs some. */
  admit(answer: Response, request: Answered): Promise<Admitted> | undefined;
  /** Returns the response to a request that failed. */
  fault(error: unknown): Response;
}

/** How long a response waits for the end of a request whose body has stopped, in milliseconds. */
const HOLD_MS = 1000;
/** How long it waits while the body goes on, in milliseconds. */
const HOLD_LONGEST_MS = 10_000;

/**
 * The platform's server on loopback, to which connections are forwarded. Opened for the first of
 * them.
 */
export class InnerServer {
  readonly #options: InnerOptions;
  /** Opened again if it fails. */
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  /** By the source port of a connection, as long as it is open. */
  readonly #callers = new Map<number, Caller>();

  constructor(options: InnerOptions) {
    this.#options = options;
  }

  /** Opens a connection, whose requests are `caller`'s. */
  async connect(caller: Caller): Promise<Deno.TcpConn> {
    this.#server ??= this.#open();
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: this.#server.addr.port });
    conn.setNoDelay(true);
    // Nothing has been sent yet, so no request can arrive before its caller is known.
    this.#callers.set(conn.localAddr.port, caller);
    return conn;
  }

  /** The connection of `caller` has ended; another one may have its port by now. */
  disconnect(conn: Deno.TcpConn, caller: Caller): void {
    const { port } = conn.localAddr;
    if (this.#callers.get(port) === caller) this.#callers.delete(port);
  }

  /** Closes each connection after its pending responses. Never rejects. */
  async shutdown(): Promise<void> {
    await this.#server?.shutdown().catch(() => {});
  }

  #open(): Deno.HttpServer<Deno.NetAddr> {
    const server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      onError: (error) => this.#options.fault(error),
    }, (request, info) => this.#answer(request, info));
    // Such as when file descriptors run out; its accept loop does not continue after that.
    server.finished.catch((error) => {
      this.#options.log.error("The inner server ended; opening another", { error });
      if (this.#server === server) this.#server = undefined;
    });
    return server;
  }

  #answer(
    request: Request,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Response | Promise<Response> {
    const caller = this.#callers.get(info.remoteAddr.port);
    if (caller === undefined) {
      return new Response("Cannot serve a connection that bypasses the listener\n", {
        status: 403,
        headers: { connection: "close" },
      });
    }
    return this.#answerCall(caller, caller.call(request), info);
  }

  async #answerCall(
    caller: Caller,
    call: HttpCall,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    const given = await this.#options.answer(call);
    const dropping = dropUnread(call, this.#options.bodyMs);
    if (given instanceof ShortAnswer) {
      // Complete once it is returned, as the platform sees it: it has no body.
      if (dropping !== undefined) await dropping.ended;
      caller.answered();
      return toResponse(given);
    }
    const answered = () => caller.answered();
    info.completed.then(answered, answered);
    const response = await this.#admit(call, info.completed, given);
    return dropping === undefined ? response : await heldOpen(response, dropping);
  }

  async #admit(call: HttpCall, completed: Promise<void>, given: Response): Promise<Response> {
    const { method, target, rawHeaders: headers, peer, tls, gone } = call;
    const request = { method, target, version: "2", headers, facts: { peer, tls, gone } } as const;
    const admitted = this.#options.admit(given, request);
    if (admitted === undefined) return given;
    const { answer, room } = await admitted;
    const release = (): void => room?.[Symbol.dispose]();
    completed.then(release, release);
    return toResponse(answer);
  }
}

/**
 * A response that does not end before its request: over HTTP/2, it would discard the rest of the
 * stream. It is sent earlier only if the body stops or is slow, because curl 7 then stops in the
 * middle of its body, and reports a broken stream.
 */
async function heldOpen(response: Response, dropping: Dropping): Promise<Response> {
  const { ended } = dropping;
  if (response.body === null) {
    await ended;
    return response;
  }
  let isOver = false;
  const over = ended.then(() => {
    isOver = true;
  });
  const endMs = performance.now() + HOLD_LONGEST_MS;
  do await settle(over, HOLD_MS - Math.min(dropping.quietMs(), HOLD_MS - 1)); while (
    !isOver && dropping.quietMs() < HOLD_MS && performance.now() < endMs
  );
  if (isOver) return response;
  const body = response.body.pipeThrough(new TransformStream({ flush: () => ended }));
  return new Response(body, response);
}
