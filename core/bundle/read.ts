import { FormatRegistry, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { FileEntry } from "@zip.js/zip.js";
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import { decodeSteps, STEP, type Steps } from "../bytes/steps.ts";
import { ByteGatherer } from "../bytes/gatherer.ts";
import {
  checkShape,
  JSON_LIMITS,
  type JsonCounts,
  type JsonLimits,
} from "../codec/json_lenient.ts";
import { ApiError, reasonOf, StoreFullError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { ExpectationRecord } from "../expect/history.ts";
import type { AnyPlugin } from "../plugin.ts";
import { SMALL_WORK, WORK_FACTOR } from "../memory/size.ts";
import { inSlices, TimeSlice } from "../time_slice.ts";
import { timeOfId } from "../ids.ts";
import { LineSplitter } from "./lines.ts";
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundleRecord,
  EVENTS_FILE,
  ExpectationLineShape,
  EXPECTATIONS_FILE,
  fileName,
  fromRecord,
  MANIFEST_FILE,
  MAX_BUNDLE_BYTES,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_LINE_BYTES,
  RecordShape,
} from "./record.ts";
import { openZip } from "./zip.ts";

/** Maximum content of a line: that of a body, and the rest of an event. */
const LINE_LIMITS: JsonLimits = {
  depth: JSON_LIMITS.depth + 16,
  containers: JSON_LIMITS.containers + 100_000,
  members: JSON_LIMITS.members + 100_000,
  further: JSON_LIMITS.further + 200_000,
};

/** Memory of an array or object besides its members, and of each of these besides its text, in bytes: estimates. */
const [CONTAINER_BYTES, MEMBER_BYTES] = [64, 16];

/** Memory of the library for one file, in bytes: an estimate. */
const FILE_BYTES = 6144;
/** Garbage of a long line, as a multiple of its length: its chunks, bytes and text. */
const LINE_WASTE = 4;
/** Characters of a line whose garbage is worth waiting for. */
const LONG_LINE = 1024 * 1024;

/** Rules for the events of a plugin. */
export type KnownPlugin = Pick<AnyPlugin, "id" | "eventTypes" | "payload">;

/** Target of an import. */
export interface ImportTarget {
  readonly blobs: BlobStore;
  /** Reserves memory for this many unpacked bytes in total. Rejects with `MemoryFullError`. */
  room(unpackedBytes: number): Promise<void> | undefined;
  /** Counts bytes that are garbage already, and waits for its collection if it fills the memory. */
  waste(bytes: number): Promise<void> | undefined;
  now(): Date;
  /** The running plugins, with the rules for their events. */
  readonly plugins: readonly KnownPlugin[];
  /** Returns whether an event with this id is held. */
  has(id: string): boolean;
  /** Takes what the bundle says about itself. */
  describe?(manifest: Readonly<Record<string, unknown>>): void;
  /** Stores bytes under their old id. Throws `StoreFullError`. */
  keepBlob(ref: BlobRef, bytes: Uint8Array): void;
  /** Inserts events in order. Returns how many were kept. Rejects with `LogWriteError`. */
  keepEvents(events: readonly Omit<CapturedEvent, "seq">[]): number | Promise<number>;
  /** Takes up the expectations that ran. */
  keepExpectations(records: readonly ExpectationRecord[]): void;
}

/** Result of an import. */
export interface Imported {
  /** New events. */
  readonly imported: number;
  /** Events that were held already and stay unchanged. */
  readonly known: number;
  /** Dropped events, the oldest ones: the store had no room. */
  readonly dropped: number;
}

/**
 * Imports the events of a bundle, all or none. Throws `ApiError` 400 for a malformed or incomplete bundle, 409 for events
 * that do not fit this instance, and then keeps nothing.
 */
export async function readBundle(bundle: Uint8Array, target: ImportTarget): Promise<Imported> {
  const archive = await openZip(bundle);
  const kept: { readonly id: string; readonly fresh: boolean }[] = [];
  try {
    const unpacking = new Unpacking(target);
    await unpacking.list(archive.reader.getEntriesGenerator());
    const manifest = await readJson(await unpacking.whole(MANIFEST_FILE), MANIFEST_FILE, unpacking);
    checkManifest(manifest);
    target.describe?.(manifest as Record<string, unknown>);
    const records = await readRecords(unpacking, target);
    const wanted = records.filter(({ id }) => !target.has(id));
    const events = await toEvents(wanted, { unpacking, target });
    await keepBlobs(wanted, { unpacking, target, kept });
    for (const id of events.flatMap(({ blobs }) => blobs)) target.blobs.retain(id);
    const expectations = await readExpectations(unpacking);
    const held = await target.keepEvents(events);
    target.keepExpectations(expectations);
    return {
      imported: held,
      known: records.length - wanted.length,
      dropped: events.length - held,
    };
  } catch (error) {
    for (const { id, fresh } of kept) if (fresh) await target.blobs.remove(id);
    if (error instanceof ApiError || error instanceof StoreFullError) throw error;
    throw broken(reasonOf(error));
  } finally {
    // The events refer to their blobs now, so the temporary references go.
    for (const { id } of kept) target.blobs.release(id);
    await archive.close();
  }
}

function broken(detail: string): ApiError {
  return new ApiError(
    400,
    `Cannot read the bundle: ${detail}; expected a file that standin export wrote`,
  );
}

const NAMES = new RegExp(
  `^(${MANIFEST_FILE}|${EVENTS_FILE}|${EXPECTATIONS_FILE}|(raw|blobs)/[0-9a-f]{24})$`.replaceAll(
    ".",
    "\\.",
  ),
);

/** Returns the entry if a bundle may have it; throws for any other. */
function checkFile(
  entry: FileEntry | { readonly directory: true; readonly filename: string },
): FileEntry {
  const { filename } = entry;
  if (entry.directory || !NAMES.test(filename)) {
    throw broken(`it has a file ${quoted(filename)}, which no bundle contains`);
  }
  const maxBytes = filename === EVENTS_FILE ? MAX_BUNDLE_BYTES : MAX_FILE_BYTES;
  if (entry.uncompressedSize > maxBytes) {
    throw broken(`its file ${quoted(filename)} has more than ${maxBytes} bytes`);
  }
  if (entry.encrypted) throw broken(`its file ${quoted(filename)} is encrypted`);
  return entry;
}

/** Reads files and counts the unpacked bytes, because the archive's sizes cannot be trusted. */
class Unpacking {
  readonly #files = new Map<string, FileEntry>();
  readonly #target: Pick<ImportTarget, "room" | "waste">;
  #left = MAX_BUNDLE_BYTES;
  /** Memory of the list of files, and of parsed lines beyond their bytes. */
  #parsed = 0;
  /** Memory for work on the longest line so far. */
  #work = 0;

  constructor(target: Pick<ImportTarget, "room" | "waste">) {
    this.#target = target;
  }

  /** Lists the files. */
  async list(
    entries: AsyncIterable<FileEntry | { readonly directory: true; readonly filename: string }>,
  ): Promise<void> {
    const slice = new TimeSlice();
    for await (const entry of entries) {
      const file = checkFile(entry);
      const { filename } = file;
      if (this.#files.has(filename)) throw broken(`it has two files ${quoted(filename)}`);
      if (this.#files.size >= MAX_FILES) throw broken(`it has more than ${MAX_FILES} files`);
      this.#files.set(filename, file);
      this.#parsed += FILE_BYTES;
      await this.#reserve();
      if (slice.over) await slice.yieldToEventLoop();
    }
  }

  /** Returns whether there is a file of this name. */
  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Passes the bytes of a file to `take`, chunk by chunk. */
  async read(
    name: string,
    take: (chunk: Uint8Array) => void | Promise<void>,
    maxBytes = MAX_FILE_BYTES,
  ): Promise<void> {
    const file = this.#files.get(name);
    if (file === undefined) throw broken(`it has no file ${quoted(name)}`);
    let size = 0;
    let fault: unknown;
    const write = async (chunk: Uint8Array): Promise<void> => {
      size += chunk.length;
      this.#left -= chunk.length;
      if (size > maxBytes) {
        throw broken(`its file ${quoted(name)} has more than ${maxBytes} bytes`);
      }
      if (this.#left < 0) throw broken(`it unpacks to more than ${MAX_BUNDLE_BYTES} bytes`);
      await this.#reserve();
      await take(chunk);
    };
    const sink = new WritableStream<Uint8Array>({
      write: (chunk) =>
        write(chunk).catch((error) => {
          fault = error;
          throw error;
        }),
    });
    try {
      await file.getData(sink);
    } catch (error) {
      // The library reports that a stream ended, but not why.
      throw fault ?? error;
    }
  }

  /** Reserves memory for a line of this length that is about to be parsed. */
  async parsing(length: number, { containers, members, further }: JsonCounts): Promise<void> {
    this.#parsed += containers * CONTAINER_BYTES + (members + further) * MEMBER_BYTES;
    await this.#reserve();
    if (length >= LONG_LINE) await this.#target.waste(length * LINE_WASTE);
  }

  /** Reserves memory for a line whose first `bytes` bytes have arrived. */
  async gathering(bytes: number): Promise<void> {
    if (bytes <= SMALL_WORK) return;
    this.#work = Math.max(this.#work, bytes * (WORK_FACTOR - 1));
    await this.#reserve();
  }

  async #reserve(): Promise<void> {
    await this.#target.room(MAX_BUNDLE_BYTES - this.#left + this.#parsed + this.#work);
  }

  /** Reads the bytes of a file. */
  async whole(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const gathered = new ByteGatherer();
    await this.read(name, (chunk) => gathered.append(chunk));
    return gathered.take();
  }
}

function checkManifest(manifest: object): void {
  const { format, version } = manifest as Record<string, unknown>;
  if (format !== BUNDLE_FORMAT) throw broken(`its ${MANIFEST_FILE} is not that of a bundle`);
  if (version === BUNDLE_VERSION) return;
  throw broken(
    `its version is ${quoted(String(version))}, and only version ${BUNDLE_VERSION} is known`,
  );
}

/** Other work runs between the steps; each takes as long as reading a body may. */
async function readJson(
  bytes: Uint8Array,
  where: string,
  unpacking: Unpacking,
): Promise<object> {
  const slice = new TimeSlice();
  const text = await textIn(bytes, where);
  await unpacking.parsing(text.length, countsOf(text, where));
  if (slice.over) await slice.yieldToEventLoop();
  const value = parsed(text, where);
  if (slice.over) await slice.yieldToEventLoop();
  return value;
}

async function textIn(bytes: Uint8Array, where: string): Promise<string> {
  try {
    return await inSlices(decodeSteps(new TextDecoder("utf-8", { fatal: true }), bytes));
  } catch {
    throw broken(`${where} is not JSON`);
  }
}

function countsOf(text: string, where: string): JsonCounts {
  try {
    return checkShape(text, LINE_LIMITS);
  } catch {
    throw broken(`${where} holds more than was captured`);
  }
}

function parsed(text: string, where: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(`${where} is not JSON`);
  }
  if (typeof value === "object" && value !== null) return value;
  throw broken(`${where} is not a JSON object`);
}

function readRecords(unpacking: Unpacking, target: ImportTarget): Promise<BundleRecord[]> {
  return readLines(unpacking, EVENTS_FILE, (value, where) => checkRecord(value, where, target));
}

async function readExpectations(unpacking: Unpacking): Promise<ExpectationRecord[]> {
  if (!unpacking.has(EXPECTATIONS_FILE)) return [];
  return await readLines(unpacking, EXPECTATIONS_FILE, (value, where) => {
    if (Value.Check(ExpectationLineShape, value)) return value as ExpectationRecord;
    const fault = Value.Errors(ExpectationLineShape, value).First();
    throw broken(`${where} is not an expectation: ${fault?.path || "it"}: ${fault?.message}`);
  });
}

/** Reads a file with a JSON object on each line, which have different ids. */
async function readLines<T extends { readonly id: string }>(
  unpacking: Unpacking,
  file: string,
  check: (value: object, where: string) => T,
): Promise<T[]> {
  const records = new Map<string, T>();
  const slice = new TimeSlice();
  let line = 0;
  const take = async (bytes: Uint8Array): Promise<void> => {
    line++;
    const where = `line ${line} of ${file}`;
    const value = await readJson(bytes, where, unpacking);
    const record = check(value, where);
    if (records.has(record.id)) throw broken(`${where} has the id of an earlier one`);
    if (records.size >= MAX_FILES) throw broken(`${file} has more than ${MAX_FILES} lines`);
    records.set(record.id, record);
    if (slice.over) await slice.yieldToEventLoop();
  };
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  await unpacking.read(file, async (chunk) => {
    for (const bytes of splitter.push(chunk)) await take(bytes);
    if (splitter.tooLong) throw broken(`line ${line + 1} of ${file} is too long`);
    await unpacking.gathering(splitter.pending);
    if (slice.over) await slice.yieldToEventLoop();
  }, MAX_BUNDLE_BYTES);
  if (splitter.pending > 0) throw broken(`${file} ends within line ${line + 1}`);
  return [...records.values()];
}

function checkRecord(value: object, where: string, target: ImportTarget): BundleRecord {
  if (!Value.Check(RecordShape, value)) {
    const fault = Value.Errors(RecordShape, value).First();
    throw broken(`${where} is not an event: ${fault?.path || "it"}: ${fault?.message}`);
  }
  const time = Date.parse(value.received_at);
  if (Number.isNaN(time)) throw broken(`${where} has no valid time in received_at`);
  const now = target.now().getTime();
  // New events must get later ids: ids sort by time, in their first 48 bits.
  if (time > now || timeOfId(value.id) > now) {
    throw new ApiError(
      409,
      `Cannot import event "${value.id}": it is of ${value.received_at}, and here it is ` +
        `${target.now().toISOString()}; set the clock of this instance`,
    );
  }
  checkPayload(value, where, target);
  return value;
}

// A format only documents a string; unregistered, it would refuse every value.
for (const format of ["byte", "date-time", "uri"]) FormatRegistry.Set(format, () => true);

function checkPayload(record: BundleRecord, where: string, { plugins }: ImportTarget): void {
  const plugin = plugins.find(({ id }) => id === record.plugin);
  if (plugin === undefined) {
    throw new ApiError(
      409,
      `Cannot import event "${record.id}": plugin ${quoted(record.plugin)} is not running here; ` +
        `start it, or export without it`,
    );
  }
  if (!plugin.eventTypes.includes(record.type)) {
    throw broken(`${where} has the type ${quoted(record.type)}, which ${plugin.id} does not have`);
  }
  const shape = plugin.payload as TSchema | undefined;
  if (shape === undefined || Value.Check(shape, record.payload)) return;
  const fault = Value.Errors(shape, record.payload).First();
  throw broken(
    `${where} has no payload of ${plugin.id}: ${fault?.path || "it"}: ${fault?.message}`,
  );
}

interface Reading {
  readonly unpacking: Unpacking;
  readonly target: ImportTarget;
}

async function toEvents(
  records: readonly BundleRecord[],
  { unpacking, target }: Reading,
): Promise<Omit<CapturedEvent, "seq">[]> {
  const bodies = new Map<string, Uint8Array>();
  const importedAt = target.now();
  const events: Omit<CapturedEvent, "seq">[] = [];
  for (const record of records) {
    const { file } = record.raw;
    let body = bodies.get(file);
    if (body === undefined) bodies.set(file, body = await unpacking.whole(fileName("raw", file)));
    events.push(fromRecord(record, { body, importedAt }));
  }
  return events;
}

async function keepBlobs(
  records: readonly BundleRecord[],
  { unpacking, target, kept }: Reading & { kept: { id: string; fresh: boolean }[] },
): Promise<void> {
  const done = new Set<string>();
  for (const ref of records.flatMap(({ blobs }) => blobs)) {
    if (done.has(ref.id)) continue;
    done.add(ref.id);
    const bytes = await unpacking.whole(fileName("blobs", ref.id));
    if (bytes.length !== ref.size) {
      throw broken(`blob "${ref.id}" has ${bytes.length} bytes, expected ${ref.size}`);
    }
    const held = await target.blobs.read(ref.id, 0, bytes.length);
    if (held === undefined) target.keepBlob(ref, bytes);
    else if (target.blobs.get(ref.id)?.size === ref.size && await inSlices(areSame(held, bytes))) {
      target.blobs.retain(ref.id);
    } else {
      throw new ApiError(
        409,
        `Cannot import blob "${ref.id}": other bytes are stored under that id`,
      );
    }
    kept.push({ id: ref.id, fresh: held === undefined });
  }
}

function* areSame(a: Uint8Array, b: Uint8Array): Steps<boolean> {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += STEP) {
    const end = Math.min(at + STEP, a.length);
    for (let i = at; i < end; i++) if (a[i] !== b[i]) return false;
    yield;
  }
  return true;
}

/** Shortens a name of a hostile archive. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
