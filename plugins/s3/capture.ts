/** Events for changes to buckets and objects, from clients and the API. */
import { compact } from "../../core/compact.ts";
import type { CapturedEvent, NewEvent, RawRecord } from "../../core/events/event.ts";
import type { HttpCall } from "../../core/http/call.ts";
import type { PluginState } from "../../core/plugin.ts";
import type { Bucket } from "./catalog/bucket.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { type Deletion, isMarker, type StoredObject } from "./catalog/model.ts";
import type { S3Operation } from "./model.ts";
import { describeProtection } from "./protection.ts";

/** A key that signs SNS messages, and its certificate. */
export interface SnsSigner {
  /** PEM. */
  readonly certificate: string;
  /** PKCS #8, PEM. */
  readonly key: string;
  /** Path of the certificate; no bucket can have that name. */
  readonly path: string;
}

/** State of the s3 plugin. */
export interface S3State extends PluginState {
  readonly catalog: Catalog;
  /** Sends the notifications about an event of the API; set while the object store runs. */
  announce?: (event: CapturedEvent) => void;
  /** Signs SNS messages; set if a topic has an address. */
  signer?: SnsSigner;
  /** URL at which clients reach the object store. */
  origin?: string;
}

/** The origin of a change. */
export interface Actor {
  readonly call: HttpCall;
  /** Records one event. */
  capture(event: NewEvent<S3Operation>): unknown;
  readonly accessKey?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Records that a bucket was created or deleted. */
export function tellBucket(
  actor: Actor,
  { name, acl }: Pick<Bucket, "name" | "acl">,
  operation: "bucket.create" | "bucket.delete",
): void {
  tell(actor, { operation, bucket: name, ...compact({ acl }) });
}

/** Records the result of a deletion. */
export function tellDeletion(actor: Actor, bucket: string, deletion: Deletion): void {
  const marker = deletion.marker ?? deletion.removed;
  if (marker === undefined) return;
  if (!isMarker(marker)) return tellObject(actor, marker, { operation: "object.delete", bucket });
  tell(actor, {
    operation: "object.delete",
    bucket,
    key: marker.key,
    version_id: marker.version.id,
    delete_marker: deletion.marker === undefined ? "removed" : "created",
  });
}

/** An operation on an object. */
type ObjectOperation = Exclude<S3Operation["operation"], `bucket.${string}`>;

/** Records that notifications of a bucket were configured. */
export function tellNotification(actor: Actor, bucket: string): void {
  tell(actor, { operation: "bucket.notification", bucket });
}

/** Records that an object was put, copied, changed or deleted. */
export function tellObject(
  actor: Actor,
  object: StoredObject,
  about:
    & Pick<S3Operation, "bucket" | "source" | "upload_id" | "parts">
    & { readonly operation: ObjectOperation },
): void {
  const { operation, bucket, ...more } = about;
  tell(actor, {
    operation,
    bucket,
    key: object.key,
    size: object.size,
    etag: object.etag,
    content_type: object.headers["content-type"]!,
    ...(operation === "object.delete" ? {} : { blob: object.blob }),
    ...compact({
      acl: object.acl,
      tags: object.tags && Object.fromEntries(object.tags),
      version_id: object.version?.id,
    }),
    ...describeProtection(object),
    ...more,
  });
}

function tell(actor: Actor, payload: S3Operation): void {
  const place = payload.key === undefined
    ? `s3://${payload.bucket}`
    : `s3://${payload.bucket}/${payload.key}`;
  const summary = summarize(payload, place);
  actor.capture({
    type: `s3.${payload.operation}`,
    summary,
    summary_parts: {
      ...compact({ from: actor.accessKey }),
      to: [place],
      title: place.slice("s3://".length),
      snippet: summary,
    },
    ...compact({ meta: actor.meta }),
    payload,
    raw: toRaw(actor.call),
  });
}

function summarize(payload: S3Operation, place: string): string {
  const { operation, size, source, delete_marker: marker } = payload;
  switch (operation) {
    case "bucket.create":
      return `created bucket ${place}`;
    case "bucket.delete":
      return `deleted bucket ${place}`;
    case "bucket.notification":
      return `configured the notifications of ${place}`;
    case "object.tagging":
      return payload.tags === undefined ? `removed the tags of ${place}` : `tagged ${place}`;
    case "object.acl":
      return `set the ACL of ${place}`;
    case "object.put":
      return `stored ${place} (${size} bytes)`;
    case "object.copy":
      return `copied s3://${source?.bucket}/${source?.key} to ${place} (${size} bytes)`;
    case "object.delete":
      if (marker === "created") return `deleted ${place} (its versions remain)`;
      return marker === "removed" ? `removed a delete marker of ${place}` : `deleted ${place}`;
  }
}

/** Returns the head of the request only; the bytes belong to the object, not to the event. */
function toRaw(call: HttpCall): RawRecord {
  return {
    transport: "http",
    text: true,
    body: new Uint8Array(),
    peer_addr: call.peer,
    method: call.method,
    path: call.target,
    headers: call.rawHeaders,
    http_version: call.version,
  };
}
