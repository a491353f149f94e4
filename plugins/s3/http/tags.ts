/** Tags of objects and buckets (Amazon S3 user guide, "Categorizing your objects using tags"). */
import type { HeaderValues } from "../../../core/http/call.ts";
import type { Tag } from "../catalog/model.ts";
import { childrenOf, childText, type XmlElement, type XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { checkChildren } from "./documents.ts";

/** Maximum number of tags. */
const MOST = { object: 10, bucket: 50 } as const;
/** Maximum lengths, in characters. */
const MAX_KEY = 128;
const MAX_VALUE = 256;
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Parses `x-amz-tagging`, which is a query. Throws `InvalidArgument` if invalid, and as `readTagSet` does. */
export function readTagging(headers: HeaderValues): { readonly tags?: readonly Tag[] } {
  const query = headers.get("x-amz-tagging") ?? "";
  if (query === "") return {};
  const tags = query.split("&").filter((pair) => pair !== "").map((pair): Tag => {
    const [key = "", ...value] = pair.split("=");
    return [decode(key, query), decode(value.join("="), query)];
  });
  if (new Set(tags.map(([key]) => key)).size < tags.length) throw badQuery(query);
  return tags.length === 0 ? {} : { tags: checkTags(tags, "object") };
}

function decode(text: string, query: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw badQuery(query);
  }
}

function badQuery(query: string): S3Error {
  return new S3Error(
    "InvalidArgument",
    `Cannot read x-amz-tagging "${query}": expected key=value pairs of different keys, joined by & ` +
      "and percent-encoded UTF-8",
  );
}

/** Returns the tags of a Tagging document. Throws `MalformedXML`, `InvalidTag`, and `BadRequest` for too many. */
export function readTagSet(root: XmlNode, of: keyof typeof MOST): readonly Tag[] {
  checkChildren(root, { known: ["TagSet"], nested: ["TagSet"] });
  const [set, ...more] = root.name === "Tagging" ? root.children : [];
  if (set === undefined || more.length > 0) {
    throw new S3Error("MalformedXML", "Cannot read the tags: expected Tagging with one TagSet");
  }
  checkChildren(set, { known: ["Tag"], many: ["Tag"] });
  const tags = childrenOf(set, "Tag").map((tag): Tag => {
    checkChildren(tag, { known: ["Key", "Value"] });
    const [key, value] = [childText(tag, "Key"), childText(tag, "Value")];
    if (key !== undefined && value !== undefined) return [key, value];
    throw new S3Error("MalformedXML", "Cannot read a Tag: expected its Key and its Value");
  });
  return checkTags(tags, of);
}

/** Returns the tags of a form's field `tagging`, which is a Tagging document. */
export async function readFormTags(
  text: string | undefined,
): Promise<{ readonly tags?: readonly Tag[] }> {
  if (text === undefined) return {};
  const { readXml } = await import("../codec/xml_reader.ts");
  const root = readXml(text);
  if (root === undefined) {
    throw new S3Error("MalformedXML", "Cannot read field tagging: it is not an XML document");
  }
  const tags = readTagSet(root, "object");
  return tags.length === 0 ? {} : { tags };
}

function checkTags(tags: readonly Tag[], of: keyof typeof MOST): readonly Tag[] {
  if (tags.length > MOST[of]) {
    throw new S3Error(
      "BadRequest",
      `Cannot tag the ${of} ${tags.length} times: at most ${MOST[of]}`,
    );
  }
  const seen = new Set<string>();
  for (const [key, value] of tags) {
    check(`key "${key}"`, key, { most: MAX_KEY, least: 1 });
    check(`value "${value}"`, value, { most: MAX_VALUE, least: 0 });
    if (key.startsWith("aws:")) throw invalid(`key "${key}": aws: is reserved`);
    if (seen.has(key)) throw invalid(`key "${key}" twice`);
    seen.add(key);
  }
  return tags;
}

function check(
  what: string,
  text: string,
  { least, most }: { least: number; most: number },
): void {
  const { length } = [...text];
  if (length < least || length > most) {
    throw invalid(`${what}: expected ${least} to ${most} characters, not ${length}`);
  }
  if (!ALLOWED.test(text)) throw invalid(`${what}: expected letters, digits, blanks and _.:/=+-@`);
}

function invalid(problem: string): S3Error {
  return new S3Error("InvalidTag", `Cannot use tag ${problem}`);
}

/** Returns a TagSet element. */
export function tagSet(tags: readonly Tag[]): XmlElement {
  return [
    "TagSet",
    tags.map(([key, value]): XmlElement => ["Tag", [["Key", key], ["Value", value]]]),
  ];
}
