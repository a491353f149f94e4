/** Address lists: RFC 5322 section 3.4. */
import { addressParser } from "postal-mime";
import type { Steps } from "../../bytes/steps.ts";
import { fieldValues, type HeaderBlock } from "./header.ts";
import type { Warnings } from "./warnings.ts";

/** One mailbox of a list. */
export interface Mailbox {
  /** As sent; empty if only a name was given. */
  readonly email: string;
  /** Decoded; empty if there is none. */
  readonly name: string;
}

/** Mailboxes kept of one message's field. */
const MAX_MAILBOXES = 10_000;

/** Characters inspected of one field, and groups in them. */
const MAX_FIELD = 512 * 1024;
const MAX_GROUPS = 1000;

/** `address`, `<address>`, `Name <address>` and `"Name" <address>`: almost every field. */
const SIMPLE =
  /^(?:("[^"\\,]*"|[\w .'-]*?)[ \t]*<([^\s<>@",;:()[\]\\]+@[\w.-]+)>|([^\s<>@",;:()[\]\\]+@[\w.-]+))$/;

/** Returns the mailboxes of all fields of this name, including the members of groups. */
export function* readMailboxes(
  header: HeaderBlock,
  name: string,
  warnings: Warnings,
): Steps<readonly Mailbox[]> {
  const found: Mailbox[] = [];
  for (const whole of fieldValues(header, name)) {
    if (whole === "") continue;
    const beginning = beginningOf(whole, name, warnings);
    const value = beginning.slice(0, endOfAddresses(beginning, MAX_MAILBOXES + 1));
    const mailboxes = parseMailboxes(value);
    yield;
    if (mailboxes.length === 0 && !/^[^:]*:\s*;$/.test(value)) {
      warnings.add(`No address in the ${name} field`);
    }
    for (const mailbox of mailboxes) {
      if (found.length === MAX_MAILBOXES) {
        warnings.add(`More than ${MAX_MAILBOXES} addresses in ${name}: the rest were left out`);
        return found;
      }
      found.push(mailbox);
    }
  }
  return found;
}

/** Limits the part of a field that is parsed: the time for a group grows with those before it. */
function beginningOf(value: string, name: string, warnings: Warnings): string {
  const long = value.length > MAX_FIELD;
  const beginning = long ? value.slice(0, MAX_FIELD) : value;
  if (long) {
    warnings.add(`A ${name} field of more than ${MAX_FIELD} characters: the rest was ignored`);
  }
  let colons = 0;
  for (let at = beginning.indexOf(":"); at >= 0; at = beginning.indexOf(":", at + 1)) {
    if (++colons <= MAX_GROUPS) continue;
    warnings.add(`More than ${MAX_GROUPS} groups in ${name}: the rest were left out`);
    return beginning.slice(0, at);
  }
  return beginning;
}

/**
 * Returns the index of the comma behind this many addresses, or the length of the field: parsing takes a kilobyte for each
 * of them, left out or not.
 */
function endOfAddresses(value: string, count: number): number {
  let isQuoted = false;
  let comments = 0;
  let left = count;
  for (let i = 0; i < value.length; i++) {
    const char = value[i];
    if (char === "\\") i++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === "(") comments++;
    else if (char === ")") comments = Math.max(0, comments - 1);
    else if (char === "," && comments === 0 && --left === 0) return i;
  }
  return value.length;
}

/** Returns the mailboxes of a field body. */
function parseMailboxes(value: string): readonly Mailbox[] {
  const simple = value.length < 500 ? SIMPLE.exec(value) : null;
  if (simple !== null && !value.includes("=?")) {
    const [, name = "", inBrackets, bare] = simple;
    return [{ email: inBrackets ?? bare!, name: name.replaceAll('"', "").trim() }];
  }
  const mailboxes: Mailbox[] = [];
  for (const { address, name } of addressParser(value, { flatten: true })) {
    // A lone name is an address of this host, or a mistake; either way it is the recipient.
    if (address) mailboxes.push({ email: address, name });
    else if (name) mailboxes.push({ email: name, name: "" });
  }
  return mailboxes;
}
