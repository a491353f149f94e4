/**
 * Parses the two markups of chat texts: mrkdwn (docs.slack.dev/messaging/formatting-message-text), and the subset of
 * Markdown that cards support.
 */

import { withEmoji } from "./emoji.js";

/** @import { Token } from "../tabs/chat/types.d.ts" */

/** Deepest nesting of formats. */
const MAX_DEPTH = 4;
/** Longest text that is formatted; longer texts are shown as they are. */
const MAX_LENGTH = 50_000;

const MRKDWN = new RegExp(
  [
    "`(?<code>[^`\\n]+)`",
    "<(?<angle>[^<>\\n]{1,4000})>",
    ...[["strong", "\\*"], ["em", "_"], ["strike", "~"]].map(([name, mark]) =>
      `(?<![\\p{L}\\p{N}${mark}])${mark}(?=\\S)(?<${name}>[^${mark}\\n]+)(?<=\\S)${mark}(?![\\p{L}\\p{N}${mark}])`
    ),
  ].join("|"),
  "gu",
);

const MARKDOWN = new RegExp(
  [
    "`(?<code>[^`\\n]+)`",
    "\\[(?<label>[^\\[\\]\\n]{1,1000})\\]\\((?<href>[^()\\s]{1,2000})\\)",
    "\\*\\*(?=\\S)(?<strong>[^*\\n]+)(?<=\\S)\\*\\*",
    "~~(?=\\S)(?<strike>[^~\\n]+)(?<=\\S)~~",
    "(?<![\\p{L}\\p{N}*_])(?<mark>[*_])(?=\\S)(?<em>[^*_\\n]+)(?<=\\S)\\k<mark>(?![\\p{L}\\p{N}*_])",
  ].join("|"),
  "gu",
);

/**
 * How to decode the text of a line: `plain` between marks, `code` inside code.
 * @typedef {{ pattern: RegExp, plain: (text: string) => string, code: (text: string) => string }} Markup
 */

/**
 * @param {string} text
 * @returns {readonly Token[]}
 */
export function parseMrkdwn(text) {
  return parseBlocks(text, (line) =>
    inline(line, {
      pattern: MRKDWN,
      plain: (part) => withEmoji(unescape(part)),
      code: unescape,
    }), {
    headings: false,
  });
}

/**
 * @param {string} text
 * @returns {readonly Token[]}
 */
export function parseMarkdown(text) {
  return parseBlocks(text, (line) =>
    inline(line, {
      pattern: MARKDOWN,
      plain: (part) => part,
      code: (part) => part,
    }), {
    headings: true,
  });
}

/** Formats of Telegram (core.telegram.org/bots/api#messageentity). @type {Readonly<Record<string, Token["kind"]>>} */
const ENTITY_KINDS = {
  bold: "strong",
  italic: "em",
  underline: "em",
  strikethrough: "strike",
  blockquote: "quote",
  expandable_blockquote: "quote",
  code: "code",
  pre: "pre",
  text_link: "link",
  mention: "mention",
  text_mention: "mention",
  hashtag: "mention",
  bot_command: "mention",
};

/**
 * Formats a text by the parts that Telegram names, which are nested or apart. Offsets count UTF-16 code units, as here.
 * @param {string} text
 * @param {readonly unknown[]} entities
 * @returns {readonly Token[]}
 */
export function parseEntities(text, entities) {
  if (text.length > MAX_LENGTH) return [{ kind: "text", text }];
  const spans = entities.flatMap(toSpan).toSorted((a, b) => a.from - b.from || b.to - a.to);
  return nest(text, spans, { from: 0, to: text.length, depth: 0 });
}

/** @typedef {{ kind: Token["kind"], from: number, to: number, href: string }} Span */

/** @param {any} entity @returns {Span[]} */
function toSpan(entity) {
  const { type, offset, length, url } = entity ?? {};
  const kind = Object.hasOwn(ENTITY_KINDS, String(type)) ? ENTITY_KINDS[type] : undefined;
  if (kind === undefined || !(offset >= 0) || !(length > 0)) return [];
  return [{ kind, from: offset, to: offset + length, href: typeof url === "string" ? url : "" }];
}

/**
 * @param {string} text
 * @param {readonly Span[]} spans by their beginning, the longest first
 * @param {{ from: number, to: number, depth: number }} part
 * @returns {Token[]}
 */
function nest(text, spans, { from, to, depth }) {
  /** @type {Token[]} */
  const tokens = [];
  let end = from;
  for (let i = 0, next; i < spans.length; i = next) {
    const span = /** @type {Span} */ (spans[i]);
    next = i + 1;
    if (span.from < end || span.to > to) continue;
    while (next < spans.length && /** @type {Span} */ (spans[next]).from < span.to) next++;
    if (span.from > end) tokens.push({ kind: "text", text: text.slice(end, span.from) });
    const within = depth < MAX_DEPTH ? spans.slice(i + 1, next) : [];
    const children = nest(text, within, { from: span.from, to: span.to, depth: depth + 1 });
    tokens.push(toFormatted(span, text.slice(span.from, span.to), children));
    end = span.to;
  }
  if (end < to) tokens.push({ kind: "text", text: text.slice(end, to) });
  return tokens;
}

/**
 * @param {Span} span
 * @param {string} text
 * @param {readonly Token[]} children
 * @returns {Token}
 */
function toFormatted({ kind, href }, text, children) {
  switch (kind) {
    case "code":
    case "pre":
    case "mention":
      return { kind, text };
    case "link":
      return { kind, href, children };
    case "strong":
    case "em":
    case "strike":
    case "quote":
      return { kind, children };
    default:
      return { kind: "text", text };
  }
}

/**
 * Splits off fenced code, quotes and headings; line breaks stay in the text.
 * @param {string} text
 * @param {(line: string) => Token[]} parseLine
 * @param {{ headings: boolean }} options
 * @returns {readonly Token[]}
 */
function parseBlocks(text, parseLine, { headings }) {
  if (text.length > MAX_LENGTH) return [{ kind: "text", text }];
  /** @type {Token[]} */
  const tokens = [];
  for (const [i, part] of text.split("```").entries()) {
    if (i % 2 === 1) {
      tokens.push({ kind: "pre", text: unescape(part.replace(/^\w*\n|\n$/g, "")) });
      continue;
    }
    for (const [block, lines] of toRuns(part, headings)) {
      const children = parseLine(lines);
      if (block !== "plain") tokens.push({ kind: block, children });
      else for (const child of children) tokens.push(child);
    }
  }
  return tokens;
}

/**
 * Groups lines that belong together, without their marks.
 * @param {string} text
 * @param {boolean} headings
 * @returns {readonly (readonly ["plain" | "quote" | "heading", string])[]}
 */
function toRuns(text, headings) {
  /** @type {["plain" | "quote" | "heading", string][]} */
  const runs = [];
  for (const line of text.split("\n")) {
    const quote = /^(?:>|&gt;)\s?/.exec(line);
    const heading = headings ? /^#{1,6}\s+/.exec(line) : null;
    const kind = quote !== null ? "quote" : heading !== null ? "heading" : "plain";
    const rest = line.slice((quote ?? heading)?.[0].length ?? 0);
    const last = runs.at(-1);
    if (last !== undefined && last[0] === kind && kind !== "heading") last[1] += `\n${rest}`;
    else runs.push([kind, rest]);
  }
  return runs;
}

/**
 * @param {string} text
 * @param {Markup} markup
 * @param {number} [depth]
 * @returns {Token[]}
 */
function inline(text, markup, depth = 0) {
  if (depth > MAX_DEPTH) return [{ kind: "text", text: markup.plain(text) }];
  /** @type {Token[]} */
  const tokens = [];
  let end = 0;
  for (const match of text.matchAll(markup.pattern)) {
    if (match.index > end) {
      tokens.push({ kind: "text", text: markup.plain(text.slice(end, match.index)) });
    }
    tokens.push(toToken(match.groups ?? {}, (inner) => inline(inner, markup, depth + 1), markup));
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: "text", text: markup.plain(text.slice(end)) });
  return tokens;
}

/**
 * @param {Record<string, string | undefined>} groups
 * @param {(text: string) => Token[]} parse
 * @param {Pick<Markup, "code">} markup
 * @returns {Token}
 */
function toToken({ code, angle, strong, em, strike, label, href }, parse, markup) {
  if (code !== undefined) return { kind: "code", text: markup.code(code) };
  if (angle !== undefined) return toReference(angle);
  if (href !== undefined) return { kind: "link", href, children: parse(label ?? href) };
  if (strong !== undefined) return { kind: "strong", children: parse(strong) };
  return strike !== undefined
    ? { kind: "strike", children: parse(strike) }
    : { kind: "em", children: parse(em ?? "") };
}

/**
 * `<@U1>`, `<#C1|name>`, `<!here>`, `<address|label>`
 * @param {string} inner
 * @returns {Token}
 */
function toReference(inner) {
  const bar = inner.indexOf("|");
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = unescape(bar < 0 ? "" : inner.slice(bar + 1));
  if (target.startsWith("@")) return { kind: "mention", text: `@${label || target.slice(1)}` };
  if (target.startsWith("#")) return { kind: "mention", text: `#${label || target.slice(1)}` };
  if (target.startsWith("!")) return { kind: "mention", text: label || `@${target.slice(1)}` };
  // Without an address it was not meant as a link.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) return { kind: "text", text: unescape(`<${inner}>`) };
  const href = unescape(target);
  return { kind: "link", href, children: [{ kind: "text", text: label || href }] };
}

/** @param {string} text */
function unescape(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/**
 * Returns the words alone, with emoji instead of their names.
 * @param {string} text
 * @param {"mrkdwn" | "markdown"} markup
 */
export function plainText(text, markup) {
  return (markup === "mrkdwn" ? parseMrkdwn(text) : parseMarkdown(text)).map(wordsOf).join("");
}

/**
 * Returns the text of a formatted part.
 * @param {Token} token
 * @returns {string}
 */
export function wordsOf(token) {
  return "children" in token ? token.children.map(wordsOf).join("") : token.text;
}
