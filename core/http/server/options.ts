import type { NewRejected } from "../../events/journal.ts";
import type { Logger } from "../../log.ts";
import type { Memory } from "../../memory/budget.ts";
import type { RefusedConnection } from "../../net/server.ts";
import type { RefusedHead } from "../../plugin.ts";
import type { TlsIdentity } from "../../tls/identity.ts";
import type { HttpHandler } from "../call.ts";
import type { AnswerRoom } from "./wire/answer_room.ts";
import type { HeadRoom } from "./wire/head_room.ts";
import type { FrontLimits } from "./wire/limits.ts";

/** Options of `openHttpServer`. */
export interface HttpServerOptions {
  /** `localhost` listens on both loopback addresses. */
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether HTTP/2 with prior knowledge is served in the clear. */
  readonly h2c: boolean;
  /** Accepts TLS on the same port, recognized by its first byte. */
  readonly tls?: TlsIdentity;
  /**
   * Hosts for which `CONNECT host:443` is answered here, and never forwarded, so that a client with
   * the service as its proxy needs no other change; `*.` matches one label. Only with `tls`.
   */
  readonly tunnelHosts?: readonly string[];
  /** Simultaneous connections, 2000 by default; more get 503. */
  readonly maxConnections?: number;
  readonly limits?: Partial<FrontLimits>;
  /** Longest request head of HTTP/1 in bytes; by default `MAX_HEAD_BYTES`. */
  readonly maxHeadBytes?: number;
  /** Budget of connections over HTTP/2 and TLS; by default they are not counted. */
  readonly memory?: Memory;
  /** Shared by heads of HTTP/1 beyond 4 KiB; a head without room is answered 503. By default no limit. */
  readonly headRoom?: HeadRoom;
  /** Shared by responses beyond a few KiB; one without room is replaced by 503. By default no limit. */
  readonly answerRoom?: AnswerRoom;
  /** Upper bound of the grace that a stop gives, in milliseconds. */
  readonly stopMs?: number;
  readonly handler: HttpHandler;
  /** Returns the response to a request whose head is refused; by default plain text. */
  refuseHead?(refusal: RefusedHead): Response;
  /**
   * Called for every request that never reaches the handler: malformed, refused or unfinished. Its
   * raw bytes are valid until it returns.
   */
  onRefused(record: NewRejected): void;
  /** Called for each connection that is refused because `maxConnections` are open. */
  onFull?(turned: RefusedConnection): void;
  readonly log: Logger;
}
