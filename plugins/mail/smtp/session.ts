import { WireError } from "../../../core/bytes/decoder.ts";
import { compact } from "../../../core/compact.ts";
import { BufferedWire } from "../../../core/net/buffered_wire.ts";
import {
  type LineCommand,
  LineSession,
  NO_COMMAND,
  type RefusedCommand,
  type Verdict,
} from "../../../core/net/line_session.ts";
import { MemoryFullError } from "../../../core/errors.ts";
import { type Memory, unboundedMemory } from "../../../core/memory/budget.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { reserveUpgrade } from "../../../core/memory/upgrade.ts";
import { FaultEnd } from "../../../core/net/network_fault.ts";
import { DisconnectedError, IdleError, type Transport } from "../../../core/net/transport.ts";
import { decodeCommand } from "./codec/command.ts";
import { PathError } from "./codec/path.ts";
import { encodeReply, type Reply, toReply } from "./codec/reply.ts";
import type { Credentials } from "./codec/sasl.ts";
import {
  type Conversation,
  SmtpError,
  type SmtpHandler,
  type SmtpLimits,
  type SmtpPhase,
  type Transaction,
} from "./conversation.ts";
import { QueuedWire } from "./queued_wire.ts";
import { Transcript } from "./transcript.ts";
import { VERBS } from "./verbs.ts";

/** Consecutive errors after which the connection is closed. */
const MAX_ERRORS = 20;
/** Commands without a message after which the connection is closed. */
const MAX_COMMANDS = 10_000;
const MAX_TRANSCRIPT_BYTES = 49_152;
/** First byte of a TLS handshake: RFC 8446 section 5.1. */
const TLS_HANDSHAKE = 0x16;
/** Request methods of HTTP: the body of a browser's request must not be read as commands. */
const HTTP_METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)$/;

/** Commands that a fault can refuse; a message is refused where it is delivered. */
const PHASES: Readonly<Record<string, SmtpPhase>> = {
  EHLO: "helo",
  HELO: "helo",
  AUTH: "auth",
  MAIL: "mail",
  RCPT: "rcpt",
};

export interface SessionOptions {
  readonly limits: SmtpLimits;
  readonly handler: SmtpHandler;
  /** Whether the connection already uses TLS. */
  readonly tls: boolean;
  /** Ends a session while it waits for a command. */
  readonly signal: AbortSignal;
  /** Budget of the messages; without it, memory is not counted. */
  readonly memory?: Memory;
}

/**
 * Serves one SMTP conversation (RFC 5321) to its end. Errors of the peer are answered and recorded;
 * rejects only with errors of this program.
 */
export async function serveSmtp(wire: Transport, options: SessionOptions): Promise<void> {
  await using session = new Session(wire, options);
  await session.serve();
}

class Session extends LineSession<Reply> implements Conversation, AsyncDisposable {
  readonly limits: SmtpLimits;
  readonly handler: SmtpHandler;
  helo: string | undefined;
  credentials: Credentials | undefined;
  readonly #raw: Transport;
  readonly #signal: AbortSignal;
  #queued: QueuedWire;
  #wire: BufferedWire;
  #tls: boolean;
  /** The transport inside STARTTLS. */
  #inner: Transport | undefined;
  /** Memory of a connection over TLS. */
  #upgraded: MemoryLease | undefined;
  #waiting = false;
  #commands = 0;
  #pooled = false;
  #transaction: Transaction | undefined;
  readonly #transcript = new Transcript(MAX_TRANSCRIPT_BYTES);

  constructor(wire: Transport, options: SessionOptions) {
    super({ maxErrors: MAX_ERRORS, memory: options.memory ?? unboundedMemory() });
    this.limits = options.limits;
    this.handler = options.handler;
    this.#raw = wire;
    this.#tls = options.tls;
    this.#signal = options.signal;
    this.#queued = this.#queue(wire);
    this.#wire = new BufferedWire(this.#queued, { reuse: true });
  }

  get transaction(): Transaction | undefined {
    return this.#transaction;
  }

  /** Releases the memory of the previous one. */
  set transaction(next: Transaction | undefined) {
    this.#transaction?.chunks?.[Symbol.dispose]();
    this.#transaction = next;
  }

  get wire(): BufferedWire {
    return this.#wire;
  }

  get tls(): boolean {
    return this.#tls;
  }

  async serve(): Promise<void> {
    const stop = (): void => {
      // The connection ends anyway.
      this.#shutDown().catch(() => {});
    };
    this.#signal.addEventListener("abort", stop);
    try {
      await this.#greetAndConverse();
    } catch (error) {
      await this.#breakOff(error);
    } finally {
      this.#signal.removeEventListener("abort", stop);
    }
  }

  note(bytes: Uint8Array): void {
    this.#transcript.add(bytes);
  }

  transcript(): Uint8Array {
    return this.#transcript.bytes();
  }

  delivered(): void {
    this.#commands = 0;
    this.#pooled = true;
    this.#transcript.clear();
  }

  async startTls(goAhead: Reply): Promise<MemoryFullError | undefined> {
    const lease = await reserveUpgrade(this.memory);
    if (lease instanceof MemoryFullError) return lease;
    this.#upgraded = lease;
    await this.send(goAhead);
    await this.#queued.flush();
    this.#inner = await this.handler.startTls(this.#raw);
    this.#queued = this.#queue(this.#inner);
    this.#wire = new BufferedWire(this.#queued, { reuse: true });
    this.#tls = true;
    this.helo = undefined;
    this.credentials = undefined;
    this.transaction = undefined;
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    using _ = this.#upgraded;
    this.transaction = undefined;
    await this.#inner?.[Symbol.asyncDispose]();
  }

  #queue(wire: Transport): QueuedWire {
    return new QueuedWire(wire, { writeIdleMs: this.limits.writeIdleMs });
  }

  async #greetAndConverse(): Promise<void> {
    if (this.#tls) {
      const lease = await reserveUpgrade(this.memory);
      if (lease instanceof MemoryFullError) {
        this.#refuse({ reason: lease.message, status: 421 });
        await this.send(toReply(421, "4.3.2", `Service not available: ${lease.message}`));
        return await this.#queued.flush();
      }
      this.#upgraded = lease;
    }
    const refusal = await this.#fault("connect");
    if (refusal !== undefined) {
      await this.send(refusal);
      return await this.#queued.flush();
    }
    await this.send(toReply(220, undefined, `${this.limits.domain} ESMTP standin`));
    if (!this.#tls && await this.#speaksTls()) {
      this.#refuse({
        reason: "The client began with a TLS handshake on a port without implicit TLS: " +
          "set tls_port, or starttls, or turn TLS off in the client",
      });
      return;
    }
    if (!await this.converse() && this.transaction !== undefined) {
      throw new DisconnectedError(`${this.#wire.peer} disconnected in the middle of a transaction`);
    }
    await this.#queued.flush();
  }

  /** Peeks at the first byte. */
  async #speaksTls(): Promise<boolean> {
    this.#waiting = true;
    const first = await this.#wire.chunk({ idleMs: this.limits.readIdleMs });
    this.#waiting = false;
    if (first === undefined) return false;
    this.#wire.unread(first);
    if (first[0] === TLS_HANDSHAKE) this.note(first);
    return first[0] === TLS_HANDSHAKE;
  }

  override get waitingBytes(): number {
    return this.#wire.buffered;
  }

  /** Returns the next command line, the reply to one that is too long, or `undefined` at the end of the stream. */
  override async readLine(): Promise<Uint8Array | Reply | undefined> {
    const { maxLineBytes: maxBytes, readIdleMs: idleMs } = this.limits;
    const received = this.#queued.received - this.#wire.buffered;
    this.#waiting = true;
    try {
      return await this.#wire.line({ maxBytes, idleMs });
    } catch (error) {
      // Some clients reset the connection instead of ending it.
      if (error instanceof DisconnectedError && this.#queued.received === received) {
        return undefined;
      }
      if (!(error instanceof WireError)) throw error;
      const reply = toReply(500, "5.5.2", `Line too long: at most ${maxBytes} octets are accepted`);
      this.judge(reply, NO_COMMAND);
      return reply;
    } finally {
      this.#waiting = false;
    }
  }

  override decode(line: Uint8Array): LineCommand {
    this.note(line);
    return decodeCommand(line);
  }

  override run(
    { verb, argument }: LineCommand,
  ): Reply | undefined | Promise<Reply | undefined> {
    const known = VERBS.get(verb);
    if (known === undefined) {
      if (HTTP_METHOD.test(verb)) throw new SmtpError(421, "4.7.0", "This is SMTP, not HTTP");
      return toReply(500, "5.5.1", "Command unrecognized");
    }
    if (known.needsHello && this.helo === undefined) {
      return toReply(503, "5.5.1", "EHLO or HELO first");
    }
    const phase = PHASES[verb];
    const asked = phase === undefined ? undefined : this.#fault(phase, argument);
    if (asked === undefined) return known.run(this, argument);
    return asked.then((reply) => reply ?? known.run(this, argument));
  }

  #fault(phase: SmtpPhase, argument?: string): Promise<Reply | undefined> | undefined {
    const { helo, transaction } = this;
    return this.handler.fault?.(phase, () => ({
      ...compact({ argument }),
      helo,
      mailFrom: transaction?.mailFrom,
      rcptTo: transaction?.rcptTo,
      transcript: this.transcript(),
    }));
  }

  override replyTo(error: unknown, { verb }: LineCommand): Reply {
    if (error instanceof SmtpError) return error.reply;
    if (error instanceof WireError) return toSyntaxReply(verb, error);
    throw error;
  }

  override verdictOf(reply: Reply | undefined): Verdict {
    if (reply === undefined) return "neither";
    return reply.code < 400 ? "good" : reply.code >= 500 ? "error" : "neither";
  }

  override isNoted({ code, fault }: Reply): boolean {
    return fault === undefined && (code >= 500 || code === 421 || code === 451);
  }

  override afterReply({ tooManyErrors }: { readonly tooManyErrors: boolean }): void {
    if (++this.#commands > MAX_COMMANDS) throw new SmtpError(421, "4.7.0", "Too many commands");
    if (tooManyErrors) throw new SmtpError(421, "4.7.0", "Too many errors");
  }

  /** Ends the conversation after a fault, with a reply if the peer still listens. */
  async #breakOff(error: unknown): Promise<void> {
    if (error instanceof FaultEnd) return;
    if (error instanceof DisconnectedError) {
      // Hanging up before the last reply loses nothing.
      const harmless = this.#queued.writeFailed && this.transaction === undefined;
      if (!harmless && !this.#signal.aborted) this.#refuse({ reason: error.message });
      return;
    }
    if (error instanceof SmtpError) {
      this.#refuse({ status: error.reply.code, reason: error.message });
      return await this.#farewell(error.reply);
    }
    if (error instanceof IdleError) {
      // A client may keep its connection for later.
      const pooled = this.#pooled && this.transaction === undefined;
      if (!pooled) this.#refuse({ status: 421, reason: error.message });
      return await this.#farewell(toReply(421, "4.4.2", "No command was received for too long"));
    }
    this.#refuse({ status: 421, reason: "The service failed" });
    await this.#farewell(toReply(421, "4.3.0", "The service failed"));
    throw error;
  }

  async #farewell(reply: Reply): Promise<void> {
    try {
      await this.send(reply);
      await this.#queued.flush();
    } catch (error) {
      if (error instanceof DisconnectedError || error instanceof IdleError) return;
      throw error;
    }
  }

  /** Closes a connection that waits for a command; a message under way may finish. */
  async #shutDown(): Promise<void> {
    if (!this.#waiting || this.transaction !== undefined) {
      this.ended = true;
      return;
    }
    await this.#farewell(toReply(421, "4.3.2", "The service is stopping"));
    await this.#raw[Symbol.asyncDispose]();
  }

  override refused(refused: RefusedCommand): void {
    this.#refuse(refused);
  }

  #refuse(note: { reason: string; status?: number; method?: string; path?: string }): void {
    this.handler.refuse({ ...note, raw: this.transcript() });
    this.#transcript.clear();
  }

  override send(reply: Reply): Promise<void> {
    return this.#queued.write(encodeReply(reply));
  }
}

function toSyntaxReply(verb: string, error: WireError): Reply {
  // RFC 3463 section 3.2: faults of addresses have their own codes.
  if (error instanceof PathError) {
    return toReply(501, verb === "MAIL" ? "5.1.7" : "5.1.3", error.message);
  }
  return toReply(verb === "" ? 500 : 501, "5.5.2", error.message);
}
