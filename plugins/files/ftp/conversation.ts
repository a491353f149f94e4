import type { MemoryFullError } from "../../../core/errors.ts";
import type { Fault, RejectedNote } from "../../../core/plugin.ts";
import type { Actor } from "../record.ts";
import type { Vfs } from "../vfs/vfs.ts";
import type { Fact } from "./codec/listing.ts";
import type { Reply } from "./codec/reply.ts";
import type { ControlWire } from "./control_wire.ts";
import type { DataChannel, Protection } from "./data_channel.ts";
import type { FtpAsk, FtpPhase } from "./faults.ts";

/** Login of a client. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Environment of a session. */
export interface FtpHandler {
  readonly vfs: Vfs;
  admits(credentials: Credentials): boolean;
  /** Returns the author of changes to the tree; its `meta` is copied to events. */
  actor(credentials: Credentials, meta: Readonly<Record<string, unknown>>): Actor;
  /** Records a refusal or an aborted transfer. */
  refuse(note: RejectedNote): void;
  /** Reports an internal error, which the client saw in general terms. */
  fault(error: unknown): void;
  /** Returns the fault of a rule, if one applies; absent without rules. */
  ask?(phase: FtpPhase, about: () => FtpAsk): Promise<Fault | undefined> | undefined;
  now(): Date;
}

/** Limits of a session; times in milliseconds. */
export interface FtpLimits {
  readonly idleMs: number;
  /** Maximum silence of a data connection. */
  readonly stallMs: number;
  /**
   * Time between the end of an upload and the end of the control connection in which the client counts as killed: it
   * closes both, and its file is not complete.
   */
  readonly graceMs: number;
  /** Minimum of that time, after an upload without long pauses. */
  readonly steadyGraceMs: number;
  /** That time for a file that arrived all at once, so that many small files take little time. */
  readonly swiftGraceMs: number;
  /** That time over TLS, where the end of a connection takes longer. */
  readonly tlsGraceMs: number;
  /** Address in the reply to PASV, instead of the one that the client reached. */
  readonly passiveHost: string | undefined;
}

/** State of TLS: not offered, offered, or in use on the control connection. */
export type TlsState = "absent" | "offered" | "active";

/** State of one session, shared by its verbs. */
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
  /** Author of changes to the tree; only after a login. */
  readonly actor: Actor;
  /** Set by USER. */
  user: string | undefined;
  failedLogins: number;
  /** Set by PASS; before it only a few verbs are available. */
  credentials: Credentials | undefined;
  cwd: string;
  /** Path of RNFR; the next command must be RNTO. */
  renameFrom: string | undefined;
  /** Offset of REST, for the next transfer only. */
  restart: number;
  /** After `EPSV ALL`, other kinds of data connections are refused (RFC 2428 section 4). */
  extendedOnly: boolean;
  facts: readonly Fact[];
  /** Set by QUIT and by replies with code 421. */
  ended: boolean;
  send(reply: Reply): Promise<void>;
  /** The fault of the current transfer, which its events name. */
  askTransfer(): Promise<Fault | undefined> | undefined;
  /** Sends the reply and continues within TLS, as with a new client. Returns the refusal if there is no memory for it. */
  startTls(goAhead: Reply): Promise<MemoryFullError | undefined>;
}

/** A command and its implementation. */
export interface Verb {
  /** Whether it is available before a login. */
  readonly open?: true;
  /** Syntax of the argument, for HELP and for 501 if it is missing. */
  readonly argument?: string;
  run(
    session: Conversation,
    argument: string,
  ): Reply | undefined | Promise<Reply | undefined>;
}

/** Verbs by name. */
export type VerbTable = Readonly<Record<string, Verb>>;
