/** Members of a request. Parsing stops at the first fault. */
import { type FieldRules, JsonFields, type JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, Refused, type Result } from "../../../core/result.ts";
import { isAddress, parseMailbox, splitMailboxes } from "../address_list.ts";
import type { Address } from "../model.ts";
import { invalidEmail, REFUSALS, type VendorRefusal, wrongField } from "./refusals.ts";

const RULES: FieldRules = {
  report: (path) => fail(wrongField(path)),
  wrongType: (_type, { path }) => path,
};

/** Stops parsing with a refusal. */
export function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}

/** Parses the body of a call as JSON and passes it to `read`, which may stop by `fail`. */
export function readBody<T>(
  { body, headers }: Pick<IngressCall, "body" | "headers">,
  read: (body: unknown) => T,
): Result<T, VendorRefusal> {
  const json = readJson(body, headers.get("content-type"));
  return json.ok ? attempt(() => read(json.value)) : failure(REFUSALS.badJson);
}

/** Returns the members of an object. */
export function openFields(body: unknown): JsonFields {
  return isJsonObject(body) ? new JsonFields(body, RULES) : fail(REFUSALS.badJson);
}

/** Returns the objects of a list. */
export function readObjects(at: JsonFields, name: string): readonly JsonFields[] {
  return (at.array(name) ?? []).map((item) =>
    isJsonObject(item) ? new JsonFields(item, RULES) : fail(wrongField(name))
  );
}

/** Returns the texts of an object by name. */
export function readTexts(at: JsonFields, name: string): Readonly<Record<string, string>> {
  const members: JsonObject = at.object(name) ?? {};
  for (const value of Object.values(members)) {
    if (typeof value !== "string") fail(wrongField(name));
  }
  return members as Readonly<Record<string, string>>;
}

/**
 * What the vendor accepts: https://postmarkapp.com/support/article/1180-what-does-errorcode-300-mean. Names beyond ASCII
 * must be in Punycode.
 */
const [LOCAL_PART, DOMAIN] = [/^(?!.*\.\.)[a-z0-9.!#$%&'`*+\-/=^_{}|~]+$/i, /^(?:\.?[a-z0-9-])+$/i];

/** Reads comma-separated addresses. The messages are those quoted by django-anymail. */
export function readMailboxes(at: JsonFields, name: string): readonly Address[] {
  return splitMailboxes(at.text(name) ?? "").map((text) => {
    const mailbox = parseMailbox(text, { publicDomain: true });
    return mailbox !== undefined && isAccepted(mailbox) ? mailbox : fail(badAddress(name, text));
  });
}

function isAccepted({ email }: Address): boolean {
  const at = email.lastIndexOf("@");
  return LOCAL_PART.test(email.slice(0, at)) && DOMAIN.test(email.slice(at + 1));
}

function badAddress(field: string, text: string): VendorRefusal {
  const address = /<([^<>]*)>$/.exec(text)?.[1] ?? text;
  const at = address.lastIndexOf("@");
  if (at < 0) {
    return invalidEmail(
      `Error parsing '${field}': Illegal email address '${address}'. It must contain the '@' symbol.`,
    );
  }
  const domain = address.slice(at + 1);
  return DOMAIN.test(domain) && isAddress(`a@${domain}`, { publicDomain: true })
    ? invalidEmail(`Invalid '${field}' address: '${address}'.`)
    : invalidEmail(
      `Error parsing '${field}': Illegal email domain '${domain}' in address '${address}'.`,
    );
}
