/**
 * Forms of a notification: the record of Amazon S3, and those of MinIO and EventBridge.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
import { createHash } from "node:crypto";
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import type { Bucket } from "../catalog/bucket.ts";
import type { S3Operation } from "../model.ts";
import { encodeKey } from "../notifications.ts";
import { regionOf } from "./operations/bucket.ts";
import { HOST_ID, OWNER_ID } from "./reply.ts";

export type S3Event = CapturedEvent<S3Operation>;

/** A change that a bucket reports. */
export interface Change {
  readonly event: S3Event;
  readonly bucket: Bucket;
  /** Such as `ObjectCreated:Put`. */
  readonly name: string;
}

/** MD5 of no bytes: the ETag of a delete marker in a message. */
const EMPTY_ETAG = "d41d8cd98f00b204e9800998ecf8427e";

/** Returns the record of S3; `id` is that of the configuration. */
export function toRecord({ event, bucket, name }: Change, id: string): unknown {
  const { received_at, meta, raw } = event;
  const isPlain = /^Object(Created|Removed):/.test(name);
  return {
    // 2.3 is that of lifecycle, tagging and ACL.
    eventVersion: isPlain ? "2.1" : "2.3",
    eventSource: "aws:s3",
    awsRegion: regionOf(bucket),
    eventTime: received_at.toISOString(),
    eventName: name,
    userIdentity: { principalId: meta.access_key ?? "Anonymous" },
    requestParameters: { sourceIPAddress: addressOf(raw.peer_addr) },
    responseElements: { "x-amz-request-id": meta.request_id ?? event.id, "x-amz-id-2": HOST_ID },
    s3: {
      s3SchemaVersion: "1.0",
      configurationId: id,
      bucket: {
        name: bucket.name,
        ownerIdentity: { principalId: OWNER_ID },
        arn: `arn:aws:s3:::${bucket.name}`,
      },
      object: toObject(event, isPlain),
    },
  };
}

/** A deletion has no size, and only creations and deletions of an object have a place in the sequence. */
function toObject(event: S3Event, isPlain: boolean): unknown {
  const { key = "", size, etag, version_id, operation, delete_marker: marker } = event.payload;
  const isDeletion = operation === "object.delete";
  return {
    key: encodeKey(key),
    ...compact({
      size: isDeletion ? undefined : size,
      eTag: marker === "created" ? EMPTY_ETAG : isDeletion ? undefined : etag,
      versionId: version_id,
      sequencer: isPlain ? sequencerOf(event) : undefined,
    }),
  };
}

/** Returns an address without its port. */
function addressOf(peer: string | undefined): string {
  return (peer ?? "").replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

/** `url.QueryEscape` of Go, in which MinIO is written, also escapes slashes. */
function escapeKey(key: string): string {
  return encodeKey(key).replaceAll("/", "%2F").replaceAll("%7E", "~");
}

/**
 * Returns the body that MinIO posts to a webhook: one record, plus its name and the unescaped key.
 * https://github.com/minio/minio/blob/master/internal/event/target/webhook.go
 */
export function toMinio({ event, bucket, name }: Change): unknown {
  const { id, payload, received_at, meta, raw } = event;
  const { key = "", size, etag, version_id, content_type, operation } = payload;
  const isDeletion = operation === "object.delete";
  const eventName = `s3:${name}`;
  const principalId = meta.access_key ?? "";
  const host = addressOf(raw.peer_addr);
  const record = {
    eventVersion: "2.0",
    eventSource: "minio:s3",
    awsRegion: bucket.region,
    eventTime: received_at.toISOString(),
    eventName,
    userIdentity: { principalId },
    requestParameters: { principalId, region: bucket.region, sourceIPAddress: host },
    responseElements: {
      "x-amz-id-2": HOST_ID,
      "x-amz-request-id": meta.request_id ?? id,
      "x-minio-deployment-id": uuidOf("deployment"),
      "x-minio-origin-endpoint": originOf(event),
    },
    s3: {
      s3SchemaVersion: "1.0",
      configurationId: "Config",
      bucket: {
        name: bucket.name,
        ownerIdentity: { principalId },
        arn: `arn:aws:s3:::${bucket.name}`,
      },
      object: {
        key: escapeKey(key),
        // An empty object has no size, and no version is empty: Go omits both.
        ...(isDeletion ? {} : compact({
          size: size || undefined,
          eTag: etag,
          contentType: content_type,
          userMetadata: metadataOf(event),
        })),
        ...compact({ versionId: version_id }),
        sequencer: sequencerOf(event),
      },
    },
    source: { host, port: "", userAgent: meta.user_agent ?? "" },
  };
  return { EventName: eventName, Key: `${bucket.name}/${key}`, Records: [record] };
}

/** Returns the user metadata of the request, in Go's spelling of header fields, and its media type. */
function metadataOf({ raw, payload }: S3Event): Readonly<Record<string, string>> {
  const own = (raw.headers ?? []).filter(([name]) => /^x-amz-meta-/i.test(name));
  const spelled = own.map(([name, value]) => [
    name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  return { ...compact({ "content-type": payload.content_type }), ...Object.fromEntries(spelled) };
}

function originOf({ raw }: S3Event): string {
  const host = raw.headers?.find(([name]) => name.toLowerCase() === "host")?.[1];
  return host === undefined ? "" : `http://${host}`;
}

/** Types and reasons of EventBridge: https://docs.aws.amazon.com/AmazonS3/latest/userguide/EventBridge.html */
const BRIDGED: Readonly<Record<string, readonly [type: string, reason?: string]>> = {
  "ObjectCreated:Put": ["Object Created", "PutObject"],
  "ObjectCreated:Post": ["Object Created", "POST Object"],
  "ObjectCreated:Copy": ["Object Created", "CopyObject"],
  "ObjectCreated:CompleteMultipartUpload": ["Object Created", "CompleteMultipartUpload"],
  "ObjectRemoved:Delete": ["Object Deleted", "DeleteObject"],
  "ObjectRemoved:DeleteMarkerCreated": ["Object Deleted", "DeleteObject"],
  "LifecycleExpiration:Delete": ["Object Deleted", "Lifecycle Expiration"],
  "LifecycleExpiration:DeleteMarkerCreated": ["Object Deleted", "Lifecycle Expiration"],
  "ObjectTagging:Put": ["Object Tags Added"],
  "ObjectTagging:Delete": ["Object Tags Deleted"],
  "ObjectAcl:Put": ["Object ACL Updated"],
};

/**
 * Returns the event of EventBridge, with the account of its bus. Its keys are not encoded.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html
 */
export function toBridge({ event, bucket, name }: Change, account: string): unknown {
  const { id, payload, received_at, meta, raw } = event;
  const { key = "", size, etag, version_id, operation, delete_marker: marker } = payload;
  const isDeletion = operation === "object.delete";
  const isPlain = /^(Object(Created|Removed)|LifecycleExpiration):/.test(name);
  const [type, reason] = BRIDGED[name] ?? [];
  return {
    version: "0",
    id: uuidOf(id),
    "detail-type": type,
    source: "aws.s3",
    account,
    time: received_at.toISOString().replace(/\.\d+/, ""),
    region: regionOf(bucket),
    resources: [`arn:aws:s3:::${bucket.name}`],
    detail: {
      version: "0",
      bucket: { name: bucket.name },
      object: {
        key,
        ...compact({
          size: operation === "object.put" || operation === "object.copy" ? size : undefined,
          etag: marker === "created" ? EMPTY_ETAG : isDeletion ? undefined : etag,
          "version-id": version_id,
          sequencer: isPlain ? sequencerOf(event).toLowerCase() : undefined,
        }),
      },
      "request-id": meta.request_id ?? id,
      requester: meta.cause === "lifecycle" ? "s3.amazonaws.com" : account,
      ...compact({
        "source-ip-address": meta.cause === "lifecycle" ? undefined : addressOf(raw.peer_addr),
        reason,
        "deletion-type": !isDeletion
          ? undefined
          : marker === "created"
          ? "Delete Marker Created"
          : "Permanently Deleted",
      }),
    },
  };
}

/** Ids of events sort by time. */
function sequencerOf({ id }: S3Event): string {
  return id.slice(0, 16).toUpperCase();
}

/** Returns a UUID that is the same whenever a message is sent again (RFC 9562 section 5.8). */
export function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}
