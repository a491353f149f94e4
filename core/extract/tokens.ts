/** Maximum number of tokens of one text. */
const MAX_TOKENS = 100;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const JWT = /^eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*$/;
/** Names of query parameters whose value is a token of any length. */
const NAMES = new Set(
  ("token code key otp ticket secret sig signature auth invite invitation reset confirm confirmation verify " +
    "verification jwt session nonce hash access_token id_token refresh_token confirmation_token reset_token " +
    "reset_password_token invitation_token verification_token activation_key t k").split(" "),
);

/**
 * Finds tokens: values in links that identify the recipient, and words of the text that can only be tokens (UUID, JWT,
 * long random words). Each once, those of links first.
 */
export function findTokens(text: string, links: readonly string[]): string[] {
  const tokens = new Set(links.flatMap(tokensOf));
  for (const word of longWords(text)) {
    if (tokens.size >= MAX_TOKENS) break;
    const bare = word.replace(/^[.~+=-]{1,9}|[.~+-]{1,9}$/g, "");
    if (isToken(bare, 24)) tokens.add(bare);
  }
  return [...tokens].slice(0, MAX_TOKENS);
}

function* longWords(text: string): Generator<string> {
  // Most words of prose are short, and searching only the long ones takes a fraction of the time.
  for (const word of text.match(/\S+/g) ?? []) {
    if (word.length < 16) continue;
    for (const [part] of word.matchAll(/[\w.~+=-]{16,}/g)) yield part;
  }
}

function tokensOf(link: string): string[] {
  const url = URL.parse(link);
  if (url === null) return [];
  const fragment = url.hash.includes("=") ? url.hash.slice(1).replace(/^[^?]*\?/, "") : "";
  const named = [...url.searchParams, ...new URLSearchParams(fragment)]
    .filter(([name, value]) =>
      value !== "" && (NAMES.has(name.toLowerCase()) || isToken(value, 16))
    )
    .map(([, value]) => value);
  return [...named, ...url.pathname.split("/").filter((segment) => isToken(segment, 20))];
}

/** Returns whether a word is random: at least `length` characters, with letters and digits mixed. */
function isToken(word: string, length: number): boolean {
  if (word.length > 4096) return false;
  if (UUID.test(word) || JWT.test(word)) return true;
  if (word.length < length || !/^[\w~+=-]+$/.test(word)) return false;
  // People join words and dates with dashes: a token has digits within its longest run of letters.
  return word.split(/[-_]/).some((part) =>
    part.length >= 8 && /\d/.test(part) && /[a-z]/i.test(part)
  );
}
