/**
 * Parses the JSON form of a protocol-buffers message by its table of fields, with the error
 * messages of Google's front end. Known names are normalised; custom parts (`data`, `headers`,
 * `payload`) stay as sent.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { JsonFields, type JsonObject, type Violations } from "../../../core/codec/json_fields.ts";
import { decodeText, isJsonObject } from "../../../core/codec/json_lenient.ts";
import { scanJson } from "../../../core/codec/json_span.ts";
import type { Field, MessageField } from "../fcm_fields.ts";

/** Longest value quoted in a violation. */
const MAX_QUOTE = 200;

/** Returns the members of a request; reports faults to `violations`. */
export function openFields(body: JsonObject, violations: Violations): JsonFields {
  return new JsonFields(body, {
    report: (path, message) => violations.add(path, message),
    wrongType: (type, { path, value }) => `Invalid value at '${path}' (${type}), ${quote(value)}`,
    spell: spellingIn,
  });
}

/**
 * Returns the known members of an object under their names in the vendor's protocol buffers; invalid ones are omitted.
 */
export function readMessage(at: JsonFields, { fields }: MessageField): JsonObject {
  // No prototype: reading a field that was not sent must find nothing.
  const read: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(fields)) {
    const value = at.value(name);
    if (value === undefined) continue;
    const member = readField(field, { value, at, name });
    if (member !== undefined) read[name] = member;
  }
  return read;
}

/** A value and its place. */
interface Sent {
  readonly value: unknown;
  readonly at: JsonFields;
  readonly name: string;
}

function readField(field: Field, sent: Sent): unknown {
  const { value, at, name } = sent;
  if (Array.isArray(value) && field.kind !== "list") return notRepeating(at, name);
  const wrong = (type: string): undefined => at.reportType(name, type, value);
  switch (field.kind) {
    case "string":
      return typeof value === "string" ? value : wrong("TYPE_STRING");
    case "bool":
      if (value === "true" || value === "false") return value === "true";
      return typeof value === "boolean" ? value : wrong("TYPE_BOOL");
    case "int32":
      return toNumber(value, isInt32) ?? wrong("TYPE_INT32");
    case "double":
      return toNumber(value, Number.isFinite) ?? wrong("TYPE_DOUBLE");
    case "enum":
      return readEnum(value, field.words) ?? wrong(field.type);
    case "duration":
      return readDuration(sent);
    case "struct":
      return isJsonObject(value) ? value : wrong("type.googleapis.com/google.protobuf.Struct");
    case "map":
      return isJsonObject(value) ? readMap(value, sent) : wrong(field.type);
    case "message":
      return isJsonObject(value) ? readMessage(at.within(name, value), field) : wrong(field.type);
    case "list":
      return readList(field.of, sent);
  }
}

function readList(of: Field, { value, at, name }: Sent): readonly unknown[] {
  // A single value counts as a list of one.
  const items = Array.isArray(value) ? value : [value];
  return items
    .map((item, index) => readField(of, { value: item, at, name: `${name}[${index}]` }))
    .filter((item) => item !== undefined);
}

/** Values of a map are texts; each member of an object in their place is reported as an unknown field. */
function readMap(map: JsonObject, { at, name }: Sent): JsonObject {
  for (const [index, item] of Object.values(map).entries()) {
    if (typeof item === "string") continue;
    const place = `${name}[${index}].value`;
    const members = isJsonObject(item) ? Object.keys(item) : [];
    for (const member of members) {
      const where = `Unknown name ${quote(member)} at '${at.path(place)}'`;
      at.report(place, `Invalid JSON payload received. ${where}: Cannot find field.`);
    }
    if (Array.isArray(item)) notRepeating(at, place);
    else if (members.length === 0) at.reportType(place, "TYPE_STRING", item);
  }
  return map;
}

/** Reads a word in any case, or its number. */
function readEnum(value: unknown, words: readonly string[]): string | undefined {
  if (typeof value === "number") return words[value];
  if (typeof value !== "string") return undefined;
  return words.includes(value.toUpperCase()) ? value : undefined;
}

/** https://protobuf.dev/reference/protobuf/google.protobuf/#duration: seconds with up to nine decimals, then `s`. */
function readDuration({ value, at, name }: Sent): string | undefined {
  if (typeof value === "string" && /^-?\d{1,12}(?:\.\d{1,9})?s$/.test(value)) return value;
  const field = /([a-z_]+)(?:\[\d+\])?$/.exec(name)?.[1] ?? "";
  return at.report(
    name,
    `Invalid value at '${at.path(name)}' (type.googleapis.com/google.protobuf.Duration), ` +
      `Field '${field}', Illegal duration format; duration must end with 's'`,
  );
}

function toNumber(value: unknown, fits: (number: number) => boolean): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && fits(number) ? number : undefined;
}

function isInt32(number: number): boolean {
  return (number | 0) === number;
}

function notRepeating(at: JsonFields, name: string): undefined {
  const path = at.path(name);
  const dot = path.lastIndexOf(".");
  const [within, own] = [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)];
  const where = within === "" ? `Unknown name "${own}"` : `Unknown name "${own}" at '${within}'`;
  return at.report(
    name,
    `Invalid JSON payload received. ${where}: Proto field is not repeating, cannot start list.`,
  );
}

function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE).toWellFormed()}...`;
}

/** Turns `collapse_key` into `collapseKey`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Returns the spelling under which an object has a field, `undefined` when it is absent or null. The JSON form of
 * protocol buffers allows two (https://protobuf.dev/programming-guides/json/#field-names); one official client uses
 * both in one body, and camel case wins.
 */
export function spellingIn(
  object: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  for (const spelling of [camelCase(name), name]) {
    if (Object.hasOwn(object, spelling) && (object[spelling] ?? null) !== null) return spelling;
  }
  return undefined;
}

/** Characters of context shown on each side of the fault. */
const CONTEXT = 20;

/**
 * Returns the message of Google's front end for a body that is not JSON: the text around the fault, with a mark below
 * it.
 */
export function describeBrokenJson(body: Uint8Array, contentType: string | null): string {
  const opening = "Invalid JSON payload received. Unexpected token.";
  let text: string;
  try {
    text = decodeText(body, contentType);
  } catch (error) {
    if (error instanceof WireError) return opening;
    throw error;
  }
  const at = faultIn(text);
  const begin = Math.max(0, at - CONTEXT);
  const around = text.slice(begin, at + CONTEXT).toWellFormed();
  return `${opening}\n${around}\n${" ".repeat(at - begin)}^`;
}

function faultIn(text: string): number {
  try {
    scanJson(text);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return Math.min(Number(/ at (\d+)$/.exec(error.message)?.[1] ?? 0), text.length);
  }
  // Valid JSON with more arrays and objects than are allowed.
  return 0;
}
