/**
 * Records of the log as the payload of one message: the length of a JSON header in four bytes, the header, then the
 * bodies of events in sequence, each once however many events refer to it.
 *
 * @module
 */
import type { BlobRef } from "../blobs/blob.ts";
import { concat } from "../bytes/concat.ts";
import { isJsonObject } from "../codec/json_lenient.ts";
import type { Placeless } from "../events/log.ts";
import { encodeEvent, toEvent } from "../persist/event_record.ts";
import { isParcel, isRemoval, type Removal } from "./sound.ts";

/** Increased when an older program could misread a message. */
export const FORMAT = 1;

/** A message is truncated or foreign: no version could read it. */
export class DamagedError extends RangeError {
  override name = "DamagedError";
}

/** Events of one plugin for one message. */
export class Parcel {
  readonly kind: "captured" | "restored";
  readonly plugin: string;
  readonly #abouts: string[] = [];
  readonly #ids: string[] = [];
  readonly #ms: number[] = [];
  readonly #bodyOf: number[] = [];
  readonly #bodies: Uint8Array[] = [];
  readonly #indexOf = new Map<Uint8Array, number>();
  readonly #refs = new Map<string, BlobRef>();
  #bytes = 0;

  constructor(kind: "captured" | "restored", plugin: string) {
    this.kind = kind;
    this.plugin = plugin;
  }

  /** Approximate size of the message. */
  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#ids.length;
  }

  /** Adds an event with its attachments. `about` is the result of `encodeEvent`. */
  add(
    event: Placeless,
    { about, ms, refs }: { about: string; ms: number; refs: readonly BlobRef[] },
  ): void {
    const { body } = event.raw;
    let index = this.#indexOf.get(body);
    if (index === undefined) {
      index = this.#bodies.push(body) - 1;
      this.#indexOf.set(body, index);
      this.#bytes += body.length;
    }
    this.#bodyOf.push(index);
    this.#ids.push(event.id);
    this.#ms.push(ms);
    this.#abouts.push(about);
    for (const ref of refs) this.#refs.set(ref.id, ref);
    this.#bytes += about.length + 64;
  }

  encode(): Uint8Array<ArrayBuffer> {
    const { kind } = this;
    const rest = JSON.stringify({
      format: FORMAT,
      kind,
      ids: this.#ids,
      ms: this.#ms,
      bodyOf: this.#bodyOf,
      sizes: this.#bodies.map(({ length }) => length),
      refs: [...this.#refs.values()],
    });
    // The events are JSON already.
    return pack(`${rest.slice(0, -1)},"events":[${this.#abouts.join(",")}]}`, this.#bodies);
  }
}

/** Encodes the message of a removal. */
export function encodeRemoval(record: Removal): Uint8Array<ArrayBuffer> {
  return pack(JSON.stringify({ format: FORMAT, ...record }), []);
}

/** {@link encodeEvent}, for a parcel. */
export { encodeEvent };

/** Contents of a message. */
export type Message =
  | {
    readonly kind: "captured" | "restored";
    readonly events: readonly { readonly event: Placeless; readonly ms: number }[];
    /** The attachments of the events. */
    readonly refs: readonly BlobRef[];
  }
  | Removal;

/**
 * Decodes a message. Throws `RangeError` if it is damaged, from a newer version, or foreign: every
 * publisher of the stream may send anything.
 */
export function decodeMessage(payload: Uint8Array): Message {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const end = 4 + (payload.length < 4 ? Infinity : view.getUint32(0));
  if (end > payload.length) throw damaged();
  const { format, ...header } = parseHeader(payload.subarray(4, end));
  if (format !== FORMAT) {
    throw new RangeError(
      `a message of the log has format ${format}, and only format ${FORMAT} is understood: ` +
        "a newer program has written it",
    );
  }
  if (!("events" in header)) {
    if (isRemoval(header)) return header;
    throw damaged();
  }
  if (!isParcel(header)) throw damaged();
  const { kind, ids, ms, bodyOf, sizes, refs, events } = header;
  let at = end;
  // Copies: a view would keep the whole message in memory as long as one event.
  const bodies = sizes.map((size) => payload.slice(at, at += size));
  if (at !== payload.length) throw damaged();
  return {
    kind,
    refs,
    events: events.map((about, index) => ({
      event: toEvent({ id: ids[index]!, about, body: bodies[bodyOf[index]!]! }),
      ms: ms[index]!,
    })),
  };
}

function parseHeader(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isJsonObject(header)) return header;
  } catch {
    // Not JSON.
  }
  throw damaged();
}

function damaged(): DamagedError {
  return new DamagedError("a message of the log is damaged");
}

function pack(json: string, bodies: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(json);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, header.length);
  return concat([length, header, ...bodies]);
}
