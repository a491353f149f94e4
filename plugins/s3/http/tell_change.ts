/** Events that exist only because of a bucket's notifications: with callbacks off, nothing is recorded. */
import { tellNotification, tellObject } from "../capture.ts";
import type { StoredObject } from "../catalog/model.ts";
import { destinationsFor, destinationsOf, isTested } from "../notifications.ts";
import type { S3Request } from "./request.ts";

/** Records a change of tags or ACL if a notification is configured for it. */
export function tellChange(
  { env, catalog, target, actor }: S3Request,
  object: StoredObject,
  operation: "object.tagging" | "object.acl",
): void {
  if (env.ctx.callsBack !== true) return;
  const bucket = catalog.findBucket(target.bucket);
  const name = operation === "object.acl"
    ? "ObjectAcl:Put"
    : object.tags === undefined
    ? "ObjectTagging:Delete"
    : "ObjectTagging:Put";
  if (bucket === undefined || destinationsFor(bucket, { name, key: object.key }).length === 0) {
    return;
  }
  tellObject(actor, object, { operation, bucket: bucket.name });
}

/** Records new notifications: topics and queues get a test message, unless the request skips their validation. */
export function tellConfigured({ env, catalog, target, actor, call }: S3Request): void {
  const skips = call.headers.get("x-amz-skip-destination-validation")?.toLowerCase() === "true";
  if (env.ctx.callsBack !== true || skips) return;
  const bucket = catalog.findBucket(target.bucket);
  if (bucket === undefined || !destinationsOf(bucket).some(isTested)) return;
  tellNotification(actor, bucket.name);
}
