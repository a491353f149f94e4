/** A captured HTTP request as a curl command that repeats it. Every captured word is quoted. */
import { toBase64 } from "./bytes.js";

/** @import { RawView } from "./types.d.ts" */

/**
 * Quotes a word for a POSIX shell.
 * @param {string} text
 */
export function shellQuote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Headers that curl sets itself, or that belong to one connection. */
const LEFT_OUT = new Set([
  "host",
  "content-length",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "te",
  "upgrade",
  "http2-settings",
  "expect",
  "proxy-connection",
]);

/** Longest body on the command line; Linux allows 128 KiB in one argument. */
const MAX_INLINE = 100_000;

/**
 * @param {Omit<RawView, "size">} raw
 * @param {{ origin: string, body: Uint8Array }} about `origin` such as `http://localhost:8822`
 */
export function toCurl(raw, { origin, body }) {
  const parts = [
    `curl ${shellQuote(origin + (raw.path ?? "/"))}`,
    `-X ${shellQuote(raw.method ?? "GET")}`,
  ];
  // Keeps `[`, `]`, `{`, `}` and `..` in a path as they are.
  if (/[[\]{}]/.test(raw.path ?? "")) parts.push("--globoff");
  if (/\/\.\.?(\/|$|\?)/.test(raw.path ?? "")) parts.push("--path-as-is");
  if (raw.http_version === "2") parts.push("--http2-prior-knowledge");
  const names = Object.keys(raw.headers ?? {});
  for (const name of names) {
    if (LEFT_OUT.has(name.toLowerCase()) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue;
    for (const value of raw.headers?.[name] ?? []) {
      // `Name:` removes a field, `Name;` sends it empty.
      parts.push(`-H ${shellQuote(value === "" ? `${name};` : `${name}: ${value}`)}`);
    }
  }
  if (body.length === 0) return join("", parts);
  // By default curl would declare the body a form.
  if (!names.some((name) => name.toLowerCase() === "content-type")) {
    parts.push("-H 'Content-Type:'");
  }
  const inline = inlineText(body);
  if (inline !== undefined) return join("", [...parts, `--data-binary ${shellQuote(inline)}`]);
  const lines = toBase64(body).replace(/.{1,76}/g, "$&\n");
  return `${join("base64 -d <<'BODY' | ", [...parts, "--data-binary @-"])}\n${lines}BODY`;
}

/**
 * @param {string} lead
 * @param {readonly string[]} parts
 */
function join(lead, parts) {
  return lead + parts.join(" \\\n  ");
}

/**
 * Returns the body as an argument if a shell and curl keep it byte for byte: no leading `@`, which would name a file, and
 * no control characters.
 * @param {Uint8Array} body
 */
function inlineText(body) {
  if (body.length > MAX_INLINE || body[0] === 0x40) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return /[^\P{Cc}\n]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
