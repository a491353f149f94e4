/**
 * Event notifications of buckets. S3 delivers them to a topic, a queue, a function or a bus; here
 * the message is posted to the address of its ARN, or to one that all others share.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
import { compact } from "../../../core/compact.ts";
import {
  type CallContext,
  defineCallbacks,
  type HeaderPairs,
  type OutgoingCall,
} from "../../../core/plugin.ts";
import type { S3State } from "../capture.ts";
import type { Bucket } from "../catalog/bucket.ts";
import {
  type Destination,
  destinationsFor,
  destinationsOf,
  isMinio,
  isTested,
} from "../notifications.ts";
import {
  type Change,
  type S3Event,
  toBridge,
  toMinio,
  toRecord,
  uuidOf,
} from "./notification_forms.ts";
import type { SignatureVersion } from "./notification_targets.ts";
import { regionOf } from "./operations/bucket.ts";
import type { OPTIONS } from "./options.ts";
import { HOST_ID } from "./reply.ts";
import { toNotification } from "./sns.ts";

type Context = CallContext<typeof OPTIONS, S3State>;

const STRUCTURE =
  "https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html";

export const CALLBACKS = defineCallbacks<typeof OPTIONS, S3State>({
  // S3 documents no retries; these are those of SNS to an HTTP endpoint, "3 times, 20 seconds apart".
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
    const calls = callsFor(event as S3Event, context);
    // Receivers without an address do not prevent messages to the others.
    const able = calls.filter(({ refusal }) => refusal === undefined);
    if (calls.length > 0) return able.length > 0 ? able : calls;
    throw new RangeError(
      `Cannot notify: no notification configuration of bucket "${payload.bucket}" covers this change`,
    );
  },
  afterCapture: (event, context) => callsFor(event as S3Event, context),
});

/** A message and its receiver. */
interface Message {
  readonly to: Destination;
  readonly name: string;
  /** Absent for a test. */
  readonly change?: Change;
  readonly test?: unknown;
}

/** The address behind a receiver, and its ARN. */
interface Place {
  readonly arn: string;
  readonly url?: string;
  /** Only for a topic with its own address: the shared address gets the bare message. */
  readonly version?: SignatureVersion;
}

function callsFor(event: S3Event, context: Context): readonly OutgoingCall[] {
  return messagesOf(event, context).map((message) => {
    const bucket = context.env.state.catalog.findBucket(event.payload.bucket);
    const place = findPlace(message.to, bucket === undefined ? "" : regionOf(bucket), context);
    const { headers, body } = toForm(message, place, { event, context });
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return {
      name: message.name,
      url: place.url ?? place.arn,
      ...compact({ refusal: place.url === undefined ? refusalOf(place.arn) : undefined }),
      headers,
      body: new TextEncoder().encode(text),
    };
  });
}

function refusalOf(arn: string): string {
  const shared = arn.includes(":events:")
    ? ""
    : ", or set [callbacks.webhooks] s3 (--callbacks-webhook-s3)";
  return `Cannot notify "${arn}": it has no address; ` +
    `add a [[plugins.s3.providers.http.notification_targets]] table for it${shared}`;
}

/** The bus of EventBridge has no ARN in the bucket: it is the default one of the region. */
function findPlace(to: Destination, region: string, { env, webhook }: Context): Place {
  const targets = env.values.notification_targets;
  if (to.kind === "bus") {
    const isBus = (arn: string) => arn.split(":")[2] === "events" && arn.split(":")[3] === region;
    const found = targets.find(({ arn }) => isBus(arn));
    return {
      arn: found?.arn ?? `arn:aws:events:${region}::event-bus/default`,
      ...compact({ url: found?.url }),
    };
  }
  const own = targets.find(({ arn }) => arn === to.arn);
  const version = to.kind === "topic" ? own?.signatureVersion : undefined;
  return { arn: to.arn, ...compact({ url: own?.url ?? webhook, version }) };
}

function toForm(
  { to, change, test }: Message,
  { arn, version }: Place,
  { event, context }: { readonly event: S3Event; readonly context: Context },
): { readonly headers: HeaderPairs; readonly body: unknown } {
  if (to.kind === "bus") {
    return {
      // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations.html
      headers: [
        ["Content-Type", "application/json; charset=utf-8"],
        ["User-Agent", "Amazon/EventBridge/ApiDestinations"],
      ],
      body: toBridge(change!, arn.split(":")[4]!),
    };
  }
  const service: HeaderPairs = [["X-Service-Arn", encodeURI(arn.toWellFormed())]];
  if (isMinio(to)) {
    return {
      headers: [
        ["Content-Type", "application/json"],
        ["User-Agent", "Go-http-client/1.1"],
        ...service,
      ],
      body: toMinio(change!),
    };
  }
  const body = test ?? { Records: [toRecord(change!, to.id)] };
  const { state: { signer, origin }, values, ctx } = context.env;
  if (version !== undefined && signer !== undefined) {
    return toNotification({
      id: uuidOf(`${event.id} ${arn}`),
      topic: arn,
      subscription: `${arn}:${uuidOf(arn)}`,
      message: JSON.stringify(body),
      at: event.received_at,
      version,
      // The store may not have been called yet, if a stored bucket is only changed through the API.
      origin: origin ?? `http://${new URL(ctx.eventUrl("")).hostname}:${values.port}`,
    }, signer);
  }
  return {
    headers: [["Content-Type", "application/json"], ["User-Agent", "Amazon S3"], ...service],
    body,
  };
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
    change: { event, bucket, name },
  }));
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketNotificationConfiguration.html: not for functions. */
function testsFor({ received_at, meta }: S3Event, bucket: Bucket): readonly Message[] {
  const seen = new Set<string>();
  return destinationsOf(bucket).flatMap((to) => {
    if (!isTested(to) || seen.has(to.arn)) return [];
    seen.add(to.arn);
    const test = {
      Service: "Amazon S3",
      Event: "s3:TestEvent",
      Time: received_at.toISOString(),
      Bucket: bucket.name,
      RequestId: meta.request_id,
      HostId: HOST_ID,
    };
    return [{ to, name: "s3:TestEvent", test }];
  });
}

/**
 * Returns the type of an event, without the `s3:` of configurations; `undefined` for an event about a bucket.
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
