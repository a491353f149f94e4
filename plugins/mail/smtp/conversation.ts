/** Types shared by session, verbs and provider. */
import type { BufferedWire } from "../../../core/net/buffered_wire.ts";
import type { MemoryFullError } from "../../../core/errors.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { type Reply, toReply } from "./codec/reply.ts";
import type { Credentials } from "./codec/sasl.ts";
import type { MessageBuffer } from "./message_buffer.ts";

export interface SmtpLimits {
  /** Name in the greeting. */
  readonly domain: string;
  readonly maxMessageBytes: number;
  readonly maxRecipients: number;
  /** Longest command line, including its line end. */
  readonly maxLineBytes: number;
  readonly readIdleMs: number;
  readonly writeIdleMs: number;
  /** Whether MAIL needs AUTH before it. */
  readonly authRequired: boolean;
  /** Whether STARTTLS is offered. */
  readonly starttls: boolean;
}

/** Callbacks of a session. */
export interface SmtpHandler {
  authenticate(credentials: Credentials): boolean;
  /** Stores the message and resolves with its id. Rejects with `SmtpError` if it cannot. */
  deliver(message: ReceivedMessage): Promise<string>;
  /** Records a refused command or broken conversation. */
  refuse(note: RefusedNote): void;
  /** Server side of a TLS handshake. */
  startTls(wire: Transport): Promise<Transport>;
  /**
   * Returns the reply that a fault wants in this phase, if any. Rejects with `FaultEnd` if it ends the conversation.
   * Absent without faults.
   */
  fault?(phase: SmtpPhase, about: () => PhaseAbout): Promise<Reply | undefined> | undefined;
}

/** Context of a fault before a message has arrived. */
export type SmtpPhase = "connect" | "helo" | "auth" | "mail" | "rcpt";

/** Known parts of the conversation. */
export interface PhaseAbout {
  readonly argument?: string;
  readonly helo?: string | undefined;
  readonly mailFrom?: string | undefined;
  readonly rcptTo?: readonly string[] | undefined;
  /** Data that the client has sent so far. */
  readonly transcript: Uint8Array;
}

export interface RefusedNote {
  readonly reason: string;
  readonly raw: Uint8Array;
  /** Reply code. */
  readonly status?: number;
  /** Verb of the command. */
  readonly method?: string;
  /** Its arguments. */
  readonly path?: string;
}

/** Values of BODY: RFC 6152. */
export type Body = "7BIT" | "8BITMIME";

export interface ReceivedMessage {
  /** Empty for the null reverse-path. */
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
  /** Without the added dots. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Name in EHLO or HELO. */
  readonly helo: string;
  readonly tls: boolean;
  readonly body?: Body;
  readonly smtputf8: boolean;
  readonly credentials?: Credentials;
  /** Oddities of the conversation. */
  readonly warnings: readonly string[];
}

/** From MAIL to the end of the message: RFC 5321 section 3.3. */
export interface Transaction {
  readonly mailFrom: string;
  readonly rcptTo: string[];
  readonly body?: Body;
  readonly smtputf8: boolean;
  readonly warnings: string[];
  /** Number of recipients refused because there were too many. */
  refusedRecipients: number;
  /** Chunks of BDAT so far. */
  chunks?: MessageBuffer;
  /** Whether a chunk was refused: only RSET helps (RFC 3030 section 2). */
  failed?: boolean;
}

/** State of one connection, changed by the verbs. */
export interface Conversation {
  readonly limits: SmtpLimits;
  readonly handler: SmtpHandler;
  readonly memory: Memory;
  readonly wire: BufferedWire;
  /** Name in EHLO or HELO. */
  helo?: string | undefined;
  readonly tls: boolean;
  credentials?: Credentials | undefined;
  transaction?: Transaction | undefined;
  /** Whether the connection ends after the next reply. */
  ended: boolean;
  /** Adds bytes of the client to the transcript. */
  note(bytes: Uint8Array): void;
  /** Returns the last bytes from the client since the previous message; at most 48 KiB. */
  transcript(): Uint8Array;
  /** Starts a new transcript after a message. */
  delivered(): void;
  /**
   * Sends `goAhead`, then continues over TLS with a fresh state (RFC 3207 section 4.2). Returns the refusal if there is
   * no memory for that.
   */
  startTls(goAhead: Reply): Promise<MemoryFullError | undefined>;
}

/** Thrown to end a command with a reply. */
export class SmtpError extends Error {
  override name = "SmtpError";
  readonly reply: Reply;

  constructor(reply: Reply);
  constructor(code: number, enhanced: string, text: string);
  constructor(given: Reply | number, enhanced = "", text = "") {
    const reply = typeof given === "number" ? toReply(given, enhanced, text) : given;
    super(reply.lines.join(" "));
    this.reply = reply;
  }
}
