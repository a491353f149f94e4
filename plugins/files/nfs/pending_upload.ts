import { compact } from "../../../core/compact.ts";
import type { Actor } from "../record.ts";
import type { Draft } from "../vfs/draft.ts";
import type { DirNode, FileNode } from "../vfs/node.ts";
import { type NodeChanges, TICK_MS } from "../vfs/tree_change.ts";
import type { Stored } from "../vfs/vfs.ts";

const PROVIDER = "nfs";

/** The writer. */
export interface Writer {
  readonly actor: Actor;
  /** Identifies the machine, whichever connection it uses. */
  readonly client: string;
}

/** A call of a writer. */
export interface WriterCall extends Writer {
  /** Its name. */
  readonly procedure: string;
}

/** Times and mode as NFS clients see them, ahead of the tree. */
export type WorkAbout = { -readonly [K in keyof NodeChanges]: NodeChanges[K] } & {
  mtimeMs: number;
  ctimeMs: number;
};

/** A file that is being written, as NFS shows it before it is an upload that everybody sees. */
export class PendingUpload {
  /** The node in the tree or, for a file created over NFS, one with its future place. */
  readonly node: FileNode;
  /** Not in the tree yet. */
  readonly created: boolean;
  readonly draft: Draft;
  readonly about: WorkAbout;
  /** `clears` of the tree when this started. */
  readonly clears: number;
  writer: Writer;
  /** Name of the last procedure that wrote. */
  procedure: string;
  /** Increases with every change to the bytes. */
  version = 0;
  /** Version of the last change that the client knows may be lost. */
  unstableVersion = 0;
  /** Version up to which the client was promised durability. */
  committedVersion = 0;
  /** Whether the client was told that bytes could not be stored. */
  failed = false;
  /** Position of a write refused for lack of space; the file is incomplete until it is repeated. */
  refusedAt: number | undefined;
  stored: { readonly bytes: Stored; readonly version: number } | undefined;
  storing: Promise<void> | undefined;
  /** Bytes written since they were last stored. */
  unstoredBytes = 0;
  /** Calls that its clients wait for. */
  unanswered = 0;
  /** Whether part of it is stored on disk. */
  noted = false;
  /** Bytes whose upload the previous process captured before it ended. */
  capturedBlob: string | undefined;
  /** Whether it is no longer pending. */
  gone = false;
  /** Time of the last change, on the clock of `performance`. */
  touchedMs = performance.now();
  /** Resolves when it is an upload; until then it must not change. */
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

  /** Whether the client knows that some of the bytes may be lost. */
  get unstable(): boolean {
    return this.unstableVersion > this.committedVersion;
  }

  /** Version of the stored bytes; -1 if there are none. */
  get storedVersion(): number {
    return this.stored?.version ?? -1;
  }

  /** Its path; `undefined` once its directory was removed. */
  get parent(): DirNode | undefined {
    return this.node.parent;
  }

  /** Records a change of the bytes. */
  changed(by: WriterCall, about: { nowMs: number; bytes: number }): void {
    this.version++;
    this.unstoredBytes += about.bytes;
    this.procedure = by.procedure;
    this.about.mtimeMs = about.nowMs;
    this.touched(by, about.nowMs);
  }

  /** Records a change of any kind. */
  touched(by: Writer, nowMs: number): void {
    this.writer = by;
    this.touchedMs = performance.now();
    this.about.ctimeMs = Math.max(nowMs, this.about.ctimeMs + TICK_MS);
  }
}

/** Returns a file that is not in the tree, with its future place in it. */
export function toNode(
  about: { id: number; name: string; mtimeMs: number },
  parent: DirNode,
): FileNode {
  const { id, name, mtimeMs } = about;
  return {
    ...{ id, name, mtimeMs, parent, dir: false, size: 0, contentType: "", blob: "" },
    ctimeMs: mtimeMs,
    provider: PROVIDER,
  };
}
