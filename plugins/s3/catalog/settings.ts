/** Settings of a bucket: documents stored as JSON. A policy is JSON already and stored as sent. */
import type { XmlNode } from "../codec/xml.ts";

/** Settings, by the names of their sub-resources. */
export const SETTINGS = [
  "accelerate",
  "cors",
  "encryption",
  "lifecycle",
  "logging",
  "notification",
  "object-lock",
  "ownershipControls",
  "policy",
  "publicAccessBlock",
  "replication",
  "requestPayment",
  "tagging",
  "website",
] as const;

/** One of them. */
export type SettingName = typeof SETTINGS[number];

/** A document with the header fields that belong to it. */
export interface SettingDocument extends XmlNode {
  readonly fields?: Readonly<Record<string, string>>;
}

/** Returns a document as stored text. */
export function writeSetting(root: SettingDocument): string {
  return JSON.stringify(root);
}

/** Parses a stored document; `undefined` if the text has none. */
export function parseSetting(text: string): SettingDocument | undefined {
  const root = parse(text);
  return isNode(root) && hasTexts(root) ? root : undefined;
}

/** Returns whether a text can be a stored setting. */
export function isSetting(name: SettingName, text: string): boolean {
  return name === "policy" ? parse(text) !== undefined : parseSetting(text) !== undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasTexts({ fields = {} }: SettingDocument): boolean {
  return typeof fields === "object" && fields !== null &&
    Object.values(fields).every((value) => typeof value === "string");
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === "object" && value !== null &&
    "name" in value && typeof value.name === "string" &&
    (!("type" in value) || typeof value.type === "string") &&
    "text" in value && typeof value.text === "string" &&
    "children" in value && Array.isArray(value.children) && value.children.every(isNode);
}
