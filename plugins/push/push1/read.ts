/**
 * Reads the JSON form of a protocol-buffers message by its table of fields, and words what is wrong with it as Google's
 * front end does. Known names come out in one spelling; what a caller owns (`data`, `headers`, `payload`) is not touched.
 *
 * @module
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { Field, MessageField } from "./fields.ts";
import { spellingIn } from "./spelling.ts";

/** Something wrong with one field. */
export interface Violation {
  /** Such as `message.android.ttl`; empty for the request as a whole. */
  readonly field: string;
  readonly description: string;
}

/** An object's known members under their names in the vendor's protocol buffers. */
export type Fields = Readonly<Record<string, unknown>>;

/** Most violations that are told; one request can have a million. */
const MAX_VIOLATIONS = 50;
/** Longest value quoted in a violation. */
const MAX_QUOTE = 200;

/** Collects violations up to `MAX_VIOLATIONS`. */
export class Violations {
  readonly list: Violation[] = [];

  add(field: string, description: string): undefined {
    if (this.list.length < MAX_VIOLATIONS) this.list.push({ field, description });
    return undefined;
  }
}

/** Reads an object; a member that is wrong is reported and left out. */
export function readMessage(
  value: Fields,
  { fields }: MessageField,
  about: { readonly path: string; readonly violations: Violations },
): Fields {
  // No prototype: reading a field that was not sent must find nothing.
  const read: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(fields)) {
    const spelling = spellingIn(value, name);
    if (spelling === undefined) continue;
    const path = about.path === "" ? name : `${about.path}.${name}`;
    const member = readField(value[spelling], field, { ...about, path });
    if (member !== undefined) read[name] = member;
  }
  return read;
}

type About = Parameters<typeof readMessage>[2];

function readField(value: unknown, field: Field, about: About): unknown {
  if (Array.isArray(value) && field.kind !== "list") {
    return notRepeating(about);
  }
  switch (field.kind) {
    case "string":
      return typeof value === "string" ? value : wrong(value, "TYPE_STRING", about);
    case "bool":
      if (value === "true" || value === "false") return value === "true";
      return typeof value === "boolean" ? value : wrong(value, "TYPE_BOOL", about);
    case "int32":
      return toNumber(value, isInt32) ?? wrong(value, "TYPE_INT32", about);
    case "double":
      return toNumber(value, Number.isFinite) ?? wrong(value, "TYPE_DOUBLE", about);
    case "enum":
      return readEnum(value, field.words) ?? wrong(value, field.type, about);
    case "duration":
      return readDuration(value, about);
    case "struct":
      if (isJsonObject(value)) return value;
      return wrong(value, "type.googleapis.com/google.protobuf.Struct", about);
    case "map":
      return isJsonObject(value) ? readMap(value, about) : wrong(value, field.type, about);
    case "message":
      return isJsonObject(value)
        ? readMessage(value, field, about)
        : wrong(value, field.type, about);
    case "list":
      return readList(value, field.of, about);
  }
}

function readList(value: unknown, of: Field, about: About): readonly unknown[] {
  // A single value stands for a list of one.
  const items = Array.isArray(value) ? value : [value];
  return items
    .map((item, index) => readField(item, of, { ...about, path: `${about.path}[${index}]` }))
    .filter((item) => item !== undefined);
}

/** Values of a map are texts; an object in place of one is searched for the fields that a text does not have. */
function readMap(value: Fields, about: About): Fields {
  for (const [index, item] of Object.values(value).entries()) {
    if (typeof item === "string") continue;
    const path = `${about.path}[${index}].value`;
    const names = isJsonObject(item) ? Object.keys(item) : [];
    for (const name of names) {
      about.violations.add(
        path,
        `Invalid JSON payload received. Unknown name ${
          quote(name)
        } at '${path}': Cannot find field.`,
      );
    }
    if (Array.isArray(item)) notRepeating({ ...about, path });
    else if (names.length === 0) wrong(item, "TYPE_STRING", { ...about, path });
  }
  return value;
}

/** A word in any case, or its number. */
function readEnum(value: unknown, words: readonly string[]): string | undefined {
  if (typeof value === "number") return words[value];
  if (typeof value !== "string") return undefined;
  return words.includes(value.toUpperCase()) ? value : undefined;
}

/** https://protobuf.dev/reference/protobuf/google.protobuf/#duration: seconds with up to nine decimals, then `s`. */
function readDuration(value: unknown, about: About): string | undefined {
  if (typeof value === "string" && /^-?\d{1,12}(?:\.\d{1,9})?s$/.test(value)) return value;
  const name = /([a-z_]+)(?:\[\d+\])?$/.exec(about.path)?.[1] ?? "";
  return about.violations.add(
    about.path,
    `Invalid value at '${about.path}' (type.googleapis.com/google.protobuf.Duration), Field '${name}', ` +
      "Illegal duration format; duration must end with 's'",
  );
}

function toNumber(value: unknown, fits: (number: number) => boolean): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && fits(number) ? number : undefined;
}

function isInt32(number: number): boolean {
  return (number | 0) === number;
}

function wrong(value: unknown, type: string, { path, violations }: About): undefined {
  return violations.add(path, `Invalid value at '${path}' (${type}), ${quote(value)}`);
}

function notRepeating({ path, violations }: About): undefined {
  const dot = path.lastIndexOf(".");
  const [at, name] = [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)];
  const where = at === "" ? `Unknown name "${name}"` : `Unknown name "${name}" at '${at}'`;
  return violations.add(
    path,
    `Invalid JSON payload received. ${where}: Proto field is not repeating, cannot start list.`,
  );
}

function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE).toWellFormed()}...`;
}
