/**
 * Event notifications of buckets. S3 delivers them to a topic, a queue or a function; here the
 * message is posted to one address, with the ARN in a header field.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
import { compact } from "../../../core/compact.ts";
import {
  type CallContext,
  type CapturedEvent,
  defineCallbacks,
  type OutgoingCall,
} from "../../../core/plugin.ts";
import type { S3State } from "../capture.ts";
import type { Bucket } from "../catalog/bucket.ts";
import type { S3Operation } from "../model.ts";
import { type Destination, destinationsFor, destinationsOf, encodeKey } from "../notifications.ts";
import { regionOf } from "./operations/bucket.ts";
import type { OPTIONS } from "./options.ts";
import { HOST_ID, OWNER_ID } from "./reply.ts";

type Context = CallContext<typeof OPTIONS, S3State>;
type S3Event = CapturedEvent<S3Operation>;

const STRUCTURE =
  "https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html";
/** MD5 of no bytes: the ETag of a delete marker in a message. */
const EMPTY_ETAG = "d41d8cd98f00b204e9800998ecf8427e";

export const CALLBACKS = defineCallbacks<typeof OPTIONS, S3State>({
  // S3 states no retries of its own; these are those of SNS to an HTTP address, "3 times, 20 seconds apart".
  schedule: {
    delaysMs: [20_000, 20_000, 20_000],
    timeoutMs: 15_000,
    source: "https://docs.aws.amazon.com/sns/latest/dg/sns-message-delivery-retries.html",
  },
  kinds: {
    notify: {
      label: "Notify again",
      about: "The event notifications of the bucket about this change",
      source: STRUCTURE,
    },
  },
  applies: (_name, event, context) => messagesOf(event as S3Event, context).length > 0,
  make({ event }, context) {
    const { payload } = event as S3Event;
    if (context.webhook === undefined) {
      throw new RangeError(
        "Cannot notify: set [callbacks.webhooks] s3 (--callbacks-webhook-s3)",
      );
    }
    const calls = callsFor(event as S3Event, context);
    if (calls.length > 0) return calls;
    throw new RangeError(
      `Cannot notify: no notification configuration of bucket "${payload.bucket}" covers this change`,
    );
  },
  afterCapture: (event, context) => callsFor(event as S3Event, context),
});

/** A message and its receivers. */
interface Message {
  readonly to: Destination;
  readonly name: string;
  readonly body: unknown;
}

function callsFor(event: S3Event, context: Context): readonly OutgoingCall[] {
  const { webhook } = context;
  if (webhook === undefined) return [];
  return messagesOf(event, context).map(({ to, name, body }) => ({
    name,
    url: webhook,
    headers: [
      ["Content-Type", "application/json"],
      ["User-Agent", "Amazon S3"],
      ["X-Service-Arn", encodeURI(to.arn.toWellFormed())],
    ],
    body: new TextEncoder().encode(JSON.stringify(body)),
  }));
}

function messagesOf(event: S3Event, { env }: Context): readonly Message[] {
  const { payload } = event;
  const bucket = env.state.catalog.findBucket(payload.bucket);
  if (bucket === undefined) return [];
  if (payload.operation === "bucket.notification") return testsFor(event, bucket);
  const name = nameOf(event);
  if (name === undefined) return [];
  return destinationsFor(bucket, { name, key: payload.key! }).map((to) => ({
    to,
    name,
    body: { Records: [toRecord(event, { bucket, name, to })] },
  }));
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketNotificationConfiguration.html: not for functions. */
function testsFor({ received_at, meta }: S3Event, bucket: Bucket): readonly Message[] {
  const seen = new Set<string>();
  return destinationsOf(bucket).flatMap((to) => {
    if (to.kind === "function" || seen.has(to.arn)) return [];
    seen.add(to.arn);
    const body = {
      Service: "Amazon S3",
      Event: "s3:TestEvent",
      Time: received_at.toISOString(),
      Bucket: bucket.name,
      RequestId: meta.request_id,
      HostId: HOST_ID,
    };
    return [{ to, name: "s3:TestEvent", body }];
  });
}

/**
 * Returns the type of an event, without the `s3:` that configurations have; `undefined` for one of a bucket.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-how-to-event-types-and-destinations.html
 */
function nameOf({ payload, meta, raw }: S3Event): string | undefined {
  const { operation, upload_id: upload, delete_marker: marker, tags } = payload;
  switch (operation) {
    case "object.put":
      if (upload !== undefined) return "ObjectCreated:CompleteMultipartUpload";
      return raw.method === "POST" ? "ObjectCreated:Post" : "ObjectCreated:Put";
    case "object.copy":
      return "ObjectCreated:Copy";
    case "object.delete": {
      const kind = meta.cause === "lifecycle" ? "LifecycleExpiration" : "ObjectRemoved";
      return `${kind}:${marker === "created" ? "DeleteMarkerCreated" : "Delete"}`;
    }
    case "object.tagging":
      return tags === undefined ? "ObjectTagging:Delete" : "ObjectTagging:Put";
    case "object.acl":
      return "ObjectAcl:Put";
    default:
      return undefined;
  }
}

function toRecord(
  event: S3Event,
  { bucket, name, to }: {
    readonly bucket: Bucket;
    readonly name: string;
    readonly to: Destination;
  },
): unknown {
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
      configurationId: to.id,
      bucket: {
        name: bucket.name,
        ownerIdentity: { principalId: OWNER_ID },
        arn: `arn:aws:s3:::${bucket.name}`,
      },
      object: toObject(event, isPlain),
    },
  };
}

/** A deletion has no size, and only what creates or deletes an object has a place in their sequence. */
function toObject({ id, payload }: S3Event, isPlain: boolean): unknown {
  const { key = "", size, etag, version_id, operation, delete_marker: marker } = payload;
  const isDeletion = operation === "object.delete";
  return {
    key: encodeKey(key),
    ...compact({
      size: isDeletion ? undefined : size,
      eTag: marker === "created" ? EMPTY_ETAG : isDeletion ? undefined : etag,
      versionId: version_id,
      // Ids of events sort by time.
      sequencer: isPlain ? id.slice(0, 16).toUpperCase() : undefined,
    }),
  };
}

/** Returns an address without its port. */
function addressOf(peer: string | undefined): string {
  return (peer ?? "").replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}
