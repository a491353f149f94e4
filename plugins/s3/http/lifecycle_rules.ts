/** Rules for lifecycle documents (Amazon S3 API reference, "LifecycleRule"). */
import { childrenOf, childText, type XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { LIFECYCLE } from "./setting_shapes.ts";
import { checkShape } from "./shapes.ts";

/** Longest ID of a lifecycle rule, in characters (API reference, LifecycleRule). */
const MAX_RULE_ID = 255;

/** Throws `MalformedXML`, `InvalidArgument` and `InvalidRequest` for what S3 refuses. */
export function checkLifecycle(root: XmlNode): void {
  checkShape(root, LIFECYCLE);
  const ids = childrenOf(root, "Rule").flatMap((rule) => childText(rule, "ID") ?? []);
  if (ids.some((id) => id.length > MAX_RULE_ID)) {
    throw new S3Error(
      "InvalidArgument",
      `Cannot accept a lifecycle Rule: its ID may have ${MAX_RULE_ID} characters`,
    );
  }
  if (new Set(ids).size < ids.length) {
    throw new S3Error("InvalidArgument", "Cannot accept two lifecycle rules with the same ID");
  }
  for (const rule of childrenOf(root, "Rule")) {
    const has = (name: string): boolean => childrenOf(rule, name).length > 0;
    if (has("Prefix") === has("Filter")) {
      throw new S3Error(
        "MalformedXML",
        "Cannot accept a lifecycle Rule: expected Filter or Prefix",
      );
    }
    if (!LIFECYCLE_ACTIONS.some(has)) {
      throw new S3Error(
        "InvalidRequest",
        `Cannot accept a lifecycle Rule without ${LIFECYCLE_ACTIONS.join(", ")}`,
      );
    }
    for (const action of rule.children) checkMoments(action);
    checkActions(rule);
  }
}

/** Gives an ID to each lifecycle rule that has none, as S3 does. */
export function nameRules(root: XmlNode, id: () => string): XmlNode {
  const children = root.children.map((rule) => {
    if (childText(rule, "ID")) return rule;
    const others = rule.children.filter(({ name }) => name !== "ID");
    return { ...rule, children: [{ name: "ID", text: id(), children: [] }, ...others] };
  });
  return { ...root, children };
}

const LIFECYCLE_ACTIONS = [
  "Expiration",
  "Transition",
  "NoncurrentVersionExpiration",
  "NoncurrentVersionTransition",
  "AbortIncompleteMultipartUpload",
];

/** Refuses an action that would do nothing, and a filter that an action would ignore. */
function checkActions(rule: XmlNode): void {
  const [expiration] = childrenOf(rule, "Expiration");
  if (expiration !== undefined && expiration.children.length !== 1) {
    throw new S3Error(
      "MalformedXML",
      "Cannot accept Expiration: expected one of Date, Days and ExpiredObjectDeleteMarker",
    );
  }
  const [earlier] = childrenOf(rule, "NoncurrentVersionExpiration");
  if (earlier !== undefined && childText(earlier, "NoncurrentDays") === undefined) {
    throw new S3Error(
      "MalformedXML",
      "Cannot accept NoncurrentVersionExpiration without NoncurrentDays",
    );
  }
  const [filter] = childrenOf(rule, "Filter");
  const names = (filter?.children ?? []).flatMap((node) => [node, ...node.children])
    .map(({ name }) => name);
  const tagged = names.includes("Tag");
  const sized = names.some((name) => name.startsWith("ObjectSize"));
  if (childrenOf(rule, "AbortIncompleteMultipartUpload").length > 0 && (tagged || sized)) {
    // Uploads have neither.
    throw contradiction("AbortIncompleteMultipartUpload", tagged ? "Tags" : "Object Size");
  }
  const isMarker = childText(expiration ?? rule, "ExpiredObjectDeleteMarker") !== undefined;
  if (isMarker && tagged) throw contradiction("ExpiredObjectDeleteMarker", "Tags");
}

function contradiction(action: string, filter: string): S3Error {
  return new S3Error("InvalidRequest", `${action} cannot be specified with ${filter}.`);
}

/** When a rule acts: on a date, or after a number of days. */
function checkMoments(action: XmlNode): void {
  for (const { name, text } of action.children) {
    const days = ["Days", "DaysAfterInitiation", "NoncurrentDays"].includes(name);
    // Objects may change their class after 0 days, but may not expire then.
    if (days && Number(text) < 1 && !action.name.endsWith("Transition")) {
      throw new S3Error("InvalidArgument", `Cannot accept ${name} "${text}": expected at least 1`);
    }
    if (name !== "Date") continue;
    const ms = Date.parse(text.trim());
    if (Number.isNaN(ms) || ms % 86_400_000 !== 0) {
      throw new S3Error(
        "InvalidArgument",
        `Cannot accept Date "${text}": expected a midnight of GMT`,
      );
    }
  }
  const when = action.children.filter(({ name }) => name === "Date" || name === "Days");
  if (when.length > 1) {
    throw new S3Error("MalformedXML", `Cannot accept ${action.name} with both Date and Days`);
  }
}
