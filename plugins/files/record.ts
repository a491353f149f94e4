/** Changes of the tree and their events, shared by every protocol. */
import { compact } from "../../core/compact.ts";
import { LogWriteError } from "../../core/errors.ts";
import type { NewEvent, RawRecord } from "../../core/events/event.ts";
import type { PluginState } from "../../core/plugin.ts";
import type { FileOperation } from "./model.ts";
import type { Draft } from "./vfs/draft.ts";
import { VfsError } from "./vfs/errors.ts";
import { type FileNode, type Node, pathOf } from "./vfs/node.ts";
import { baseName } from "./vfs/path.ts";
import type { BeginWork } from "./vfs/work.ts";
import type { Stored, UploadAbout, Vfs } from "./vfs/vfs.ts";

/** State of the files plugin. */
export interface FilesState extends PluginState {
  /** The tree to work on; it may be another one for each session. */
  readonly vfs: Vfs;
  /** The tree that the API shows. */
  readonly shown: Pick<Vfs, "tree" | "blobs">;
  /** Calls `begin` with each tree that may be changed, before `vfs` is that one. */
  follow(begin: BeginWork): Promise<void>;
  /** Makes a change for the API, on the instance that may write. Rejects with `VfsError` and `LogWriteError`. */
  order(order: TreeOrder): Promise<void>;
}

/** A change that the API requests. */
export type TreeOrder =
  | { readonly kind: "clear" }
  | {
    readonly kind: "remove";
    readonly path: string;
    readonly recursive: boolean;
    readonly command: string;
    readonly peer: string;
  };

/** Author of a change, and how it is recorded. */
export interface Actor {
  readonly provider: string;
  readonly transport: RawRecord["transport"];
  /** Records one event; returns a promise until the log has it, which rejects with `LogWriteError`. */
  capture(event: NewEvent<FileOperation>): unknown;
  readonly peer?: string;
  readonly user?: string | undefined;
  /** Additional notes of the protocol. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

const encoder = new TextEncoder();

/**
 * Puts a draft, or stored bytes, in place, and records this and the directories created for it. This and the other
 * changes reject with `VfsError` "busy" if the log refuses the record, though the change was made.
 */
export async function upload(
  vfs: Vfs,
  actor: Actor,
  what:
    & {
      readonly path: string;
      readonly draft: Draft | Stored;
      readonly command: string;
      /** Whether its event has been captured before. */
      readonly isCaptured?: boolean;
    }
    & UploadAbout,
): Promise<FileNode> {
  const { file, madeDir } = await vfs.upload(what.path, what.draft, {
    provider: actor.provider,
    file: what.file ?? {},
  });
  if (madeDir !== undefined) await tellMkdir(actor, madeDir, what.command);
  if (what.isCaptured !== true) await recordPlaced(actor, file, what);
  return file;
}

/** Records an upload that is in the tree. */
export async function recordPlaced(
  actor: Actor,
  file: FileNode,
  { command, path }: { readonly command: string; readonly path: string },
): Promise<void> {
  await tell(actor, file, { operation: "upload", command, path });
}

/** Sets the time of a file or directory. */
export async function touch(vfs: Vfs, path: string, mtimeMs: number): Promise<void> {
  vfs.tree.touch(path, mtimeMs);
  await vfs.acknowledged();
}

/** Creates a directory and those above it. */
export async function mkdir(
  vfs: Vfs,
  actor: Actor,
  what: { path: string; command: string },
): Promise<Node> {
  const dir = vfs.mkdir(what.path, actor);
  await vfs.acknowledged();
  await tellMkdir(actor, dir, what.command);
  return dir;
}

/** Removes a file or directory. */
export async function remove(
  vfs: Vfs,
  actor: Actor,
  what: { path: string; command: string; recursive?: boolean },
): Promise<void> {
  const node = await vfs.remove(what.path, { recursive: what.recursive ?? false });
  await tell(actor, node, { operation: "delete", command: what.command, path: what.path });
}

/** Moves a file or directory. */
export async function rename(
  vfs: Vfs,
  actor: Actor,
  what: { from: string; to: string; command: string; replace: boolean },
): Promise<void> {
  const node = await vfs.rename(what.from, what.to, what);
  if (node === undefined) return;
  const { from: oldPath, to: path, command } = what;
  await tell(actor, node, { operation: "rename", command, path, oldPath });
}

function tellMkdir(actor: Actor, dir: Node, command: string): Promise<void> {
  return tell(actor, dir, { operation: "mkdir", command });
}

async function tell(
  actor: Actor,
  node: Node,
  about: {
    readonly operation: FileOperation["operation"];
    readonly command: string;
    readonly path?: string;
    readonly oldPath?: string;
  },
): Promise<void> {
  const payload = toPayload(actor, node, about);
  const summary = summarize(payload);
  const kept = actor.capture({
    type: `files.${payload.operation}`,
    provider: actor.provider,
    summary,
    summary_parts: {
      ...compact({ from: actor.user }),
      to: [payload.path],
      title: payload.path,
      snippet: summary,
    },
    ...compact({ meta: actor.meta }),
    payload,
    raw: {
      transport: actor.transport,
      text: true,
      body: encoder.encode(about.command),
      ...compact({ peer_addr: actor.peer }),
    },
  });
  try {
    await kept;
  } catch (error) {
    throw error instanceof LogWriteError ? new VfsError("busy", error.message) : error;
  }
}

function toPayload(
  actor: Actor,
  node: Node,
  about: Parameters<typeof tell>[2],
): FileOperation {
  return {
    operation: about.operation,
    path: about.path ?? pathOf(node),
    ...compact({ old_path: about.oldPath }),
    dir: node.dir,
    size: node.dir ? 0 : node.size,
    ...(node.dir ? {} : { content_type: node.contentType }),
    ...(node.dir || about.operation !== "upload" ? {} : {
      blob: {
        id: node.blob,
        size: node.size,
        content_type: node.contentType,
        filename: baseName(node.name),
      },
    }),
    provider: actor.provider,
    transport: actor.transport,
    ...compact({ peer: actor.peer, user: actor.user }),
    command: about.command,
  };
}

function summarize({ operation, path, old_path, size }: FileOperation): string {
  switch (operation) {
    case "upload":
      return `uploaded ${path} (${formatSize(size)})`;
    case "mkdir":
      return `created ${path}`;
    case "rename":
      return `renamed ${old_path} to ${path}`;
    case "delete":
      return `deleted ${path}`;
  }
}

const UNITS = ["B", "KB", "MB", "GB"] as const;

/** Formats a number of bytes: `0 B`, `1.5 KB`. */
function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const shown = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${shown} ${UNITS[unit]}`;
}
