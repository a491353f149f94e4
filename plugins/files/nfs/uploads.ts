import { reasonOf } from "../../../core/errors.ts";
import { VfsError } from "../vfs/errors.ts";
import type { RejectedNote } from "../../../core/plugin.ts";
import { recordPlaced, upload as recordUpload } from "../record.ts";
import { type DirNode, type FileNode, pathOf } from "../vfs/node.ts";
import type { PendingRow } from "../vfs/pending.ts";
import type { Stored, Vfs } from "../vfs/vfs.ts";
import { Clients } from "./clients.ts";
import { VERIFIER_BYTES } from "./codec/nfs3.ts";
import { Creators } from "./creators.ts";
import { NfsError } from "./errors.ts";
import { PendingUpload, toNode, type WriterCall } from "./pending_upload.ts";

/** Settings and callbacks of uploads; times in milliseconds. */
export interface UploadsOptions {
  readonly vfs: Vfs;
  /** After this long without a change, a file whose bytes are all stored is an upload. */
  readonly settleMs: number;
  /** Files being written at a time: with more, the oldest become uploads at once. */
  readonly maxWorks: number;
  /** After this long without a connection of its client, unstable bytes become part of the upload. */
  readonly abandonMs: number;
  now(): Date;
  /** Whether the upload of these bytes has been captured. */
  isCaptured(blob: string): boolean;
  /** Records a file that was not kept. */
  refuse(note: RejectedNote): void;
  /** Reports an internal error. */
  fault(error: unknown): void;
}

/** A file is stored again once the bytes written since, times this factor, are at least its size. */
const STORE_SHARE = 8;
/** Interval of checks whether a tree may be used again. */
const UNUSABLE_MS = 200;
/** Files up to this size are stored each time they must be durable. */
const SMALL_BYTES = 1024 * 1024;

/**
 * Files that NFS clients are writing, which only these see. A file is put into the tree, with one event, when all its
 * bytes are stored and it has not changed for a while, when it is renamed, or when its client leaves.
 */
export class Uploads implements AsyncDisposable {
  /** The calls that created files exclusively. */
  readonly creators = new Creators();
  readonly #options: UploadsOptions;
  readonly #pending = new Map<number, PendingUpload>();
  /** Files that are not in the tree, by id of their directory and by name. */
  readonly #created = new Map<number, Map<string, PendingUpload>>();
  readonly #opening = new Map<number, Promise<void>>();
  readonly #clients = new Clients();
  #verifier = crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAtMs = Infinity;
  #stopped = false;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** A change of this verifier tells clients that uncommitted bytes may be lost (RFC 1813 section 3.3.7). */
  get verifier(): Uint8Array {
    return this.#verifier;
  }

  /** Returns the file with that id, if it is being written. */
  withId(id: number): PendingUpload | undefined {
    const upload = this.#pending.get(id);
    if (upload === undefined || this.#isPlaced(upload)) return upload;
    this.#drop(upload);
    return undefined;
  }

  /** Returns the file of that name that only NFS sees in a directory. */
  named(dir: DirNode, name: string): PendingUpload | undefined {
    const upload = this.#created.get(dir.id)?.get(name);
    return upload === undefined ? undefined : this.withId(upload.node.id);
  }

  /** Returns the files that only NFS sees in a directory. */
  in(dir: DirNode): readonly PendingUpload[] {
    return [...this.#created.get(dir.id)?.values() ?? []];
  }

  /** Starts a file. Throws `VfsError` "no_space". */
  create(dir: DirNode, name: string, by: WriterCall): PendingUpload {
    const { vfs } = this.#options;
    const inDir = (this.#created.get(dir.id)?.size ?? 0) + 1;
    const inTree = [...this.#created.values()].reduce((sum, { size }) => sum + size, 1);
    vfs.tree.checkRoom(dir, { inDir, inTree });
    const nowMs = this.#options.now().getTime();
    vfs.tree.change(dir, { mtimeMs: nowMs }, nowMs);
    const node = toNode({ id: vfs.tree.reserveId(), name, mtimeMs: nowMs }, dir);
    const upload = this.#begin(node, { created: true, by });
    try {
      this.note(upload);
    } catch (error) {
      this.#drop(upload);
      throw error;
    }
    return upload;
  }

  /** Stores what was promised to the client, if anything is stored on disk. Throws `VfsError` "no_space". */
  note(upload: PendingUpload): void {
    const { node, created, unstable, stored, about: { mtimeMs, mode } } = upload;
    if (!this.#options.vfs.pending.lasts || !created && stored === undefined) return;
    const { ref, contentType } = stored?.bytes ?? { ref: { id: "", size: 0 }, contentType: "" };
    const { id, name, parent } = node;
    this.#options.vfs.pending.put({
      ...{ id, name, created, unstable, mtimeMs, mode, contentType },
      ...{ parent: parent?.id ?? 0, size: ref.size, blob: ref.id },
    }, { frees: !created && ref.size < node.size });
    upload.noted = true;
    const acknowledged = this.#options.vfs.acknowledged();
    if (acknowledged !== undefined) this.#whileUnanswered(upload, acknowledged).catch(() => {});
  }

  /** Records that the client knows that the last bytes may be lost; resolves once the next writer would know, too. */
  markUnstable(upload: PendingUpload): void | Promise<void> {
    const isNew = !upload.unstable;
    upload.unstableVersion = upload.version;
    if (!isNew || !upload.created) return;
    this.note(upload);
    return this.#options.vfs.acknowledged();
  }

  /** Resumes the files of the previous process; `by` stands in for unknown clients. */
  async restore(by: WriterCall): Promise<void> {
    const { vfs, fault, isCaptured } = this.#options;
    const { left, placed } = vfs.pending;
    if (left.length + placed.length === 0) return;
    for (const { id, blob } of placed) {
      try {
        const node = vfs.tree.withId(id);
        if (node !== undefined && !node.dir && !isCaptured(blob)) {
          const path = pathOf(node);
          await recordPlaced(by.actor, node, { path, command: `${by.procedure} ${path}` });
        }
        vfs.pending.remove(id);
      } catch (error) {
        fault(error);
      }
    }
    for (const row of left) {
      try {
        const parent = vfs.tree.withId(row.parent);
        const known = row.created && parent?.dir ? toNode(row, parent) : vfs.tree.withId(row.id);
        if (known === undefined || known.dir) continue;
        const kept = { ...known, blob: row.blob, size: row.size };
        const draft = await vfs.draftFrom(pathOf(known), kept);
        const upload = this.#begin(known, { created: row.created, by, draft });
        this.#resume(upload, row);
        if (row.blob !== "" && isCaptured(row.blob)) upload.capturedBlob = row.blob;
        // It has not changed since the previous process ended.
        if (!upload.unstable) await this.settle(upload);
      } catch (error) {
        fault(error);
      }
    }
    this.#clients.expect(by.client);
    this.#arm();
  }

  #resume(
    upload: PendingUpload,
    { blob, size, contentType, unstable, mtimeMs, mode }: PendingRow,
  ): void {
    upload.noted = true;
    upload.about.mtimeMs = mtimeMs;
    if (mode !== undefined) upload.about.mode = mode;
    if (blob !== "") {
      upload.stored = { bytes: { ref: { id: blob, size }, contentType }, version: 0 };
    } // What was committed stays; where nothing was, the client may still come back to send it again.
    else if (unstable) upload.unstableVersion = upload.version = 1;
  }

  /** Returns the file to write to, with its bytes, if they are available at once. Throws `VfsError`. */
  openAtOnce(id: number, by: WriterCall): PendingUpload | undefined {
    const upload = this.withId(id);
    if (upload !== undefined) return upload.settling === undefined ? upload : undefined;
    const node = this.#options.vfs.tree.withId(id);
    if (node === undefined || node.dir || this.#opening.has(id)) return undefined;
    const draft = this.#options.vfs.draftAtOnce(node);
    return draft && this.#begin(node, { created: false, by, draft });
  }

  /**
   * Returns the file to write to, with its bytes; without them if `empty`. The caller must write to it before the next
   * await. Rejects with `NfsError` "STALE".
   */
  async open(id: number, by: WriterCall & { empty?: boolean }): Promise<PendingUpload> {
    for (;;) {
      const upload = this.withId(id);
      if (upload !== undefined && upload.settling === undefined) return upload;
      if (upload !== undefined) await upload.settling;
      else await this.#load(id, by);
    }
  }

  /** Carries out a COMMIT: its bytes are durable afterwards. Rejects with `VfsError` "no_space". */
  commit(upload: PendingUpload): void | Promise<void> {
    if (upload.settling !== undefined) return upload.settling;
    const { version } = upload;
    // In memory nothing survives the process, so this only checks the space.
    const isDue = this.#options.vfs.pending.lasts || upload.draft.size <= SMALL_BYTES ||
      upload.unstoredBytes * STORE_SHARE >= upload.draft.size;
    const isStored = !isDue || upload.storedVersion >= version || this.#storeAtOnce(upload);
    const storing = isStored
      ? this.#options.vfs.tree.settled()
      : this.#store(upload, version).then(() => this.#options.vfs.tree.settled());
    if (storing !== undefined) {
      return this.#whileUnanswered(upload, this.#commitWith(storing, upload, version));
    }
    this.#committed(upload, version);
    upload.touchedMs = performance.now();
    this.watch(upload);
  }

  async #commitWith(storing: Promise<void>, upload: PendingUpload, version: number): Promise<void> {
    try {
      await storing;
    } catch (error) {
      upload.failed = true;
      throw error;
    }
    this.#committed(upload, version);
  }

  #committed(upload: PendingUpload, version: number): void {
    upload.failed = upload.refusedAt !== undefined;
    upload.committedVersion = Math.max(upload.committedVersion, version);
  }

  /** A client that waits for a response is not one that has finished: the quiet period starts with the response. */
  async #whileUnanswered(upload: PendingUpload, answering: Promise<void>): Promise<void> {
    upload.unanswered++;
    try {
      await answering;
    } finally {
      upload.unanswered--;
      upload.touchedMs = performance.now();
      this.watch(upload);
    }
  }

  /** Makes a file an upload now. */
  settle(upload: PendingUpload): Promise<void> {
    return upload.settling ??= this.#keep(upload);
  }

  /** Drops a file that is being written; one in the tree stays as it was. */
  #drop(upload: PendingUpload): void {
    if (upload.gone) return;
    upload.gone = true;
    this.#pending.delete(upload.node.id);
    try {
      if (upload.noted) this.#options.vfs.pending.remove(upload.node.id);
    } catch (error) {
      this.#options.fault(error);
    }
    const siblings = upload.created && this.#created.get(upload.parent?.id ?? 0);
    if (siblings && siblings.get(upload.node.name) === upload) {
      siblings.delete(upload.node.name);
      if (siblings.size === 0) this.#created.delete(upload.parent?.id ?? 0);
    }
    upload.draft[Symbol.dispose]();
    if (upload.stored !== undefined) void this.#options.vfs.discard(upload.stored.bytes);
  }

  /** Drops an upload after its pending work. */
  async forget(upload: PendingUpload): Promise<void> {
    await upload.settling;
    this.#drop(upload);
  }

  /** Restarts the quiet period of a file, after every change. */
  watch(upload: PendingUpload): void {
    this.#armAt(upload.touchedMs + this.#options.settleMs);
  }

  /** Records which client a connection serves. */
  connected(client: string): void {
    this.#clients.connected(client);
  }

  /** Resolves when the completed files of the client are uploaded, if it has no other connection. */
  async disconnected(client: string): Promise<void> {
    if (!this.#clients.disconnected(client)) return;
    await Promise.all(
      this.#of(client).map(async (upload) => {
        // The client knows that bytes are missing, and left nevertheless.
        if (upload.refusedAt !== undefined) await this.forget(upload);
        else if (!upload.unstable) await this.settle(upload);
        // The client knows that these are not stored.
        else if (upload.failed) await this.forget(upload);
      }),
    );
    this.#forgetClients();
    this.#arm();
  }

  /** Another instance continues from what was promised: drops everything here. */
  abandon(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const upload of this.#pending.values()) {
      upload.gone = true;
      upload.draft[Symbol.dispose]();
    }
    this.#pending.clear();
    this.#created.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#pending.values()].map((upload) => this.#end(upload)));
  }

  #forgetClients(): void {
    const needed = new Set([...this.#pending.values()].map(({ writer }) => writer.client));
    this.#clients.forget((client) => needed.has(client));
  }

  #of(client: string): PendingUpload[] {
    return [...this.#pending.values()].filter(({ writer }) => writer.client === client);
  }

  /** Returns whether its directory, or the file itself, is still in the tree. */
  #isPlaced(upload: PendingUpload): boolean {
    const { tree } = this.#options.vfs;
    if (upload.clears !== tree.clears) return false;
    const place = upload.created ? upload.parent : upload.node;
    return place !== undefined && tree.withId(place.id) === place;
  }

  #load(id: number, by: WriterCall & { empty?: boolean }): Promise<void> {
    const known = this.#opening.get(id);
    if (known !== undefined) return known;
    const opening = this.#loadNow(id, by).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  async #loadNow(id: number, by: WriterCall & { empty?: boolean }): Promise<void> {
    const { vfs } = this.#options;
    const node = vfs.tree.withId(id);
    if (node === undefined || node.dir) {
      throw new NfsError("STALE", "Cannot write to a deleted file");
    }
    const path = pathOf(node);
    const draft = by.empty ? vfs.draft(path) : await vfs.draftFrom(path);
    this.#begin(node, { created: false, by, draft });
  }

  #begin(
    node: FileNode,
    how: { created: boolean; by: WriterCall; draft?: PendingUpload["draft"] },
  ): PendingUpload {
    const { vfs } = this.#options;
    const upload = new PendingUpload(node, {
      created: how.created,
      draft: how.draft ?? vfs.draft(pathOf(node)),
      clears: vfs.tree.clears,
      writer: how.by,
      procedure: how.by.procedure,
    });
    this.#pending.set(node.id, upload);
    if (how.created) {
      const siblings = this.#created.get(node.parent?.id ?? 0) ?? new Map<string, PendingUpload>();
      this.#created.set(node.parent?.id ?? 0, siblings.set(node.name, upload));
    }
    this.watch(upload);
    if (this.#pending.size > this.#options.maxWorks) this.#settleFirst();
    return upload;
  }

  #settleFirst(): void {
    for (const upload of this.#pending.values()) {
      if (upload.settling !== undefined || upload.unstable) continue;
      this.settle(upload).catch((error) => this.#options.fault(error));
      return;
    }
  }

  /** Resolves when the bytes of at least that version are stored, or no longer needed. */
  async #store(upload: PendingUpload, version: number): Promise<void> {
    while (!upload.gone && upload.storedVersion < version) {
      await (upload.storing ??= this.#storeNow(upload).finally(() => upload.storing = undefined));
    }
  }

  async #storeNow(upload: PendingUpload): Promise<void> {
    const { vfs } = this.#options;
    const { version } = upload;
    upload.unstoredBytes = 0;
    const bytes = await vfs.store(pathOf(upload.node), upload.draft);
    if (upload.gone) return await vfs.discard(bytes);
    await this.#replaceStored(upload, { bytes, version });
  }

  /** Stores all bytes; does nothing, and returns false, if they do not stay in memory. Throws `VfsError` "no_space". */
  #storeAtOnce(upload: PendingUpload): boolean {
    if (upload.storing !== undefined) return false;
    const { version } = upload;
    try {
      const bytes = this.#options.vfs.storeAtOnce(pathOf(upload.node), upload.draft);
      if (bytes === undefined) return false;
      upload.unstoredBytes = 0;
      this.#replaceStored(upload, { bytes, version })?.catch((error) => this.#options.fault(error));
      return true;
    } catch (error) {
      upload.failed = true;
      throw error;
    }
  }

  #replaceStored(
    upload: PendingUpload,
    stored: { readonly bytes: Stored; readonly version: number },
  ): Promise<void> | undefined {
    const before = upload.stored?.bytes;
    upload.stored = stored;
    this.note(upload);
    return before && this.#options.vfs.discard(before);
  }

  async #keep(upload: PendingUpload): Promise<void> {
    const { vfs, refuse, fault } = this.#options;
    while (!vfs.isUsable && !upload.gone && !this.#stopped) {
      await new Promise((resolve) => setTimeout(resolve, UNUSABLE_MS));
    }
    if (!this.#isPlaced(upload)) return this.#drop(upload);
    const path = pathOf(upload.node);
    try {
      await this.#store(upload, upload.version);
      const bytes = upload.stored?.bytes;
      if (bytes === undefined || !this.#isPlaced(upload)) return;
      upload.stored = undefined;
      await recordUpload(vfs, upload.writer.actor, {
        path,
        draft: bytes,
        command: `${upload.procedure} ${path}`,
        isCaptured: upload.capturedBlob === bytes.ref.id,
        file: { ...upload.about, ...(upload.created ? { id: upload.node.id } : {}) },
      });
    } catch (error) {
      const { peer = "" } = upload.writer.actor;
      const reason = reasonOf(error);
      refuse({ reason, method: upload.procedure, path, peer });
      if (!(error instanceof VfsError)) fault(error);
    } finally {
      this.#drop(upload);
    }
  }

  /** Completes or drops a file whose client has left, or when the service stops. */
  async #end(upload: PendingUpload): Promise<void> {
    const isNothing = upload.created || upload.committedVersion === 0;
    if (upload.unstable && isNothing) await this.forget(upload);
    else await this.settle(upload);
  }

  #arm(): void {
    let atMs = Infinity;
    for (const upload of this.#pending.values()) atMs = Math.min(atMs, this.#dueMs(upload));
    this.#armAt(atMs);
  }

  #dueMs(upload: PendingUpload): number {
    if (upload.settling !== undefined || upload.unanswered > 0) return Infinity;
    if (!this.#isPlaced(upload)) return 0;
    if (!upload.unstable || upload.failed) return upload.touchedMs + this.#options.settleMs;
    return this.#clients.goneMs(upload.writer.client) + this.#options.abandonMs;
  }

  #armAt(atMs: number): void {
    if (this.#stopped || atMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.#fire(), Math.max(1, Math.ceil(atMs - performance.now())));
  }

  #fire(): void {
    this.#timerAtMs = Infinity;
    const nowMs = performance.now();
    for (const upload of [...this.#pending.values()]) {
      if (this.#dueMs(upload) > nowMs) continue;
      // A client that returns must be told that bytes are lost.
      if (upload.unstable) this.#verifier = crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES));
      this.#end(upload).catch((error) => this.#options.fault(error));
    }
    this.#forgetClients();
    this.#arm();
  }
}
