/** Maximum number of codes of one text. */
const MAX_CODES = 20;

/** WICG "Origin-bound one-time codes delivered via SMS": the last line is `@host #code`. */
const ORIGIN_BOUND = /^@[a-z0-9.-]{1,255} #(\S{1,64})(?: @\S+)?$/im;

/**
 * `123456`, `123 456`, `1 2 3 4 5 6`, `G-123456`, `AB12-CD34`, `ABC-DEF`, `X7K2Q9`. Scripts without blanks between words
 * may touch it.
 */
const CANDIDATE =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.,/#@&?%+$€£-])(?:[A-Z]{1,3}-)?(?:\d{3}[ -]\d{3}|\d(?: \d){3,7}|\d{4,8}|[A-Z0-9]{3,5}-[A-Z0-9]{3,5}|[A-Z0-9]{5,10})(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_@%/=$€£-]|[.,:]\p{N}| \d(?!\d))/gu;

/** Words that announce a one-time code. */
const ANNOUNCED =
  /code|otp|passcode|\bpin\b|one[- ]?time|einmal|password|passwort|\btan\b|verif|c[oó]digo|codice|kode|kod\b|koodi|код|コード|验证码|驗證碼|인증/i;
/** Words before other numbers. */
const OTHER =
  /(?:order|invoice|account|acct|phone|tel|zip|ref(?:erence)?|case|no|nr|number|customer|bestellung|rechnung|konto|kunde\w{0,9}|card|ending(?: in)?|version|©|copyright)[.:#=\s]{0,3}$/i;
/** Units after an amount or a time. */
const UNIT =
  /^\s?(?:min|sec|hour|day|week|month|year|usd|eur|gbp|chf|dollar|euro|kb|mb|gb|km|items?|users?|people)/i;

interface Found {
  readonly code: string;
  readonly score: number;
}

/** Finds the one-time codes of a text, the most likely first. The text must be without links and addresses. */
export function findCodes(text: string): string[] {
  const bound = text.includes("#") ? ORIGIN_BOUND.exec(text)?.[1] : undefined;
  const found: Found[] = bound === undefined ? [] : [{ code: bound, score: 100 }];
  let before = "";
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    // Every candidate has one of these, and most lines of prose have none.
    if (found.length < MAX_CODES * 5 && /[\d-]/.test(line)) {
      for (const code of codesOf(line.slice(0, MAX_LINE), before)) found.push(code);
    }
    before = line;
  }
  // A text that is only a code.
  if (found.length === 0 && /^\d{4,8}$/.test(text.trim())) return [text.trim()];
  const best = found.toSorted((a, b) => b.score - a.score).map(({ code }) => code);
  return [...new Set(best)].slice(0, MAX_CODES);
}

/** Longest beginning of a line that is searched. */
const MAX_LINE = 10_000;
/** Largest distance from the announcing word in a long line. */
const NEAR = 60;

function codesOf(line: string, before: string): Found[] {
  return [...line.matchAll(CANDIDATE)].flatMap((match): Found[] => {
    const [written] = match;
    const lead = line.slice(Math.max(0, match.index - NEAR), match.index);
    const tail = line.slice(match.index + written.length).slice(0, NEAR);
    if (OTHER.test(lead) || UNIT.test(tail)) return [];
    const digits = /^(?:[A-Z]{1,3}-)?(\d{3}[ -]?\d{3}|\d(?: \d){3,7}|\d{4,8})$/.exec(written)?.[1];
    // A word in capitals is a code only with a digit or a dash.
    if (digits === undefined && !/[\d-]/.test(written)) return [];
    const score = scoreOf({ line: line.trim(), written, lead, tail, before });
    if (score === 0 || (score < CLOSE && isYear(written))) return [];
    return [{ code: digits?.replaceAll(/[ -]/g, "") ?? written, score }];
  });
}

/** An announcing word right before the code. */
const CLOSE = 60;

function scoreOf(
  { line, written, lead, tail, before }: Record<
    "line" | "written" | "lead" | "tail" | "before",
    string
  >,
): number {
  const numeric = /^[\d -]+$/.test(written);
  const announced = lastMatch(lead);
  if (announced !== undefined) {
    const gap = lead.length - announced;
    if (numeric) return CLOSE + 30 - Math.min(30, gap / 2);
    // Letters need more than an announcing word somewhere before them.
    return /(?:[:=]|\b(?:is|ist|es|est|är|er))\s*["'“]?$/i.test(lead) ? CLOSE + 10 : 0;
  }
  if (ANNOUNCED.test(tail)) return numeric || lead.trim() === "" ? 50 : 0;
  const alone = line === written;
  if (alone && ANNOUNCED.test(before)) return 45;
  return 0;
}

/** Returns the end of the last announcing word before the code. */
function lastMatch(lead: string): number | undefined {
  let end: number | undefined;
  for (const match of lead.matchAll(new RegExp(ANNOUNCED, "gi"))) {
    end = match.index + match[0].length;
  }
  return end;
}

function isYear(written: string): boolean {
  return /^(?:19|20)\d\d$/.test(written);
}
