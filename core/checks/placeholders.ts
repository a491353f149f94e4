/** Finds unfilled placeholders of template engines, and the words that programs print for missing values. */

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * In the syntax of Handlebars, Liquid and Jinja; of Mailchimp, ERB and Python; and an object printed by JavaScript.
 * Bounded repeats, so that no text is searched twice.
 */
const PLACEHOLDER = new RegExp(
  [
    /\{\{\{?\s{0,4}[#/^>&]?\s{0,4}[\w$][\w$. |:'"()[\]-]{0,80}\}?\}\}/, // {{name}}
    /\{%-?\s{0,4}[a-z][^%{}\n]{0,80}-?%\}/, // {% if %}
    /<%=?\s{0,4}[\w@$][^%<>\n]{0,80}%>/, // <%= name %>
    /\*\|[A-Z][A-Z0-9_:]{0,40}\|\*/, // *|FNAME|*
    /\$\{[A-Za-z_][\w.]{0,80}\}/, // ${name}
    /%\([A-Za-z_]\w{0,40}\)[sd]/, // %(name)s
    /(?<![\w%])%[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,30}%(?!\w)/, // %FIRST_NAME%
    /(?<![\w%])%(?:recipient|user|name|email|first_?name|last_?name)[\w.]{0,40}%(?!\w)/i, // %recipient.name%
    /\[\[[A-Za-z_][\w.: ]{0,60}\]\]/, // [[name]]
    /\[object [A-Z][A-Za-z]{2,30}\]/, // String({})
  ].map(({ source }) => source).join("|"),
  "g",
);

/** Words that a program prints for a missing value: after a greeting, a label, a currency or in a link. */
const MISSING =
  /(?:(?<=\b(?:hi|hello|hey|dear|hallo|bonjour|hola|ciao|welcome|name|code|total|order)[,:#]?\s{1,4})|(?<=[$€£:#=/]\s?))(?:undefined|null|NaN|None|nil)\b/gi;
/** Their exact spelling: `text-decoration:none` does not match. */
const MISSING_WORDS = new Set(["undefined", "null", "NULL", "NaN", "None", "nil"]);

/** Returns the unfilled placeholders, in order. */
export function findPlaceholders(text: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of [PLACEHOLDER, MISSING]) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (pattern === MISSING && !MISSING_WORDS.has(found)) continue;
      spans.push({ start: index, end: index + found.length });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}
