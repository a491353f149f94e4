/**
 * The members of a Mail Send request (SendGrid v3 Mail Send, "Errors"): the vendor reports all faults of a request at
 * once.
 */
import {
  type FieldRules,
  JsonFields,
  type JsonObject,
  type Violations,
} from "../../../core/codec/json_fields.ts";
import { jsonType } from "../../../core/codec/json_lenient.ts";

/** Maximum number of members of an object at the top of a request: they are copied into each of a thousand messages. */
const MAX_COMMON = 1000;

/** Returns the members of a request; reports faults to `violations`. */
export function openFields(body: JsonObject, violations: Violations): JsonFields {
  const rules: FieldRules = {
    report: (path, message) => violations.add(path, message),
    wrongType: (expected, { value }) =>
      `Invalid type. Expected: ${expected}, given: ${jsonType(value)}.`,
  };
  return new JsonFields(body, rules);
}

/** Reads an object with any names, at most 1000 at the top of a request. */
export function readMap(at: JsonFields, name: string): JsonObject | undefined {
  const members = at.object(name);
  if (members === undefined || !at.isRoot) return members;
  if (Object.keys(members).length <= MAX_COMMON) return members;
  at.report(name, `You are limited to ${MAX_COMMON} members of ${name}.`);
  return undefined;
}

/** Such an object whose members are texts. */
export function readTexts(
  at: JsonFields,
  name: string,
  message: string,
): Readonly<Record<string, string>> | undefined {
  const members = readMap(at, name);
  if (members === undefined) return undefined;
  if (Object.values(members).every((member) => typeof member === "string")) {
    return members as Readonly<Record<string, string>>;
  }
  at.report(name, message);
  return undefined;
}
