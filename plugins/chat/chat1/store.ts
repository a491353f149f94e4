import type { Memory } from "../../../core/memory/budget.ts";
import { HeldMap } from "../../../core/memory/held_map.ts";
import type { BlobRef, PluginContext } from "../../../core/plugin.ts";
import { Workspace } from "./workspace.ts";

/** Purpose of a `response_url`. */
export interface ResponseTarget {
  readonly channel: string;
  /** Event with the pressed button. */
  readonly eventId?: string;
}

/** A file that is being uploaded: announced, then sent, then shared. */
export interface Upload {
  readonly id: string;
  readonly filename: string;
  /** Announced size in bytes. */
  readonly length: number;
  readonly altText: string;
  readonly created: number;
  /** Absent until it was sent. */
  blob?: BlobRef;
}

/** What an app answers when a user opens a menu of an external source, or types into it. */
export interface OfferedOptions {
  readonly options?: readonly Readonly<Record<string, unknown>>[];
  readonly option_groups?: readonly Readonly<Record<string, unknown>>[];
}

/** A view, as last opened or updated. */
export interface View {
  readonly id: string;
  readonly rootId: string;
  readonly previousId?: string;
  readonly externalId: string;
  readonly hash: string;
  /** User whose App Home it is; absent for a modal. */
  readonly userId?: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Uses and lifetime of a `response_url`:
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
const MAX_USES = 5;
const LIFETIME_MS = 30 * 60_000;
/** Maximum number of each; the oldest are dropped. */
const MAX_TARGETS = 10_000;
const MAX_UPLOADS = 1000;
/** A view is up to 250 kB. */
const MAX_VIEWS = 100;
const MAX_CLOSED = 1000;
/** Files that users gave to modals. */
const MAX_USER_FILES = 100;
/** Each is up to 100 options. */
const MAX_OFFERED = 1000;

/**
 * Keeps the time of the last message, the workspace, issued response addresses, unfinished uploads,
 * and views.
 */
export class Store {
  readonly #workspace: Workspace;
  #lastMicros = 0;
  readonly #targets: HeldMap<ResponseTarget & { uses: number; readonly endMs: number }>;
  readonly #uploads: HeldMap<Upload>;
  readonly #views: HeldMap<View>;
  /** Ids of modals that were closed. */
  readonly #closed: HeldMap<true>;
  /** Options that the app offered last, by event and element. */
  readonly #offered: HeldMap<OfferedOptions>;
  readonly #userFiles: HeldMap<BlobRef>;
  #blobs: PluginContext["blobs"] | undefined;

  constructor(memory?: Memory) {
    this.#workspace = new Workspace(memory);
    this.#targets = new HeldMap({ maxEntries: MAX_TARGETS }, memory);
    const onDrop = (_: string, upload: Upload): void => this.#release(upload);
    this.#uploads = new HeldMap({ maxEntries: MAX_UPLOADS, onDrop }, memory);
    this.#views = new HeldMap({ maxEntries: MAX_VIEWS }, memory);
    this.#closed = new HeldMap({ maxEntries: MAX_CLOSED }, memory);
    this.#offered = new HeldMap({ maxEntries: MAX_OFFERED }, memory);
    this.#userFiles = new HeldMap({
      maxEntries: MAX_USER_FILES,
      onDrop: (_, { id }) => this.#blobs?.release(id),
    }, memory);
  }

  /** Clears everything except the time, so that each `ts` stays greater than the one before. */
  clear(): void {
    this.#workspace.clear();
    this.#targets.clear();
    for (const upload of this.#uploads.values()) this.#release(upload);
    this.#uploads.clear();
    this.#views.clear();
    this.#closed.clear();
    this.#offered.clear();
    for (const { id } of this.#userFiles.values()) this.#blobs?.release(id);
    this.#userFiles.clear();
  }

  /** Returns the current workspace. */
  workspace(ctx: PluginContext): Workspace {
    return this.#workspace.at(ctx);
  }

  /** Issues an address with a new token. */
  addTarget(token: string, target: ResponseTarget, nowMs: number): void {
    this.#targets.set(token, { ...target, uses: 0, endMs: nowMs + LIFETIME_MS });
  }

  /** Uses an address; `undefined` for an unknown or exhausted one. */
  takeTarget(token: string, nowMs: number): ResponseTarget | undefined {
    const target = this.#targets.get(token);
    if (target === undefined || target.endMs < nowMs || target.uses >= MAX_USES) return undefined;
    target.uses++;
    return target;
  }

  /** Announces a file under the token of its upload address. */
  addUpload(token: string, upload: Upload, { blobs }: PluginContext): void {
    this.#blobs = blobs;
    this.#uploads.set(token, upload);
  }

  upload(token: string): Upload | undefined {
    return this.#uploads.get(token);
  }

  /** Returns the uploaded files with these ids; `undefined` unless all were sent. */
  sentUploads(ids: readonly string[]): readonly (Upload & { blob: BlobRef })[] | undefined {
    const sent = this.#uploads.values().filter((one): one is Upload & { blob: BlobRef } =>
      one.blob !== undefined
    );
    const found = ids.map((id) => sent.find((one) => one.id === id));
    return found.includes(undefined) ? undefined : found as (Upload & { blob: BlobRef })[];
  }

  /** Releases files to the events that now name them. */
  takeUploads(ids: readonly string[]): void {
    for (const token of this.#uploads.keys()) {
      if (ids.includes(this.#uploads.get(token)!.id)) this.#uploads.delete(token);
    }
  }

  #release({ blob }: Upload): void {
    if (blob !== undefined) this.#blobs?.release(blob.id);
  }

  /** Keeps a view, and replaces one with the same id. */
  setView(view: View): View {
    this.#views.set(view.id, view);
    return view;
  }

  /** Returns the newest view with this id, external id, or user of an App Home. */
  findView(by: (view: View) => boolean): View | undefined {
    return this.#views.values().findLast(by);
  }

  /** Returns the stack of views, bottom first. */
  stackOf(rootId: string): readonly View[] {
    return this.#views.values().filter((view) => view.rootId === rootId);
  }

  /** Closes a modal, which can no longer be updated. */
  closeView(id: string): void {
    this.#views.delete(id);
    this.#closed.set(id, true);
  }

  /** Keeps a file that a user gave to a modal; its blob is released with it. */
  addUserFile(id: string, blob: BlobRef, { blobs }: PluginContext): void {
    this.#blobs = blobs;
    this.#userFiles.set(id, blob);
  }

  userFile(id: string): BlobRef | undefined {
    return this.#userFiles.get(id);
  }

  /** Keeps the options that the app offered for an element. */
  setOffered(key: string, options: OfferedOptions): void {
    this.#offered.set(key, options);
  }

  offered(key: string): OfferedOptions | undefined {
    return this.#offered.get(key);
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
