/**
 * Commands: RFC 5321 section 4.1.1; parameters of MAIL and RCPT: section 4.1.2; BDAT: RFC 3030 section 2.
 *
 *     command    = verb [ SP arguments ] CRLF
 *     parameters = *( SP keyword [ "=" value ] )
 *     BDAT       = "BDAT" SP chunk-size [ SP "LAST" ]
 *
 * A bare LF ends a command too, as in most servers; in message data it does not (see data.ts).
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { type Path, readPath } from "./path.ts";

export interface Command {
  /** In upper case. */
  readonly verb: string;
  /** Text after the verb, trimmed. */
  readonly argument: string;
}

/** Parameters by keyword in upper case; a keyword without value has an empty one. */
export type Parameters = ReadonlyMap<string, string>;

export interface Chunk {
  readonly size: number;
  readonly last: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Any control character except the tab. */
const CONTROL = /[^\P{Cc}\t]/u;
const PARAMETER = /^([a-z0-9][a-z0-9-]*)(?:=([^=\s\p{Cc}]+))?$/iu;

/** Decodes a line with its line end. Throws `WireError` "syntax" for control characters and invalid UTF-8. */
export function decodeCommand(line: Uint8Array): Command {
  const text = decodeLine(line);
  const space = text.indexOf(" ");
  if (space < 0) return { verb: text.toUpperCase(), argument: "" };
  return { verb: text.slice(0, space).toUpperCase(), argument: text.slice(space + 1).trim() };
}

/** Decodes a line without its line end and the spaces before it. Throws as `decodeCommand`. */
export function decodeLine(line: Uint8Array): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === 0x0a || line[end - 1] === 0x0d)) end--;
  let text: string;
  try {
    text = utf8.decode(line.subarray(0, end));
  } catch {
    throw new WireError("syntax", "Cannot read the command: it is not UTF-8");
  }
  if (CONTROL.test(text)) {
    throw new WireError("syntax", "Cannot read the command: it has control characters");
  }
  return (text.includes("\t") ? text.replaceAll("\t", " ") : text).trimEnd();
}

/** Parses `FROM:<path> parameters`. Throws `WireError` "syntax". */
export function parseMail(args: string): { readonly path: Path; readonly parameters: Parameters } {
  return parsePath(args, { word: "FROM", kind: "reverse" });
}

/** Parses `TO:<path> parameters`. Throws `WireError` "syntax". */
export function parseRcpt(args: string): { readonly path: Path; readonly parameters: Parameters } {
  return parsePath(args, { word: "TO", kind: "forward" });
}

/** Parses `size [LAST]`. Throws `WireError` "syntax". */
export function parseBdat(args: string): Chunk {
  const match = /^(\d{1,15})( +LAST)?$/i.exec(args);
  if (match === null) {
    throw new WireError(
      "syntax",
      `Cannot read "BDAT ${args.slice(0, 100)}": expected BDAT size [LAST]`,
    );
  }
  return { size: Number(match[1]), last: match[2] !== undefined };
}

function parsePath(
  args: string,
  { word, kind }: { word: string; kind: "reverse" | "forward" },
): { readonly path: Path; readonly parameters: Parameters } {
  const colon = args.indexOf(":");
  if (colon < 0 || args.slice(0, colon).trim().toUpperCase() !== word) {
    throw new WireError(
      "syntax",
      `Cannot read "${args.slice(0, 100)}": expected ${word}:<address>`,
    );
  }
  const { path, rest } = readPath(args.slice(colon + 1), kind);
  return { path, parameters: parseParameters(rest) };
}

function parseParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const word of text.split(" ")) {
    if (word === "") continue;
    const [, name, value = ""] = PARAMETER.exec(word) ?? [];
    const keyword = name?.toUpperCase();
    // Python's smtplib can repeat a parameter; only a contradiction is a fault.
    const earlier = keyword === undefined ? undefined : parameters.get(keyword);
    if (keyword === undefined || (earlier !== undefined && earlier !== value)) {
      const fault = keyword === undefined ? "expected KEYWORD or KEYWORD=value" : "given twice";
      throw new WireError("syntax", `Cannot read parameter "${word.slice(0, 100)}": ${fault}`);
    }
    parameters.set(keyword, value);
  }
  return parameters;
}
