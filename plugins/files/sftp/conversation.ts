import type { Fault, RejectedNote } from "../../../core/plugin.ts";
import type { FileAsk, FilePhase } from "../faults.ts";
import type { Actor } from "../record.ts";
import type { Vfs } from "../vfs/vfs.ts";
import type { Handles } from "./handles.ts";

/** What a session asks of its owner. */
export interface SftpHandler {
  readonly vfs: Vfs;
  readonly actor: Actor;
  /** Notes what was refused or broken off. */
  refuse(note: RejectedNote): void;
  /** Reports a fault of ours that the client was told of in general terms. */
  fault(error: unknown): void;
  /** The fault that a rule wants, if any; absent where there are none. */
  ask?(phase: FilePhase, about: () => FileAsk): Promise<Fault | undefined> | undefined;
  /** Does to the connection what a fault of networks says. */
  disturb?(fault: Fault): void;
  now(): Date;
}

/** What requests are answered with. */
export interface SftpState {
  readonly handler: SftpHandler;
  readonly handles: Handles;
}
