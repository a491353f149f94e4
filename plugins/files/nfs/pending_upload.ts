import { compact } from "../../../core/compact.ts";
import type { Actor } from "../record.ts";
import type { Draft } from "../vfs/draft.ts";
import type { DirNode, FileNode } from "../vfs/node.ts";
import { type NodeChanges, TICK_MS } from "../vfs/tree.ts";
import type { Stored } from "../vfs/vfs.ts";

/** Who writes. */
export interface Writer {
  readonly actor: Actor;
  /** Names the machine, whichever connection it uses. */
  readonly client: string;
}

/** Times and mode as the clients of NFS see them, ahead of the tree. */
export type WorkAbout = { -readonly [K in keyof NodeChanges]: NodeChanges[K] } & {
  mtimeMs: number;
  ctimeMs: number;
};

/** A file that is being written: what NFS shows of it, before it is an upload that everybody sees. */
export class PendingUpload {
  /** In the tree, or, where it was made by NFS, with its place in it to come. */
  readonly node: FileNode;
  /** Not in the tree yet. */
  readonly created: boolean;
  readonly draft: Draft;
  readonly about: WorkAbout;
  /** How often the tree had been emptied when this began. */
  readonly clears: number;
  writer: Writer;
  /** Name of the procedure that wrote last. */
  procedure: string;
  /** Rises with every change to the bytes. */
  version = 0;
  /** Of the last change that the client was told may be lost. */
  unstableVersion = 0;
  /** Up to which the client was told that bytes are kept. */
  committedVersion = 0;
  /** The client was told that bytes could not be kept. */
  failed = false;
  /** Where a write was refused for want of room; the file is not whole before it is done again. */
  refusedAt: number | undefined;
  stored: { readonly bytes: Stored; readonly version: number } | undefined;
  storing: Promise<void> | undefined;
  /** Written since the bytes were stored last. */
  unstoredBytes = 0;
  /** Something of it is kept on disk. */
  noted = false;
  /** No longer pending. */
  gone = false;
  /** On the clock of `performance`. */
  touchedMs = performance.now();
  /** Resolves when it is an upload; until then it is not to be changed. */
  settling: Promise<void> | undefined;

  constructor(
    node: FileNode,
    options: {
      created: boolean;
      draft: Draft;
      clears: number;
      writer: Writer;
      procedure: string;
    },
  ) {
    const { atimeMs, mode } = node;
    this.node = node;
    this.created = options.created;
    this.draft = options.draft;
    this.clears = options.clears;
    this.writer = options.writer;
    this.procedure = options.procedure;
    this.about = {
      mtimeMs: node.mtimeMs,
      ctimeMs: node.ctimeMs,
      ...compact({ atimeMs, mode }),
    };
  }

  /** Whether the client was told that some of the bytes may be lost. */
  get unstable(): boolean {
    return this.unstableVersion > this.committedVersion;
  }

  /** Where it lies; `undefined` once its directory was told to forget it. */
  get parent(): DirNode | undefined {
    return this.node.parent;
  }

  /** Notes a change of the bytes. */
  changed(
    by: Writer & { readonly procedure: string },
    about: { nowMs: number; bytes: number },
  ): void {
    this.version++;
    this.unstoredBytes += about.bytes;
    this.procedure = by.procedure;
    this.about.mtimeMs = about.nowMs;
    this.touched(by, about.nowMs);
  }

  /** Notes a change of any kind. */
  touched(by: Writer, nowMs: number): void {
    this.writer = by;
    this.touchedMs = performance.now();
    this.about.ctimeMs = Math.max(nowMs, this.about.ctimeMs + TICK_MS);
  }
}
