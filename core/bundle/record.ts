/** A line of `events.ndjson` in a bundle: an event whose bytes are files of the bundle. */
import type { Static } from "@sinclair/typebox";
import { jsonChunks } from "../bytes/json_chunks.ts";
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import { BlobRefShape } from "../blobs/schema.ts";
import { compact } from "../compact.ts";
import type { CapturedEvent, RawRecord } from "../events/event.ts";
import { EVENT_HEAD } from "../events/view.ts";
import { toSummary } from "../bytes/text.ts";
import { Type } from "../shape_type.ts";

/** `format` of the manifest. */
export const BUNDLE_FORMAT = "standin-bundle";
/** Increased when an older program could misread a bundle. */
export const BUNDLE_VERSION = 1;
/** First file of a bundle. */
export const MANIFEST_FILE = "manifest.json";
/** The events, oldest first, one per line; last file of a bundle. */
export const EVENTS_FILE = "events.ndjson";

/** The expectations that ran, oldest first, one per line; in a bundle that has any. */
export const EXPECTATIONS_FILE = "expectations.ndjson";

/** Unpacked size limit of a bundle. */
export const MAX_BUNDLE_BYTES = 536_870_912;
/** Size limit of a bundle as sent: incompressible data, and the names of its files. */
export const MAX_ARCHIVE_BYTES = MAX_BUNDLE_BYTES + 33_554_432;
/** Size limit of one file, except the list of events. */
export const MAX_FILE_BYTES = 268_435_456;
/** Size limit of one line of the list of events. */
export const MAX_LINE_BYTES = 67_108_864;
/** Maximum number of files of a bundle: the limit of a ZIP archive without an extension (APPNOTE 4.4.21). */
export const MAX_FILES = 65_000;

/** Ids of events and blobs are also file names, so nothing else is accepted. */
export const ID = /^[0-9a-f]{24}$/;
const IdShape = Type.String({ pattern: ID.source });

const FileRefShape = Type.Object({ ...BlobRefShape.properties, id: IdShape });

/** JSON shape of a line. */
export const RecordShape = Type.Object({
  ...EVENT_HEAD,
  id: IdShape,
  received_at: Type.String(),
  meta: Type.Record(Type.String(), Type.Unknown()),
  payload: Type.Unknown(),
  raw: Type.Object({
    transport: Type.Union(
      ["http", "tcp", "udp", "smtp", "ftp", "ssh"].map((name) => Type.Literal(name)),
    ),
    text: Type.Boolean(),
    peer_addr: Type.Optional(Type.String()),
    method: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    headers: Type.Optional(Type.Array(Type.Tuple([Type.String(), Type.String()]))),
    http_version: Type.Optional(Type.String()),
    client_certificate: Type.Optional(Type.Object({
      subject: Type.String(),
      issuer: Type.String(),
      serial: Type.String(),
      not_before: Type.String(),
      not_after: Type.String(),
      fingerprint: Type.String(),
    })),
    /** Id in the name of the file under `raw/`, shared by the events of one request. */
    file: IdShape,
  }),
  blobs: Type.Array(FileRefShape),
});

/** One line of `events.ndjson`. */
export type BundleRecord = Static<typeof RecordShape>;

/** JSON shape of a line of the expectations. */
export const ExpectationLineShape = Type.Object({
  id: IdShape,
  started_at: Type.String(),
  duration_ms: Type.Number({ minimum: 0 }),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  expectation: Type.Optional(Type.Unknown()),
  met: Type.Boolean(),
  count: Type.Integer({ minimum: 0 }),
  events: Type.Array(Type.String()),
  error: Type.Optional(Type.String()),
});

/** Name of the file of a raw request, or of a blob. */
export function fileName(kind: "raw" | "blobs", id: string): string {
  return `${kind}/${id}`;
}

/** The blobs of an event, and its approximate size. */
export interface Outside {
  /** Blobs that it names, and those in its payload. */
  readonly blobs: readonly BlobRef[];
  /** Approximate length of its payload as JSON. */
  readonly chars: number;
}

/** Length of a value besides its text: quotes, a comma, or a short number. */
const NODE_CHARS = 4;

/** Collects the blobs and the size of an event. */
export function outsideOf(event: CapturedEvent, blobs: Pick<BlobStore, "get">): Outside {
  const found = new Map<string, BlobRef>();
  const take = (id: string): void => {
    const ref = ID.test(id) ? blobs.get(id) : undefined;
    if (ref !== undefined) found.set(id, ref);
  };
  for (const id of event.blobs) take(id);
  let chars = 0;
  const rest: unknown[] = [event.payload];
  while (rest.length > 0) {
    const value = rest.pop();
    chars += NODE_CHARS + (typeof value === "string" ? value.length : 0);
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) rest.push(item);
    } else {
      for (const [key, member] of Object.entries(value)) {
        if (key === "id" && typeof member === "string") take(member);
        chars += key.length;
        rest.push(member);
      }
    }
  }
  return { blobs: [...found.values()], chars };
}

/** Serializes an event to a line, in chunks. */
export function* recordChunks(
  event: CapturedEvent,
  files: { readonly raw: string; readonly blobs: readonly BlobRef[] },
): Generator<string> {
  const { id, plugin, provider, namespace, type, received_at, summary, summary_parts } = event;
  const { body: _body, ...raw } = event.raw;
  yield* jsonChunks({
    id,
    plugin,
    provider,
    namespace,
    type,
    received_at: received_at.toISOString(),
    summary,
    summary_parts,
    meta: event.meta,
    payload: event.payload,
    raw: { ...raw, file: files.raw },
    blobs: files.blobs,
  });
  yield "\n";
}

/** Returns the event of a line; `imported` in its `meta` is the time of the import. */
export function fromRecord(
  record: BundleRecord,
  { body, importedAt }: { readonly body: Uint8Array; readonly importedAt: Date },
): Omit<CapturedEvent, "seq"> {
  const { file: _file, transport, ...raw } = record.raw;
  const { payload, blobs, namespace, received_at, meta, ...rest } = record;
  return {
    ...rest,
    summary: toSummary(record.summary),
    ...compact({ namespace }),
    received_at: new Date(received_at),
    meta: { ...meta, imported: { at: importedAt.toISOString() } },
    payload,
    raw: { ...raw, transport: transport as RawRecord["transport"], body },
    blobs: blobs.map(({ id }) => id),
  };
}
