/** Members of a request. Parsing stops at the first fault, as at the vendor. */
import { type FieldRules, JsonFields, type JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { Refused } from "../../../core/result.ts";
import { validationError, type VendorRefusal } from "./reply.ts";

/** Other spellings that the vendor's SDKs send. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  content_id: ["contentId", "inline_content_id"],
  content_type: ["contentType"],
  reply_to: ["replyTo"],
  scheduled_at: ["scheduledAt"],
};

const RULES: FieldRules = {
  report: (_path, message) => fail(validationError(message)),
  wrongType: (type, { path }) => typeSentence(path, type),
  spell: (members, name) =>
    [name, ...ALIASES[name] ?? []].find((spelling) => (members[spelling] ?? null) !== null),
};

/** Stops parsing with a refusal. */
export function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}

/** Stops parsing, because a field has the wrong type. */
export function wrongType(field: string, type: string): never {
  fail(validationError(typeSentence(field, type)));
}

function typeSentence(field: string, type: string): string {
  return `The \`${field}\` field must be ${type === "string" ? "a" : "an"} \`${type}\`.`;
}

/** Returns the members of a body. */
export function readFields(body: unknown): JsonFields {
  return isJsonObject(body)
    ? openFields(body)
    : fail(validationError("The request body must be an `object`."));
}

/** Returns the members of an object whose path the vendor omits. */
export function openFields(members: JsonObject): JsonFields {
  return new JsonFields(members, RULES);
}
