/**
 * What session, verbs and the owner of a session share.
 *
 * @module
 */
import type { BufferedWire } from "../../../core/net/buffered_wire.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { type Reply, toReply } from "./codec/reply.ts";
import type { Credentials } from "./codec/sasl.ts";
import type { MessageBuffer } from "./message_buffer.ts";

/** What a session is told by its options. */
export interface SmtpLimits {
  /** Name in the greeting. */
  readonly domain: string;
  readonly maxMessageBytes: number;
  readonly maxRecipients: number;
  /** Of a command line, its line end included. */
  readonly maxLineBytes: number;
  readonly readIdleMs: number;
  readonly writeIdleMs: number;
  /** Whether MAIL needs AUTH before it. */
  readonly authRequired: boolean;
  /** Whether STARTTLS is offered. */
  readonly starttls: boolean;
}

/** What the session leaves to its owner. */
export interface SmtpHandler {
  /** Whether these credentials may pass. */
  authenticate(credentials: Credentials): boolean;
  /** Keeps the message; resolves with the id under which it is found. Rejects with `SmtpError` when it cannot. */
  deliver(message: ReceivedMessage): Promise<string>;
  /** Notes what was refused or broken off. */
  refuse(note: RefusedNote): void;
  /** Server side of a TLS handshake. */
  startTls(wire: Transport): Promise<Transport>;
}

/** Why something made no message. */
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

/** One message as it came, with its envelope. */
export interface ReceivedMessage {
  /** Empty for the null reverse-path. */
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
  /** After the dots were removed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Name that the client gave in EHLO or HELO. */
  readonly helo: string;
  readonly tls: boolean;
  readonly body?: Body;
  readonly smtputf8: boolean;
  readonly credentials?: Credentials;
  /** What was odd about the conversation. */
  readonly warnings: readonly string[];
}

/** From MAIL to the end of the message: RFC 5321 section 3.3. */
export interface Transaction {
  readonly mailFrom: string;
  readonly rcptTo: string[];
  readonly body?: Body;
  readonly smtputf8: boolean;
  readonly warnings: string[];
  /** Recipients refused because there were too many. */
  refusedRecipients: number;
  /** Chunks so far, once BDAT was used. */
  chunks?: MessageBuffer;
  /** A chunk was refused: only RSET helps (RFC 3030 section 2). */
  failed?: boolean;
}

/** The state of one connection, which the verbs change. */
export interface Conversation {
  readonly limits: SmtpLimits;
  readonly handler: SmtpHandler;
  /** Where messages take their memory from. */
  readonly memory: Memory;
  readonly wire: BufferedWire;
  /** Name given in EHLO or HELO. */
  helo?: string | undefined;
  readonly tls: boolean;
  credentials?: Credentials | undefined;
  transaction?: Transaction | undefined;
  /** Set by QUIT and by what must end the connection after its reply. */
  ended: boolean;
  /** Adds what the client sent to the record of a refusal. */
  note(bytes: Uint8Array): void;
  /** What the client sent since the last message, for the record; at most a few kilobytes. */
  transcript(): Uint8Array;
  /** Begins a new record: the client has a message in. */
  delivered(): void;
  /** Sends `goAhead`, then goes on over TLS, knowing nothing of what was said before (RFC 3207 section 4.2). */
  startTls(goAhead: Reply): Promise<void>;
}

/** A refusal that ends a command from within; it becomes the reply. */
export class SmtpError extends Error {
  override name = "SmtpError";
  readonly reply: Reply;

  constructor(code: number, enhanced: string, text: string) {
    super(text);
    this.reply = toReply(code, enhanced, text);
  }
}
