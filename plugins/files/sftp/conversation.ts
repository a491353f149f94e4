import type { RejectedNote } from "../../../core/plugin.ts";
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
  now(): Date;
}

/** What requests are answered with. */
export interface SftpState {
  readonly handler: SftpHandler;
  readonly handles: Handles;
}
