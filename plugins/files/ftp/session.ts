import { WireError } from "../../../core/bytes/decoder.ts";
import { MemoryFullError, reasonOf } from "../../../core/errors.ts";
import { type Memory, unboundedMemory } from "../../../core/memory/budget.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { reserveUpgrade } from "../../../core/memory/upgrade.ts";
import {
  type LineCommand,
  LineSession,
  NO_COMMAND,
  type RefusedCommand,
  type Verdict,
} from "../../../core/net/line_session.ts";
import {
  DisconnectedError,
  DISPLACED,
  DisplacedError,
  HandshakeError,
  IdleError,
  type Net,
  type Transport,
} from "../../../core/net/transport.ts";
import { applyNetworkFault, FaultEnd } from "../../../core/net/network_fault.ts";
import type { Fault } from "../../../core/plugin.ts";
import type { Actor } from "../record.ts";
import { resolvePath } from "../vfs/path.ts";
import { decodeCommand } from "./codec/command.ts";
import { DEFAULT_FACTS, type Fact } from "./codec/listing.ts";
import { encodeReply, type Reply, toReply } from "./codec/reply.ts";
import { ControlWire } from "./control_wire.ts";
import type {
  Conversation,
  Credentials,
  FtpHandler,
  FtpLimits,
  TlsState,
  Verb,
} from "./conversation.ts";
import { DataChannel, type PortRange, type Protection } from "./data_channel.ts";
import { VfsError } from "../vfs/errors.ts";
import { refusalReply } from "./errors.ts";
import { type FtpAsk, type FtpPhase, phaseOf, replyOf } from "./faults.ts";
import { SECURITY_VERBS } from "./security_verbs.ts";
import { SESSION_VERBS } from "./session_verbs.ts";
import { TRANSFER_VERBS } from "./transfer_verbs.ts";
import { TREE_VERBS } from "./tree_verbs.ts";

const VERBS: ReadonlyMap<string, Verb> = new Map(
  Object.entries({ ...SESSION_VERBS, ...SECURITY_VERBS, ...TREE_VERBS, ...TRANSFER_VERBS }),
);

/** Longest command: the longest verb with a path of 4096 bytes. */
const MAX_LINE_BYTES = 4200;
const WRITE_IDLE_MS = 60_000;
/** Timeout of a TLS handshake. */
const HANDSHAKE_MS = 10_000;
/** Consecutive unknown commands before the session is closed. */
const MAX_ERRORS = 30;
/** Verbs with which clients probe for files and features: their refusals are not recorded. */
const PROBES =
  /^(SIZE|MDTM|MLST|MLSD|LIST|NLST|RETR|CWD|XCWD|CDUP|MKD|XMKD|AUTH|OPTS|STAT|HOST|SITE)$/;

/** Ends the wait for a command. */
const STOPPED = new Error("The service stops");
/** Reply when the service stops. */
const STOPPING = "The service stops";

/** Verbs that use up the offset of REST, whether they lead to a transfer or not. */
const TRANSFERS = /^(RETR|STOR|STOU|APPE|LIST|NLST|MLSD)$/;

/** Context of a session. */
export interface SessionOptions {
  readonly handler: FtpHandler;
  readonly limits: FtpLimits;
  readonly net: Net;
  /** Whether TLS is offered. */
  readonly tls: boolean;
  readonly ports: PortRange | undefined;
  /** Timeout for the client to open its data connection. */
  readonly acceptMs: number;
  /** Ends a session between two commands. */
  readonly signal: AbortSignal;
  /** Budget of connections within TLS; without it, memory is not counted. */
  readonly memory?: Memory;
}

/** Runs one FTP conversation (RFC 959) to its end; answers and records errors of the peer, and never throws them. */
export async function serveFtp(wire: Transport, options: SessionOptions): Promise<void> {
  const session = new Session(wire, options);
  try {
    await session.serve();
  } finally {
    await session.close();
  }
}

class Session extends LineSession<Reply> implements Conversation {
  readonly handler: FtpHandler;
  readonly limits: FtpLimits;
  readonly data: DataChannel;
  control: ControlWire;
  tls: TlsState;
  bufferAgreed = false;
  protection: Protection = "C";
  user: string | undefined;
  failedLogins = 0;
  credentials: Credentials | undefined;
  cwd = "/";
  renameFrom: string | undefined;
  restart = 0;
  extendedOnly = false;
  facts: readonly Fact[] = DEFAULT_FACTS;
  readonly #signal: AbortSignal;
  readonly #net: Net;
  /** The connection within AUTH TLS. */
  #inner: Transport | undefined;
  /** Memory of it. */
  #upgraded: MemoryLease | undefined;
  /** Subject of the latest request for faults. */
  #asked: { phase: FtpPhase; about: () => FtpAsk } = { phase: "connect", about: () => ({}) };
  /** Fault of a command that is carried out nevertheless. */
  #fault: Fault | undefined;
  /** Whether it waits for a command. */
  #isWaiting = false;
  /** Made once: a listener for each command costs as much as reading it. */
  readonly #onStop = (): void => {
    if (this.#isWaiting) this.control.interrupt(STOPPED);
  };

  constructor(wire: Transport, options: SessionOptions) {
    super({ maxErrors: MAX_ERRORS, memory: options.memory ?? unboundedMemory() });
    this.handler = options.handler;
    this.limits = options.limits;
    this.control = new ControlWire(wire);
    this.data = new DataChannel(wire, options);
    this.tls = options.tls ? "offered" : "absent";
    this.#signal = options.signal;
    this.#net = options.net;
    this.#signal.addEventListener("abort", this.#onStop, { once: true });
  }

  get actor(): Actor {
    const meta = {
      ...(this.tls === "active" ? { tls: true, prot: this.protection } : {}),
      ...(this.#fault === undefined ? {} : { fault: this.#fault.name }),
    };
    return this.handler.actor(this.credentials!, meta);
  }

  override async send(reply: Reply): Promise<void> {
    const fault = this.#fault;
    if (fault?.after && reply.code >= 200 && reply.code < 300) {
      this.#fault = undefined;
      return await this.send(await this.#applyNetworkFault(fault) ?? reply);
    }
    if (reply.code === 421) this.ended = true;
    await this.control.write(encodeReply(reply), WRITE_IDLE_MS);
  }

  async serve(): Promise<void> {
    try {
      const refusal = await this.#meet("connect", () => ({}));
      if (refusal !== undefined) return await this.send(refusal);
      await this.send(toReply(220, "Standin FTP: everything is kept, nothing is delivered"));
      await this.converse();
    } catch (error) {
      await this.#breakOff(error);
    }
  }

  async startTls(goAhead: Reply): Promise<MemoryFullError | undefined> {
    const lease = await reserveUpgrade(this.memory);
    if (lease instanceof MemoryFullError) {
      this.handler.refuse({ reason: lease.message, status: 431, method: "AUTH" });
      return lease;
    }
    this.#upgraded = lease;
    const { waiting } = this.control;
    if (waiting > 0) {
      this.handler.refuse({
        reason: `${waiting} bytes followed AUTH in the clear: they were discarded`,
        method: "AUTH",
      });
    }
    const outer = this.control.handOver();
    await this.send(goAhead);
    this.#inner = await this.#shakeHands(outer);
    this.control = new ControlWire(this.#inner);
    this.tls = "active";
    // RFC 2228 section 3: the client must log in again.
    this.user = undefined;
    this.credentials = undefined;
    this.cwd = "/";
    this.restart = 0;
    this.extendedOnly = false;
    await this.data.close();
    return undefined;
  }

  async close(): Promise<void> {
    using _ = this.#upgraded;
    this.#signal.removeEventListener("abort", this.#onStop);
    this.control.stop();
    await this.data.close();
    await this.#inner?.[Symbol.asyncDispose]();
  }

  async #shakeHands(wire: Transport): Promise<Transport> {
    try {
      return await this.#net.startTls(wire, { handshakeMs: HANDSHAKE_MS });
    } catch (error) {
      if (error instanceof HandshakeError) throw error;
      if (!(error instanceof IdleError)) this.handler.fault(error);
      // The client cannot be told in the clear.
      throw new HandshakeError(reasonOf(error));
    }
  }

  override get waitingBytes(): number {
    return this.control.waiting;
  }

  override async readLine(): Promise<Uint8Array | Reply | undefined> {
    if (this.#signal.aborted) return this.#stopReply();
    this.#isWaiting = true;
    try {
      return await this.control.line({ maxBytes: MAX_LINE_BYTES, idleMs: this.limits.idleMs });
    } catch (error) {
      if (error === STOPPED) return this.#stopReply();
      if (!(error instanceof WireError)) throw error;
      const reply = toReply(500, `${error.message}: it was ignored`);
      this.judge(reply, NO_COMMAND);
      return reply;
    } finally {
      this.#isWaiting = false;
    }
  }

  #stopReply(): Reply {
    return toReply(421, this.#signal.reason instanceof DisplacedError ? DISPLACED : STOPPING);
  }

  override decode(line: Uint8Array): LineCommand | undefined {
    const command = decodeCommand(line);
    // The rest of a line whose end arrived separately.
    return command.verb === "" && command.argument === "" ? undefined : command;
  }

  override replyTo(error: unknown): Reply {
    if (error instanceof FaultEnd) throw error;
    if (error instanceof DisconnectedError || error instanceof IdleError) throw error;
    return error instanceof WireError ? toReply(501, error.message) : this.#refusal(error);
  }

  #refusal(error: unknown): Reply {
    try {
      const reply = refusalReply(error);
      // The command itself is valid, so its sender may look for the cause.
      if (error instanceof VfsError && error.code === "busy") {
        this.handler.refuse({ reason: error.message, status: reply.code });
      }
      return reply;
    } catch (fault) {
      this.handler.fault(fault);
      return toReply(451, "The service failed");
    }
  }

  override async run({ verb, argument }: LineCommand): Promise<Reply | undefined> {
    const known = VERBS.get(verb);
    if (known === undefined) return toReply(500, `Command "${verb.slice(0, 20)}" is not known`);
    if (!known.open && this.credentials === undefined) {
      return toReply(530, "USER and PASS first");
    }
    if (known.argument !== undefined && argument === "") {
      return toReply(501, `Expected ${verb} ${known.argument}`);
    }
    try {
      this.#fault = undefined;
      const phase = phaseOf(verb);
      const refusal = phase && await this.#meet(phase, () => ({
        ...{ operation: verb, argument, path: this.#pathOf(argument) },
        user: this.user,
      }));
      return refusal ?? await known.run(this, argument);
    } finally {
      // RFC 959 section 4.1.3: RNTO follows RNFR immediately.
      if (verb !== "RNFR") this.renameFrom = undefined;
      if (TRANSFERS.test(verb)) this.restart = 0;
    }
  }

  askTransfer(): Promise<Fault | undefined> | undefined {
    const { about } = this.#asked;
    return this.handler.ask?.("transfer", about)?.then((fault) => {
      if (fault !== undefined) this.#fault = fault;
      return fault;
    });
  }

  /** Returns the reply of a fault; nothing if the session continues. Rejects with `FaultEnd` if it is over. */
  async #meet(phase: FtpPhase, about: () => FtpAsk): Promise<Reply | undefined> {
    this.#asked = { phase, about };
    const asked = this.handler.ask?.(phase, about);
    if (asked === undefined) return undefined;
    const fault = this.#fault = await asked;
    return fault === undefined || fault.after ? undefined : await this.#applyNetworkFault(fault);
  }

  async #applyNetworkFault(fault: Fault): Promise<Reply | undefined> {
    const { phase, about } = this.#asked;
    const reply = replyOf(fault, { phase, operation: about().operation ?? "" });
    if (reply === undefined) {
      await applyNetworkFault(fault, { wire: this.control.rest, signal: this.#signal });
    }
    return reply;
  }

  #pathOf(argument: string): string | undefined {
    try {
      return resolvePath(argument, this.cwd);
    } catch (error) {
      if (error instanceof VfsError) return undefined;
      throw error;
    }
  }

  override verdictOf(reply: Reply | undefined): Verdict {
    return reply === undefined || reply.code < 500 && reply.code !== 421 ? "good" : "error";
  }

  override isNoted(reply: Reply, { verb }: LineCommand): boolean {
    if (reply.fault || this.verdictOf(reply) === "good") return false;
    return !PROBES.test(verb) || reply.code === 552 || reply.code === 553;
  }

  override refused(command: RefusedCommand): void {
    this.handler.refuse(command);
  }

  override afterReply({ tooManyErrors }: { readonly tooManyErrors: boolean }): void {
    if (tooManyErrors) this.ended = true;
  }

  async #breakOff(error: unknown): Promise<void> {
    if (error instanceof FaultEnd) return;
    if (error instanceof HandshakeError) return this.handler.refuse({ reason: error.message });
    if (error instanceof DisconnectedError) {
      // Some clients leave with a reset between two commands.
      if (this.control.waiting > 0) this.handler.refuse({ reason: error.message });
      return;
    }
    if (error instanceof IdleError) {
      await this.control.write(
        encodeReply(toReply(421, "No command was received for too long")),
        1000,
      )
        .catch(() => {});
      return;
    }
    throw error;
  }
}
