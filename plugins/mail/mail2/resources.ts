/** Shared by the calls other than Mail Send: bodies, responses and accounts. */
import { vendorJson } from "../../../core/http/reply.ts";
import { type JsonFields, type JsonObject, Violations } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { openFields } from "./fields.ts";
import { REFUSALS, refuse, type VendorRefusal, whole } from "./reply.ts";

/** Maximum number of reported faults of a body. */
const MAX_LISTED = 100;

/** Account of a call: that of the subuser it names, else the parent's. */
export function accountOf({ headers }: Pick<IngressCall, "headers">): string {
  return headers.get("on-behalf-of") ?? "";
}

/** Returns a response in JSON. */
export function answerJson(body: unknown, status = 200): Response {
  return vendorJson(body, { status });
}

/** Returns the response to a deletion. */
export function answerNothing(): Response {
  return new Response(null, { status: 204 });
}

/** Parses a JSON object; `read` reports faults to the given reader. */
export function readObject<T>(
  call: IngressCall,
  read: (at: JsonFields, members: JsonObject) => T,
): Result<T, VendorRefusal> {
  const json = readJson(call.body, call.headers.get("content-type"));
  if (!json.ok || !isJsonObject(json.value)) return failure(REFUSALS.badRequest);
  const violations = new Violations(MAX_LISTED);
  const value = read(openFields(json.value, violations), json.value);
  if (violations.found.length > 0) return failure({ status: 400, violations: violations.found });
  return success(value);
}

/** Runs `save`; returns the vendor's refusal if there is no room. */
export function saveOrRefuse(save: () => Response): Response {
  try {
    return save();
  } catch (error) {
    if (error instanceof StoreFullError) return refuse(whole(400, error.message));
    throw error;
  }
}

/** `2021-04-28 13:12:46` */
export function toTimestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replace("T", " ");
}
