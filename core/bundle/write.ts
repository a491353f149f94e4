import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import { bytesSource, sourceStream } from "../byte_source.ts";
import { ApiError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { ExpectationRecord } from "../expect/history.ts";
import { TimeSlice } from "../time_slice.ts";
import { loadZip } from "./zip.ts";
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  EVENTS_FILE,
  EXPECTATIONS_FILE,
  fileName,
  MANIFEST_FILE,
  MAX_BUNDLE_BYTES,
  MAX_FILE_BYTES,
  MAX_FILES,
  outsideOf,
  recordChunks,
} from "./record.ts";

/** Bytes of a raw request packed at a time. */
const CHUNK_BYTES = 65_536;

/** Content of a bundle. */
export interface Bundled {
  /** Oldest first. */
  readonly events: readonly CapturedEvent[];
  readonly blobs: BlobStore;
  /** Oldest first. */
  readonly expectations?: readonly ExpectationRecord[];
  /** Further properties of the manifest. */
  readonly about: Readonly<Record<string, string | undefined>>;
}

/** Files of a bundle, each once. */
interface Parts {
  /** File ids by their bytes. */
  readonly raw: ReadonlyMap<Uint8Array, string>;
  /** Blobs that still exist when they are written. */
  readonly blobs: Map<string, BlobRef>;
  readonly refs: ReadonlyMap<CapturedEvent, readonly BlobRef[]>;
}

/**
 * Writes a ZIP archive of the events while it is read. Retains its blobs until it is read or cancelled. Throws
 * `ApiError` 413 if an import would refuse it.
 */
export async function writeBundle(bundled: Bundled): Promise<ReadableStream<Uint8Array>> {
  const { ZipWriter } = await loadZip();
  const parts = await collect(bundled);
  const held = [...parts.blobs.keys()];
  for (const id of held) bundled.blobs.retain(id);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const zip = new ZipWriter<unknown>(writable, { zip64: false });
  const add = async (name: string, body: ReadableStream<Uint8Array>): Promise<void> => {
    await zip.add(name, body, { lastModDate: new Date(Date.UTC(1980, 0, 1)) });
  };
  const write = async (): Promise<void> => {
    await add(MANIFEST_FILE, ReadableStream.from([manifest(bundled)]));
    const { expectations = [] } = bundled;
    if (expectations.length > 0) {
      await add(EXPECTATIONS_FILE, ReadableStream.from(expectations.map(expectationLine)));
    }
    for (const [bytes, id] of parts.raw) {
      // In chunks, each compressed separately.
      await add(
        fileName("raw", id),
        sourceStream(bytesSource(bytes as Uint8Array<ArrayBuffer>), CHUNK_BYTES),
      );
    }
    for (const id of held) {
      const opened = await bundled.blobs.open(id);
      if (opened === undefined) parts.blobs.delete(id);
      else await add(fileName("blobs", id), opened.body);
    }
    await add(EVENTS_FILE, ReadableStream.from(lines(bundled.events, parts)));
    await zip.close();
  };
  // The reader learns of a fault when the stream ends without the list of files.
  const begin = (): void =>
    void write().catch((error) => writable.abort(error).catch(() => {})).finally(() => {
      for (const id of held) bundled.blobs.release(id);
    });
  return begunWhenRead(readable, begin);
}

/** The same stream, for which `begin` is called when it is first read or cancelled: until then nothing is packed. */
function begunWhenRead(
  stream: ReadableStream<Uint8Array>,
  begin: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let isBegun = false;
  const ensure = (): void => {
    if (!isBegun) begin();
    isBegun = true;
  };
  return new ReadableStream({
    async pull(controller) {
      ensure();
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      ensure();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

async function collect({ events, blobs, expectations = [] }: Bundled): Promise<Parts> {
  const slice = new TimeSlice();
  // Concurrent exports take turns, so that other requests are answered in between.
  await slice.yieldToEventLoop();
  const raw = new Map<Uint8Array, string>();
  const named = new Map<string, BlobRef>();
  const refs = new Map<CapturedEvent, readonly BlobRef[]>();
  let size = 0;
  const count = (what: string, bytes: number): void => {
    size += bytes;
    if (bytes <= MAX_FILE_BYTES && size <= MAX_BUNDLE_BYTES && raw.size + named.size < MAX_FILES) {
      return;
    }
    throw new ApiError(
      413,
      `Cannot export ${what}: a bundle holds files of up to ${MAX_FILE_BYTES} bytes each, ` +
        `${MAX_BUNDLE_BYTES} in all and ${MAX_FILES} files; choose with plugin or namespace`,
    );
  };
  for (const record of expectations) {
    count(`expectation "${record.id}"`, expectationLine(record).length);
  }
  for (const event of events) {
    if (slice.over) await slice.yieldToEventLoop();
    const own = outsideOf(event, blobs);
    count(`event "${event.id}"`, own.chars);
    if (!raw.has(event.raw.body)) {
      raw.set(event.raw.body, event.id);
      count(`event "${event.id}"`, event.raw.body.length);
    }
    refs.set(event, own.blobs);
    for (const ref of own.blobs) {
      if (named.has(ref.id)) continue;
      named.set(ref.id, ref);
      count(`blob "${ref.id}"`, ref.size);
    }
  }
  return { raw, blobs: named, refs };
}

function manifest({ events, about }: Bundled): Uint8Array {
  return encode({
    format: BUNDLE_FORMAT,
    version: BUNDLE_VERSION,
    ...about,
    events: events.length,
  });
}

async function* lines(events: readonly CapturedEvent[], parts: Parts): AsyncGenerator<Uint8Array> {
  const slice = new TimeSlice();
  const encoder = new TextEncoder();
  for (const event of events) {
    if (slice.over) await slice.yieldToEventLoop();
    const raw = parts.raw.get(event.raw.body)!;
    const blobs = parts.refs.get(event)!.filter(({ id }) => parts.blobs.has(id));
    for (const chunk of recordChunks(event, { raw, blobs })) yield encoder.encode(chunk);
  }
}

function expectationLine(record: ExpectationRecord): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(record)}\n`);
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
