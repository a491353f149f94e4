/** Most links told of one text. */
const MAX_LINKS = 200;

/** A scheme of at most 20 letters, so that no text is looked through twice. */
const ADDRESS = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,19}:\/\/[^\s<>"'`\\^{}|]+/gi;
const MAILBOX = /[^\s@<>]{1,64}@[^\s@<>]{1,255}\.[a-z]{2,24}/gi;
/** What ends the sentence around an address, not the address. */
const TRAILING = new Set([..."`.,;:!?*_~)]»”’"]);

/** Addresses in running text, those with a scheme and `//`, each once, in order. */
export function findLinks(text: string): string[] {
  const links = new Set<string>();
  if (!text.includes("://")) return [];
  for (const [found] of text.matchAll(ADDRESS)) {
    if (links.size >= MAX_LINKS) break;
    links.add(trimEnd(found));
  }
  return [...links];
}

/** Addresses that lead somewhere; a script or the page itself does not. */
const LEADS = /^(?!javascript:|vbscript:|data:)[a-z][a-z0-9+.-]{0,19}:\/\//i;

/** Those of several lists, each once, in order; what leads nowhere is left out. */
export function joinLinks(lists: readonly (readonly string[])[]): string[] {
  const links = new Set(lists.flat().filter((link) => LEADS.test(link)));
  return [...links].slice(0, MAX_LINKS);
}

/** The text with a blank in the place of each address, so that numbers in it are not taken for codes. */
export function withoutLinks(text: string): string {
  const rest = text.includes("://") ? text.replace(ADDRESS, " ") : text;
  return rest.includes("@") ? rest.replace(MAILBOX, " ") : rest;
}

function trimEnd(address: string): string {
  // A closing bracket belongs to the address when it was opened there.
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
