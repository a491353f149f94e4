/** Shared by the JSON send APIs: mailboxes as text, attachments as base64 text, header fields in two layers. */
import { decodeBase64 } from "@std/encoding/base64";
import { mapKey } from "../../core/bytes/text.ts";
import type { MailDraft } from "./capture.ts";
import type { Address } from "./model.ts";

/** Longest address in characters: RFC 5321 section 4.5.3.1 allows 64 before the `@` and 255 after it. */
const MAX_ADDRESS = 320;
/** An atom or quoted string of RFC 5322 section 3.2, letters beyond ASCII included (RFC 6531). */
const LOCAL_PART = /^(?:[^\s"(),:;<>@[\\\]\p{Cc}]{1,64}|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}]){1,62}")$/u;
const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/** Matches nearly all addresses. The rules below accept the same and more, at five times the cost. */
const USUAL =
  /^[a-z0-9](?:[a-z0-9_.+-]{0,62}[a-z0-9_+-])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
/** Longest domain, in characters: RFC 1035 section 2.3.4. */
const MAX_DOMAIN = 255;

/**
 * Returns whether the text is one bare address. With `publicDomain` the domain needs a dot and a last label that is not
 * a number, as some vendors require.
 */
export function isAddress(text: string, options: { publicDomain?: boolean } = {}): boolean {
  if (text.length <= MAX_DOMAIN && USUAL.test(text)) return true;
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > MAX_ADDRESS || !LOCAL_PART.test(text.slice(0, at))) return false;
  const local = text.slice(0, at);
  if (local.startsWith(".") || local.endsWith(".")) return false;
  const domain = text.slice(at + 1);
  if (/^\[[^\s[\]\\]+\]$/.test(domain)) return options.publicDomain !== true;
  const labels = domain.split(".");
  if (domain.length > MAX_DOMAIN || !labels.every((label) => LABEL.test(label))) return false;
  return options.publicDomain !== true ||
    (labels.length > 1 && !/^\d+$/.test(labels[labels.length - 1]!));
}

/** Returns an address with its name unless that is empty; a copy, see Decision 0019. */
export function toAddress(email: string, name?: string): Address {
  return name ? { ...{ email, name } } : { ...{ email } };
}

/**
 * Reads `Name <address>`, `"Quoted, name" <address>`, `<address>` or a bare address. `undefined` for anything else;
 * `options` as for `isAddress`.
 */
export function parseMailbox(
  text: string,
  options: { publicDomain?: boolean } = {},
): Address | undefined {
  const trimmed = text.trim();
  if (!trimmed.endsWith(">")) {
    return isAddress(trimmed, options) ? { email: trimmed } : undefined;
  }
  const open = trimmed.lastIndexOf("<");
  if (open < 0) return undefined;
  const email = trimmed.slice(open + 1, -1).trim();
  if (!isAddress(email, options)) return undefined;
  return toAddress(email, unquote(trimmed.slice(0, open).trim()));
}

/** Splits a text at the commas outside quotes and angle brackets; empty items are left out. */
export function splitMailboxes(text: string): readonly string[] {
  const items: string[] = [];
  let [from, quoted, angled] = [0, false, false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted && char === "\\") i++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === "<") angled = true;
    else if (!quoted && char === ">") angled = false;
    else if (!quoted && !angled && char === ",") {
      items.push(text.slice(from, i));
      from = i + 1;
    }
  }
  items.push(text.slice(from));
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

/**
 * Decodes an attachment, ignoring the line breaks and spaces that MIME libraries insert. `undefined` unless the text is
 * base64 of RFC 4648 section 4.
 */
export function decodeAttachment(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return decodeBase64(/\s/.test(text) ? text.replace(/\s+/g, "") : text);
  } catch {
    return undefined;
  }
}

/** Removes the angle brackets of a content id and the spaces around them. */
export function bareContentId(text: string): string {
  return text.trim().replace(/^<(.*)>$/s, "$1");
}

/**
 * Merges header fields of a message with common ones: a field replaces all others of its name, in
 * any case.
 */
export function overlayHeaders(
  common: MailDraft["headers"],
  own: MailDraft["headers"],
): MailDraft["headers"] {
  if (common.length === 0) return own;
  if (own.length === 0) return common;
  const replaced = new Set(own.map(([name]) => mapKey(name.toLowerCase())));
  return [...common.filter(([name]) => !replaced.has(mapKey(name.toLowerCase()))), ...own];
}

function unquote(name: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(name);
  return quoted === null ? name : quoted[1]!.replace(/\\(.)/gs, "$1");
}
