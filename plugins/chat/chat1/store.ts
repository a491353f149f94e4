import type { Memory } from "../../../core/memory/budget.ts";
import { HeldMap } from "../../../core/memory/held_map.ts";
import type { BlobRef, PluginContext } from "../../../core/plugin.ts";
import { Workspace } from "./workspace.ts";

/** What a `response_url` is for. */
export interface ResponseTarget {
  readonly channel: string;
  /** Event whose button was pressed. */
  readonly eventId?: string;
}

/** A file on its way: announced, then sent, then shared. */
export interface Upload {
  readonly id: string;
  readonly filename: string;
  /** In bytes, as announced. */
  readonly length: number;
  readonly altText: string;
  readonly created: number;
  /** Absent until it was sent. */
  blob?: BlobRef;
}

/** A view, as it was last opened or updated. */
export interface View {
  readonly id: string;
  readonly rootId: string;
  readonly previousId?: string;
  readonly externalId: string;
  readonly hash: string;
  /** User whose home it is; none of a modal. */
  readonly userId?: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Uses and lifetime of a `response_url`:
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
const MAX_USES = 5;
const LIFETIME_MS = 30 * 60_000;
/** Maximum number of each; the oldest go. */
const MAX_TARGETS = 10_000;
const MAX_UPLOADS = 1000;
/** A view is up to 250 kB. */
const MAX_VIEWS = 100;
const MAX_CLOSED = 1000;

/**
 * Keeps the time of the last message, the workspace, the addresses for responses that were handed out, and files and
 * views on their way.
 */
export class Store {
  readonly #workspace: Workspace;
  #lastMicros = 0;
  readonly #targets: HeldMap<ResponseTarget & { uses: number; readonly endMs: number }>;
  readonly #uploads: HeldMap<Upload>;
  readonly #views: HeldMap<View>;
  /** Ids of modals that were closed. */
  readonly #closed: HeldMap<true>;
  #blobs: PluginContext["blobs"] | undefined;

  constructor(memory?: Memory) {
    this.#workspace = new Workspace(memory);
    this.#targets = new HeldMap({ maxEntries: MAX_TARGETS }, memory);
    const onDrop = (_: string, upload: Upload): void => this.#release(upload);
    this.#uploads = new HeldMap({ maxEntries: MAX_UPLOADS, onDrop }, memory);
    this.#views = new HeldMap({ maxEntries: MAX_VIEWS }, memory);
    this.#closed = new HeldMap({ maxEntries: MAX_CLOSED }, memory);
  }

  /** Forgets everything but the time: each `ts` stays greater than the one before. */
  clear(): void {
    this.#workspace.clear();
    this.#targets.clear();
    for (const upload of this.#uploads.values()) this.#release(upload);
    this.#uploads.clear();
    this.#views.clear();
    this.#closed.clear();
  }

  /** Returns the workspace as it is now. */
  workspace(ctx: PluginContext): Workspace {
    return this.#workspace.at(ctx);
  }

  /** Hands out an address, by its token. */
  addTarget(token: string, target: ResponseTarget, nowMs: number): void {
    this.#targets.set(token, { ...target, uses: 0, endMs: nowMs + LIFETIME_MS });
  }

  /** Uses an address; `undefined` for an unknown one, or one that was used up. */
  takeTarget(token: string, nowMs: number): ResponseTarget | undefined {
    const target = this.#targets.get(token);
    if (target === undefined || target.endMs < nowMs || target.uses >= MAX_USES) return undefined;
    target.uses++;
    return target;
  }

  /** Announces a file, by the token of its address. */
  addUpload(token: string, upload: Upload, { blobs }: PluginContext): void {
    this.#blobs = blobs;
    this.#uploads.set(token, upload);
  }

  upload(token: string): Upload | undefined {
    return this.#uploads.get(token);
  }

  /** Files that were sent, by id; `undefined` unless all were. */
  sentUploads(ids: readonly string[]): readonly (Upload & { blob: BlobRef })[] | undefined {
    const sent = this.#uploads.values().filter((one): one is Upload & { blob: BlobRef } =>
      one.blob !== undefined
    );
    const found = ids.map((id) => sent.find((one) => one.id === id));
    return found.includes(undefined) ? undefined : found as (Upload & { blob: BlobRef })[];
  }

  /** Gives files up to the events that name them now. */
  takeUploads(ids: readonly string[]): void {
    for (const token of this.#uploads.keys()) {
      if (ids.includes(this.#uploads.get(token)!.id)) this.#uploads.delete(token);
    }
  }

  #release({ blob }: Upload): void {
    if (blob !== undefined) this.#blobs?.release(blob.id);
  }

  /** Keeps a view; one with the same id is replaced. */
  setView(view: View): View {
    this.#views.set(view.id, view);
    return view;
  }

  /** The newest view with an id, an id of the app, or a user whose home it is. */
  findView(by: (view: View) => boolean): View | undefined {
    return this.#views.values().findLast(by);
  }

  /** The views on top of each other, the first one first. */
  stackOf(rootId: string): readonly View[] {
    return this.#views.values().filter((view) => view.rootId === rootId);
  }

  /** Closes a modal; it cannot be updated any more. */
  closeView(id: string): void {
    this.#views.delete(id);
    this.#closed.set(id, true);
  }

  isClosed(id: string): boolean {
    return this.#closed.has(id);
  }

  /** Returns the next `ts`: Unix seconds, a dot, six digits; each greater than the one before. */
  nextTs(nowMs: number): string {
    this.#lastMicros = Math.max(nowMs * 1000, this.#lastMicros + 1);
    const seconds = Math.floor(this.#lastMicros / 1_000_000);
    return `${seconds}.${String(this.#lastMicros % 1_000_000).padStart(6, "0")}`;
  }
}
