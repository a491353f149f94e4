/** What can be configured of a bucket. Each is kept as JSON of the document that was put. */
import type { XmlNode } from "../codec/xml.ts";

/** Settings, by the sub-resources that they are. */
export const SETTINGS = ["cors", "tagging"] as const;

/** One of them. */
export type SettingName = typeof SETTINGS[number];

/** The text that keeps a document. */
export function writeSetting(root: XmlNode): string {
  return JSON.stringify(root);
}

/** The document of a text, or nothing for a text that holds none. */
export function parseSetting(_name: SettingName, text: string): XmlNode | undefined {
  try {
    const root: unknown = JSON.parse(text);
    return isNode(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === "object" && value !== null &&
    "name" in value && typeof value.name === "string" &&
    "text" in value && typeof value.text === "string" &&
    "children" in value && Array.isArray(value.children) && value.children.every(isNode);
}
