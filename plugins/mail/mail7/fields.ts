/** Members of a request. Parsing stops at the first fault. */
import { type FieldRules, JsonFields } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, Refused, type Result } from "../../../core/result.ts";
import { isAddress, toAddress } from "../address_list.ts";
import type { Address } from "../model.ts";
import { invalid, missing, REFUSALS, type VendorRefusal } from "./reply.ts";

const RULES: FieldRules = {
  report: (path) => fail(invalid(`${path} is not valid`)),
  wrongType: (_expected, { path }) => path,
};

/** Stops parsing with a refusal. */
export function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}

/** Parses the body of a call as a JSON object and passes it to `read`, which may stop by `fail`. */
export function readBody<T>(
  { body, headers }: Pick<IngressCall, "body" | "headers">,
  read: (at: JsonFields) => T,
): Result<T, VendorRefusal> {
  const json = readJson(body, headers.get("content-type"));
  if (!json.ok || !isJsonObject(json.value)) return failure(REFUSALS.badJson);
  const members = json.value;
  return attempt(() => read(new JsonFields(members, RULES)));
}

/** Reads the objects of a list; `undefined` without one. */
export function readItems<T>(
  at: JsonFields,
  name: string,
  read: (item: JsonFields) => T,
): readonly T[] | undefined {
  return at.array(name)?.map((_, index) => read(at.item(name, index)!));
}

/** Reads a list of `{email, name}`. */
export function readAddresses(at: JsonFields, name: string): readonly Address[] | undefined {
  return readItems(at, name, (item) => toMailbox(item, name));
}

/** Reads `{email, name}`. */
export function readAddress(at: JsonFields, name: string): Address | undefined {
  const item = at.child(name);
  return item && toMailbox(item, name);
}

function toMailbox(item: JsonFields, name: string): Address {
  const email = item.text("email")?.trim() ?? "";
  if (email === "") fail({ ...missing("email"), message: `email is missing in ${name}` });
  if (!isAddress(email, { publicDomain: true })) fail(invalid(`email is not valid in ${name}`));
  return toAddress(email, item.text("name"));
}

/** Reads an object of texts. */
export function readTexts(
  at: JsonFields,
  name: string,
): readonly (readonly [name: string, value: string])[] | undefined {
  const members = at.object(name);
  return members && Object.entries(members).map(([key, value]) => [
    key,
    typeof value === "string" ? value : fail(invalid(`${name} is not valid`)),
  ]);
}
