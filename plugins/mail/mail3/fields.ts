/**
 * How the members of a request are read: the vendor names the first that is wrong, and a reader leaves at once.
 *
 * @module
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { validationError, type VendorRefusal } from "./reply.ts";

/** Leaves the reader with a refusal; never seen outside this file. */
class Refused extends Error {
  constructor(readonly refusal: VendorRefusal) {
    super(refusal.message);
  }
}

/** Leaves what `attempt` runs with a refusal. */
export function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}

/** What `read` gives, or the refusal it left with. */
export function attempt<T>(read: () => T): Result<T, VendorRefusal> {
  try {
    return success(read());
  } catch (error) {
    if (error instanceof Refused) return failure(error.refusal);
    throw error;
  }
}

/** The members of a body. */
export function toFields(body: unknown): JsonObject {
  if (!isJsonObject(body)) fail(validationError("The request body must be an `object`."));
  return body;
}

/** Leaves with the refusal of a member of another type. */
export function wrongType(field: string, type: "array" | "object" | "string"): never {
  const article = type === "string" ? "a" : "an";
  fail(validationError(`The \`${field}\` field must be ${article} \`${type}\`.`));
}

/** `null` counts as absent: clients in languages without optional fields send it. */
export function optionalText(fields: JsonObject, name: string, alias = name): string | undefined {
  const value = fields[name] ?? fields[alias] ?? undefined;
  if (value !== undefined && typeof value !== "string") wrongType(name, "string");
  return value;
}
