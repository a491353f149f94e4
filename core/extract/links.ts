/** Maximum number of links of one text. */
const MAX_LINKS = 200;

/** A scheme of at most 20 letters, so that no text is searched twice. */
const ADDRESS = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,19}:\/\/[^\s<>"'`\\^{}|]+/gi;
const MAILBOX = /[^\s@<>]{1,64}@[^\s@<>]{1,255}\.[a-z]{2,24}/gi;
/** Punctuation after an address. */
const TRAILING = new Set([..."`.,;:!?*_~)]»”’"]);

/** Finds absolute addresses in text, each once, in order. */
export function findLinks(text: string): string[] {
  const links = new Set<string>();
  if (!text.includes("://")) return [];
  for (const [found] of text.matchAll(ADDRESS)) {
    if (links.size >= MAX_LINKS) break;
    links.add(trimEnd(found));
  }
  return [...links];
}

/** Addresses that lead somewhere, unlike a script or the page itself. */
const LEADS = /^(?!javascript:|vbscript:|data:)[a-z][a-z0-9+.-]{0,19}:\/\//i;

/** Merges lists of addresses, each once, in order, without those that lead nowhere. */
export function joinLinks(lists: readonly (readonly string[])[]): string[] {
  const links = new Set(lists.flat().filter((link) => LEADS.test(link)));
  return [...links].slice(0, MAX_LINKS);
}

/** Replaces each address with a blank, so that numbers in it are not taken for codes. */
export function withoutLinks(text: string): string {
  const rest = text.includes("://") ? text.replace(ADDRESS, " ") : text;
  return rest.includes("@") ? rest.replace(MAILBOX, " ") : rest;
}

function trimEnd(address: string): string {
  // A closing bracket belongs to the address if it was opened there.
  let unopened = count(address, ")") - count(address, "(");
  let end = address.length;
  for (; end > 0 && TRAILING.has(address[end - 1]!); end--) {
    if (address[end - 1] === ")" && unopened-- <= 0) break;
  }
  return address.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
