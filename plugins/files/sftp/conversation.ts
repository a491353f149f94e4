import type { Fault, RejectedNote } from "../../../core/plugin.ts";
import type { FileAsk, FilePhase } from "../faults.ts";
import type { Actor } from "../record.ts";
import type { Vfs } from "../vfs/vfs.ts";
import type { Handles } from "./handles.ts";

/** Environment of a session. */
export interface SftpHandler {
  readonly vfs: Vfs;
  readonly actor: Actor;
  /** Records a refusal or an aborted transfer. */
  refuse(note: RejectedNote): void;
  /** Reports an internal error, which the client saw in general terms. */
  fault(error: unknown): void;
  /** Returns the fault of a rule, if one applies; absent without rules. */
  ask?(phase: FilePhase, about: () => FileAsk): Promise<Fault | undefined> | undefined;
  /** Applies a network fault to the connection. */
  disturb?(fault: Fault): void;
  now(): Date;
}

/** Context for answering requests. */
export interface SftpState {
  readonly handler: SftpHandler;
  readonly handles: Handles;
  /** Waits for work during which nothing more is taken from the client. */
  readonly channel: { holdUp(work: Promise<void>): Promise<void> };
}
