/** Words of a shell, and literals of programming languages. */
import { shellQuote } from "./curl.js";

/** Characters that a terminal or editor would act on or move; written as escapes. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Quotes a word for bash and zsh, with invisible characters in their `$'...'` form.
 * @param {string} text
 */
export function shellWord(text) {
  if (text.search(UNSEEN) < 0) return shellQuote(text);
  const escaped = text.replace(/[\\']/g, "\\$&").replace(UNSEEN, unicodeEscape);
  return `$'${escaped}'`;
}

/**
 * Returns a literal that JavaScript and Python read alike.
 * @param {string} text
 */
export function literal(text) {
  return JSON.stringify(text).replace(UNSEEN, unicodeEscape);
}

/** @param {string} char */
function unicodeEscape(char) {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
