/** A captured event as a row of the log: JSON, except for its bytes. */
import { compact } from "../compact.ts";
import type { HeaderPairs, RawRecord } from "../events/event.ts";
import type { Placeless } from "../events/log.ts";

/** Result of `encodeEvent`. */
export type EncodedEvent =
  & Omit<Placeless, "id" | "received_at" | "raw">
  & { readonly received_at: number; readonly raw: Omit<RawRecord, "body"> };

/** JSON of an event in two parts, because many events have the same header fields. */
export interface SplitEvent {
  /** Everything else. */
  readonly about: string;
  /** The header fields; `undefined` if it has none. */
  readonly fields: string | undefined;
}

/** With every key, so that the compiler reports one that is left out. */
type Complete<T> = { [Key in keyof Required<T>]: T[Key] | undefined };

/** The JSON of an event. Throws for values without JSON, such as circular ones. */
export function encodeEvent(event: Placeless): string {
  return joinEvent(splitEvent(event, JSON.stringify));
}

/** {@link encodeEvent} in two parts. `toFields` returns the JSON of header fields. */
export function splitEvent(
  event: Placeless,
  toFields: (headers: HeaderPairs) => string,
): SplitEvent {
  const { raw } = event;
  const rest: Complete<Omit<EncodedEvent["raw"], "headers">> = {
    transport: raw.transport,
    text: raw.text,
    peer_addr: raw.peer_addr,
    method: raw.method,
    path: raw.path,
    http_version: raw.http_version,
    client_certificate: raw.client_certificate,
  };
  const about: Complete<Omit<EncodedEvent, "raw">> & { readonly raw: typeof rest } = {
    plugin: event.plugin,
    provider: event.provider,
    namespace: event.namespace,
    type: event.type,
    received_at: event.received_at.getTime(),
    summary: event.summary,
    summary_parts: event.summary_parts,
    meta: event.meta,
    payload: event.payload,
    blobs: event.blobs,
    // Last, as `joinEvent` expects it.
    raw: rest,
  };
  const fields = raw.headers === undefined ? undefined : toFields(raw.headers);
  return { about: JSON.stringify(about), fields };
}

/** The JSON of an event from its two parts. */
export function joinEvent({ about, fields }: SplitEvent): string {
  return fields === undefined ? about : `${about.slice(0, -2)},"headers":${fields}}}`;
}

/** The event of a row. */
export function decodeEvent(
  { id, about, body }: { readonly id: string; readonly about: string; readonly body: Uint8Array },
): Placeless {
  return toEvent({ id, about: JSON.parse(about), body });
}

/** The event of decoded JSON, which it reuses. */
export function toEvent(
  { id, about, body }: {
    readonly id: string;
    readonly about: EncodedEvent;
    readonly body: Uint8Array;
  },
): Placeless {
  const { received_at, raw, namespace, payload, ...rest } = about;
  return {
    ...rest,
    ...compact({ namespace }),
    id,
    received_at: new Date(received_at),
    payload,
    raw: { ...raw, body },
  };
}
