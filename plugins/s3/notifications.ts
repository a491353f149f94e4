/** Notifications that a bucket asks for (Amazon S3 user guide, "Amazon S3 Event Notifications"). */
import type { Bucket } from "./catalog/bucket.ts";
import { parseSetting } from "./catalog/settings.ts";
import { childrenOf, childText, type XmlNode } from "./codec/xml.ts";

/** A receiver of notifications. */
export interface Destination {
  readonly kind: "topic" | "queue" | "function" | "bus";
  /** Id of its configuration. */
  readonly id: string;
  /** Empty for the bus of EventBridge, which a configuration does not name. */
  readonly arn: string;
  /** Such as `s3:ObjectCreated:*`. */
  readonly events: readonly string[];
  readonly prefix: string;
  readonly suffix: string;
}

/** Receivers by their elements, which hold the ARN in an element without `Configuration`. */
const KINDS = {
  TopicConfiguration: "topic",
  QueueConfiguration: "queue",
  CloudFunctionConfiguration: "function",
} as const;

/** Returns the receivers of a document, in order. */
export function readDestinations(root: XmlNode): readonly Destination[] {
  return root.children.flatMap((node): readonly Destination[] => {
    const { name } = node;
    if (!Object.hasOwn(KINDS, name)) return [];
    const rule = (wanted: string): string => {
      const found = rulesOf(node).find((one) =>
        childText(one, "Name")?.trim().toLowerCase() === wanted
      );
      return found === undefined ? "" : childText(found, "Value") ?? "";
    };
    return [{
      kind: KINDS[name as keyof typeof KINDS],
      id: childText(node, "Id") ?? "",
      arn: childText(node, name.replace("Configuration", ""))?.trim() ?? "",
      events: childrenOf(node, "Event").map(({ text }) => text.trim()),
      prefix: rule("prefix"),
      suffix: rule("suffix"),
    }];
  });
}

/** Returns the rules of the key filter. */
export function rulesOf(node: XmlNode): readonly XmlNode[] {
  return childrenOf(node, "Filter").flatMap((filter) => childrenOf(filter, "S3Key"))
    .flatMap((key) => childrenOf(key, "FilterRule"));
}

/** Events that EventBridge gets (user guide, "Using EventBridge"). */
const BUS_EVENTS = ["Created", "Removed", "Tagging", "Acl"].map((name) => `s3:Object${name}:*`);

/** Returns the receivers of a bucket. */
export function destinationsOf({ settings }: Pick<Bucket, "settings">): readonly Destination[] {
  const text = settings.get("notification");
  const root = text === undefined ? undefined : parseSetting(text);
  if (root === undefined) return [];
  const isOnBus = childrenOf(root, "EventBridgeConfiguration").length > 0;
  const events = [...BUS_EVENTS, "s3:LifecycleExpiration:*"];
  const bus = { kind: "bus", id: "", arn: "", events, prefix: "", suffix: "" } as const;
  return [...readDestinations(root), ...(isOnBus ? [bus] : [])];
}

/** Whether a receiver is one of MinIO, with an ARN such as `arn:minio:sqs::ID:webhook`. */
export function isMinio({ arn }: Pick<Destination, "arn">): boolean {
  return arn.startsWith("arn:minio:");
}

/** Whether a new receiver gets a test message: in S3 topics and queues do; MinIO sends none. */
export function isTested(to: Pick<Destination, "kind" | "arn">): boolean {
  return (to.kind === "topic" || to.kind === "queue") && !isMinio(to);
}

/** Returns those that are notified of an event such as `ObjectCreated:Put`. */
export function destinationsFor(
  bucket: Pick<Bucket, "settings">,
  { name, key }: { readonly name: string; readonly key: string },
): readonly Destination[] {
  return destinationsOf(bucket).filter(({ events, prefix, suffix }) =>
    events.some((event) => covers(event, `s3:${name}`)) && fits(key, { prefix, suffix })
  );
}

/** Whether a word of a configuration, which may end with `*`, matches an event. */
export function covers(word: string, event: string): boolean {
  return word.endsWith("*") ? event.startsWith(word.slice(0, -1)) : word === event;
}

/** Special characters in a filter are URL-encoded, like the key in a message; unencoded ones are also accepted. */
function fits(key: string, { prefix, suffix }: Pick<Destination, "prefix" | "suffix">): boolean {
  const encoded = encodeKey(key);
  return (key.startsWith(prefix) || encoded.startsWith(prefix)) &&
    (key.endsWith(suffix) || encoded.endsWith(suffix));
}

/** Returns a key as in messages: `red flower.jpg` becomes `red+flower.jpg`, and slashes stay. */
export function encodeKey(key: string): string {
  return encodeURIComponent(key.toWellFormed()).replaceAll("%20", "+").replaceAll("%2F", "/")
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
