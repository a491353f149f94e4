/**
 * Namespaces separate tests that share one service. The namespace of an event is named by its sender in a header, or
 * derived by a rule from the sender's credential or from a recipient.
 */
import type { NamespaceRule } from "../options/namespace_rule.ts";
import type { NewEvent } from "./event.ts";

/** How namespaces are found. */
export interface NamespaceRules {
  /** Header field that names the namespace; none if empty. */
  readonly header: string;
  readonly credentials: readonly NamespaceRule[];
  readonly recipients: readonly NamespaceRule[];
}

const NAME = /^[\w.:@-]{1,64}$/;

/** The parts of an event that can name its namespace. */
export type NamespaceSubject = Pick<NewEvent, "raw" | "meta" | "summary_parts">;

/** Finds the namespace of an event: the header takes precedence over the credential, and that over recipients. */
export function createNamespaces(
  { header, credentials, recipients }: NamespaceRules,
): (event: NamespaceSubject) => string | undefined {
  const field = header.toLowerCase();
  return (event) => {
    const named = field === "" ? undefined : headerOf(event, field)?.trim();
    if (named !== undefined && NAME.test(named)) return named;
    return (credentials.length === 0 ? undefined : first(credentials, credentialsOf(event))) ??
      first(recipients, event.summary_parts?.to ?? []);
  };
}

function first(rules: readonly NamespaceRule[], texts: readonly string[]): string | undefined {
  for (const rule of rules) {
    for (const text of texts) {
      const name = rule(text);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

function headerOf({ raw }: NamespaceSubject, field: string): string | undefined {
  for (const pair of raw.headers ?? []) {
    const name = pair[0];
    if (name.length === field.length && name.toLowerCase() === field) return pair[1];
  }
  return undefined;
}

/** Headers besides `Authorization` in which vendors' clients send a key. */
const KEY_HEADERS = ["x-api-key", "api-key", "x-postmark-server-token"];

/** Every credential of the sender: tokens, user names, passwords, the path of a webhook. */
function credentialsOf(event: NamespaceSubject): string[] {
  const { raw, meta } = event;
  const keys = KEY_HEADERS.flatMap((field) => headerOf(event, field) ?? []);
  const auth = meta?.auth;
  const told = typeof auth === "object" && auth !== null ? Object.values(auth) : [auth];
  return [
    ...authorizationParts(headerOf(event, "authorization") ?? ""),
    ...keys,
    ...[...told, meta?.community, meta?.user].filter((value) => typeof value === "string"),
    ...(raw.path === undefined ? [] : [raw.path]),
  ];
}

/** RFC 9110 section 11.6.2: a scheme, then its parameters. */
function authorizationParts(value: string): string[] {
  const [scheme = "", rest = ""] = value.split(/ +(.*)/s);
  if (/^basic$/i.test(scheme)) return basicParts(rest);
  // AWS Signature Version 4 puts the key before its scope.
  const signer = /Credential=([^/,\s]{1,128})/.exec(rest)?.[1];
  if (signer !== undefined) return [signer];
  return value === "" ? [] : [rest === "" ? value : rest];
}

function basicParts(encoded: string): string[] {
  try {
    const decoded = atob(encoded.trim());
    const colon = decoded.indexOf(":");
    return colon < 0 ? [decoded] : [decoded.slice(0, colon), decoded.slice(colon + 1)];
  } catch {
    return [];
  }
}
