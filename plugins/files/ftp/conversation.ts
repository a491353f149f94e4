import type { Fault, RejectedNote } from "../../../core/plugin.ts";
import type { Actor } from "../record.ts";
import type { Vfs } from "../vfs/vfs.ts";
import type { Fact } from "./codec/listing.ts";
import type { Reply } from "./codec/reply.ts";
import type { ControlWire } from "./control_wire.ts";
import type { DataChannel, Protection } from "./data_channel.ts";
import type { FtpAsk, FtpPhase } from "./faults.ts";

/** What a client says of itself. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** What a session asks of its owner. */
export interface FtpHandler {
  readonly vfs: Vfs;
  admits(credentials: Credentials): boolean;
  /** Who changes the tree; `meta` goes on its events. */
  actor(credentials: Credentials, meta: Readonly<Record<string, unknown>>): Actor;
  /** Notes what was refused or broken off. */
  refuse(note: RejectedNote): void;
  /** Reports a fault of ours that the client was told of in general terms. */
  fault(error: unknown): void;
  /** The fault that a rule wants, if any; absent where there are none. */
  ask?(phase: FtpPhase, about: () => FtpAsk): Promise<Fault | undefined> | undefined;
  now(): Date;
}

/** Limits of a session; times in milliseconds. */
export interface FtpLimits {
  readonly idleMs: number;
  /** A data connection without progress. */
  readonly stallMs: number;
  /**
   * After the end of an upload, time for the end of the control connection to arrive too: a client that was killed
   * closes both, and its file is not complete.
   */
  readonly graceMs: number;
  /** The same for what came whole at once, so that many small files take no longer than they must. */
  readonly swiftGraceMs: number;
  /** The same where the end of a connection has the longer way through TLS. */
  readonly tlsGraceMs: number;
  /** Address that PASV gives, instead of the one that the client reached. */
  readonly passiveHost: string | undefined;
}

/** How much of TLS there is: not even an offer, an offer, or all of the control connection. */
export type TlsState = "absent" | "offered" | "active";

/** State of one session that its verbs work on. */
export interface Conversation {
  readonly handler: FtpHandler;
  readonly limits: FtpLimits;
  readonly control: ControlWire;
  readonly data: DataChannel;
  readonly tls: TlsState;
  /** Set by PBSZ. */
  bufferAgreed: boolean;
  /** Set by PROT. */
  protection: Protection;
  /** Who changes the tree; only after a login. */
  readonly actor: Actor;
  /** Set by USER. */
  user: string | undefined;
  failedLogins: number;
  /** Set by PASS; nothing but a few verbs is answered before. */
  credentials: Credentials | undefined;
  cwd: string;
  /** Path that RNFR named; the next command must be RNTO. */
  renameFrom: string | undefined;
  /** Offset that REST gave, for the next transfer only. */
  restart: number;
  /** After `EPSV ALL`, other ways to a data connection are refused (RFC 2428 section 4). */
  extendedOnly: boolean;
  facts: readonly Fact[];
  /** Set by QUIT and by replies with code 421. */
  ended: boolean;
  send(reply: Reply): Promise<void>;
  /** The fault of the transfer whose data connection is open now; what it captures then names it. */
  askTransfer(): Promise<Fault | undefined> | undefined;
  /** Sends the reply and goes on within TLS, as if the client had just come. */
  startTls(goAhead: Reply): Promise<void>;
}

/** A command with its owner's meaning. */
export interface Verb {
  /** Answered before a login, too. */
  readonly open?: true;
  /** Syntax of the argument, for HELP and for 501 when it is missing. */
  readonly argument?: string;
  run(
    session: Conversation,
    argument: string,
  ): Reply | undefined | Promise<Reply | undefined>;
}

/** Verbs by name. */
export type VerbTable = Readonly<Record<string, Verb>>;
