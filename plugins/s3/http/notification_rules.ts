/** Rules for notification documents (Amazon S3 API reference, "PutBucketNotificationConfiguration"). */
import { childText, type XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { covers, type Destination, readDestinations, rulesOf } from "../notifications.ts";
import { NOTIFICATION } from "./setting_shapes.ts";
import { checkShape } from "./shapes.ts";

/** Service of the ARN of each kind of receiver. */
const SERVICES = { topic: "sns", queue: "sqs", function: "lambda", bus: "events" } as const;

/** Throws `MalformedXML` and `InvalidArgument` for what S3 refuses. */
export function checkNotification(root: XmlNode): void {
  checkShape(root, NOTIFICATION);
  for (const node of root.children) checkFilter(node);
  const all = readDestinations(root);
  for (const { kind, arn } of all) {
    if (arn.split(":")[2] === SERVICES[kind]) continue;
    throw new S3Error(
      "InvalidArgument",
      `Cannot notify the ${kind} "${arn}": expected an ARN of ${SERVICES[kind]}`,
    );
  }
  const ids = all.map(({ id }) => id).filter((id) => id !== "");
  if (new Set(ids).size < ids.length) {
    throw new S3Error(
      "InvalidArgument",
      "Cannot accept two notification configurations with the same Id",
    );
  }
  checkOverlaps(all);
}

/** "You can't specify two prefix rules" (AWS CloudFormation, `S3KeyFilter`). */
function checkFilter(node: XmlNode): void {
  const names = rulesOf(node).map((rule) => childText(rule, "Name")?.trim().toLowerCase());
  if (new Set(names).size === names.length) return;
  throw new S3Error(
    "InvalidArgument",
    "Cannot accept two filter rules of the same kind: expected one",
  );
}

/** One event of one key may be reported once only (user guide, "object key name filtering"). */
function checkOverlaps(all: readonly Destination[]): void {
  for (const [at, one] of all.entries()) {
    for (const other of all.slice(at + 1)) {
      if (!overlap(one, other)) continue;
      throw new S3Error(
        "InvalidArgument",
        "Configurations overlap. Configurations on the same bucket cannot share a common event type.",
      );
    }
  }
}

function overlap(one: Destination, other: Destination): boolean {
  return one.events.some((a) => other.events.some((b) => covers(a, b) || covers(b, a))) &&
    (one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix)) &&
    (one.suffix.endsWith(other.suffix) || other.suffix.endsWith(one.suffix));
}

/** Gives an Id to each configuration that has none, as S3 does; messages name it. */
export function nameDestinations(root: XmlNode, id: () => string): XmlNode {
  const children = root.children.map((node) => {
    if (node.name === "EventBridgeConfiguration" || childText(node, "Id")) return node;
    const others = node.children.filter(({ name }) => name !== "Id");
    return { ...node, children: [{ name: "Id", text: id(), children: [] }, ...others] };
  });
  return { ...root, children };
}
