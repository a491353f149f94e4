/** Shared by the calls for resources: https://dev.mailjet.com/email/reference/overview/ */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { readBasic } from "../../../core/http/auth.ts";
import { ownValue } from "../../../core/own.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { answerRest, refuseRest } from "./reply.ts";

/** Default and maximum number of resources per page. */
const [LIMIT, MAX_LIMIT] = [10, 1000];

/** Key of a call; empty without one. */
export function keyOf({ headers }: Pick<IngressCall, "headers">): string {
  return readBasic(headers.get("authorization"))?.username ?? "";
}

/** Types of the members of a resource, by name. */
export type Shape = Readonly<Record<string, "string" | "number" | "boolean" | "array" | "any">>;

/** Returns a response with resources. */
export function answerData(data: readonly unknown[], status = 200, total = data.length): Response {
  return answerRest({ Count: data.length, Data: data, Total: total }, status);
}

/** Returns the response to a deletion. */
export function answerNothing(): Response {
  return new Response(null, { status: 204 });
}

/** Answers with a page of resources: `Limit` (0 means the maximum), `Offset`, and filters by their members. */
export function answerPage(
  call: IngressCall,
  resources: readonly JsonObject[],
  toItem: (resource: JsonObject) => unknown = (resource) => resource,
): Response {
  const { query } = call;
  const limit = toCount(query.get("Limit") ?? String(LIMIT));
  const offset = toCount(query.get("Offset") ?? "0");
  if (limit === undefined || offset === undefined || limit > MAX_LIMIT) {
    return refuseRest(400, `Limit must be 0 to ${MAX_LIMIT}, and Offset a number.`);
  }
  const filters = [...query].filter(([name]) => !PAGING.has(name));
  const found = resources.filter((resource) =>
    filters.every(([name, text]) => String(ownValue(resource, name) ?? "") === text)
  );
  if (query.get("countOnly") === "1") {
    return answerRest({ Count: 0, Data: [], Total: found.length }, 200);
  }
  const page = found.slice(offset, offset + (limit || MAX_LIMIT));
  return answerData(page.map(toItem));
}

const PAGING: ReadonlySet<string> = new Set(["Limit", "Offset", "Sort", "countOnly"]);

/** Reads the members of a body, each of its type; others are refused by name. */
export function withBody(
  call: IngressCall,
  shape: Shape,
  work: (members: JsonObject) => Response,
): Response {
  const json = call.body.length === 0
    ? { ok: true as const, value: {} }
    : readJson(call.body, call.headers.get("content-type"));
  if (!json.ok || !isJsonObject(json.value)) {
    return refuseRest(400, "Invalid JSON input.");
  }
  for (const [name, value] of Object.entries(json.value)) {
    const type = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (type === undefined) {
      return refuseRest(400, `Invalid key/value pair for property "${name}".`);
    }
    if (!isOf(type, value)) return refuseRest(400, `Invalid type for property "${name}".`);
  }
  const members = json.value;
  return saveOrRefuse(() => work(members));
}

/** Returns what `save` returns, or a refusal if there is no room. */
export function saveOrRefuse(save: () => Response): Response {
  try {
    return save();
  } catch (error) {
    if (error instanceof StoreFullError) return refuseRest(507, error.message);
    throw error;
  }
}

/** Returns a text member of a body. */
export function textOf(members: JsonObject, name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" ? value : undefined;
}

/** `2026-01-02T03:04:05Z` */
export function toTimestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+/, "");
}

function isOf(type: Shape[string], value: unknown): boolean {
  return value === null || type === "any" ||
    (type === "array" ? Array.isArray(value) : typeof value === type);
}

function toCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
