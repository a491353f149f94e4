/**
 * Request heads of HTTP/1 (RFC 9112 sections 2 to 6), read strictly where two servers could disagree about where a
 * request ends.
 *
 *   method SP request-target SP HTTP-version CRLF
 *   *( field-name ":" OWS field-value OWS CRLF )
 *   CRLF
 *
 * @module
 */
import type { HeaderPairs } from "../../../events/event.ts";

/** A request head as received. */
export interface RequestHead {
  readonly method: string;
  /** Origin-form, or `*`: an absolute-form target without its scheme and authority (RFC 9112 section 3.2). */
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly headers: HeaderPairs;
}

/** How the body behind a head is framed: a length in bytes, 0 for none. */
export type BodyFraming = number | "chunked";

/** A head that can be answered. */
export interface ReadHead {
  readonly head: RequestHead;
  readonly body: BodyFraming;
}

/** Why a request is refused, and what it is answered. */
export interface HeadRefusal {
  readonly status: 400 | 408 | 431 | 501 | 502 | 503 | 505;
  readonly reason: string;
  /** What could be read of it. */
  readonly head?: RequestHead;
}

/** Fields of one head; servers commonly stop at this number. */
const MAX_FIELDS = 100;

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^ ]+) HTTP\/(\d)\.(\d)$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Reads one head: `text` holds its lines, one character per byte, without the line end and empty line behind the last.
 * RFC 9112 section 2.2 lets a recipient take a bare LF as a line end: `bareLf` says that there is one.
 */
export function readHead(text: string, { bareLf = false } = {}): ReadHead | HeadRefusal {
  const lines = bareLf ? text.split(/\r?\n/) : text.split("\r\n");
  const request = REQUEST_LINE.exec(lines[0]!);
  if (request === null || hasControl(lines[0]!)) {
    return refuse(
      400,
      `Cannot read request line "${quote(lines[0]!)}": expected method, target and HTTP version`,
    );
  }
  const [, method, sent, major, minor] = request as unknown as RequestLine;
  if (major !== "1") {
    return refuse(505, `Cannot take HTTP version ${major}.${minor} here: expected 1.0 or 1.1`);
  }
  const fields = readFields(lines);
  if (typeof fields === "string") return refuse(400, fields);
  const head: RequestHead = {
    method,
    // The authority-form of CONNECT names no path (RFC 9112 section 3.2.3).
    target: method === "CONNECT" ? sent : toOrigin(sent),
    version: minor === "0" ? "1.0" : "1.1",
    headers: fields.pairs,
  };
  return check(head, { fields, sent });
}

type RequestLine = readonly [
  line: string,
  method: string,
  target: string,
  major: string,
  minor: string,
];

/** The fields that decide how a request is read. */
interface Fields {
  readonly pairs: (readonly [name: string, value: string])[];
  host?: string;
  length?: string;
  coding?: string;
}

/** A sentence instead of the fields says what is wrong with them. */
function readFields(lines: readonly string[]): Fields | string {
  const fields: Fields = { pairs: [] };
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    if (colon < 1 || !FIELD_NAME.test(name)) {
      return `Cannot read header line "${quote(line)}": expected name, colon and value`;
    }
    const value = trim(line, colon + 1);
    if (hasControl(value)) {
      return `Cannot read the value of header "${name}": it holds a control character`;
    }
    const pair: readonly [string, string] = [name, value];
    // A copy, like all that an event keeps: docs/decisions/0019.
    fields.pairs.push([...pair]);
    const problem = note(fields, name.toLowerCase(), value);
    if (problem !== undefined) return problem;
  }
  return fields;
}

function note(fields: Fields, name: string, value: string): string | undefined {
  switch (name) {
    case "host":
      if (fields.host !== undefined) return "Cannot take a request with two Host headers";
      fields.host = value;
      return HOST.test(value)
        ? undefined
        : `Cannot read Host "${quote(value)}": expected a host name and port`;
    case "content-length":
      // Even equal ones: a server behind or before us might take the other (RFC 9112 section 6.3).
      if (fields.length !== undefined) {
        return "Cannot take a request with two Content-Length headers";
      }
      fields.length = value;
      return undefined;
    case "transfer-encoding":
      fields.coding = fields.coding === undefined ? value : `${fields.coding}, ${value}`;
      return undefined;
    default:
      return undefined;
  }
}

function check(
  head: RequestHead,
  { fields, sent }: { fields: Fields; sent: string },
): ReadHead | HeadRefusal {
  // RFC 9112 section 3.2.
  if (fields.host === undefined && head.version === "1.1") {
    return refuse(400, "Cannot take an HTTP/1.1 request without a Host header", head);
  }
  if (head.method === "CONNECT") {
    return refuse(
      501,
      `Cannot open a tunnel to "${quote(sent)}": CONNECT is not served here`,
      head,
    );
  }
  if (head.target === "") {
    return refuse(
      400,
      `Cannot read request target "${quote(sent)}": expected a path or an address`,
    );
  }
  if (head.headers.length > MAX_FIELDS) {
    return refuse(
      431,
      `Cannot take ${head.headers.length} headers: at most ${MAX_FIELDS} allowed`,
      head,
    );
  }
  const body = framing(head, fields);
  return typeof body === "object" ? body : { head, body };
}

/** RFC 9112 section 6.3. Anything that could be read in two ways is refused, so that no request hides in a body. */
function framing(head: RequestHead, { length, coding }: Fields): BodyFraming | HeadRefusal {
  if (coding !== undefined) {
    if (length !== undefined) {
      return refuse(
        400,
        "Cannot take a request with both Transfer-Encoding and Content-Length",
        head,
      );
    }
    if (head.version === "1.0") {
      return refuse(400, "Cannot take Transfer-Encoding in an HTTP/1.0 request", head);
    }
    if (coding.toLowerCase() === "chunked") return "chunked";
    // Another coding under a final "chunked" has an end that can be found, but cannot be undone here.
    const codings = coding.toLowerCase().split(",").map((one) => one.trim());
    const framed = codings.indexOf("chunked") === codings.length - 1;
    return refuse(
      framed ? 501 : 400,
      `Cannot take Transfer-Encoding "${quote(coding)}": expected chunked`,
      head,
    );
  }
  if (length === undefined) return 0;
  if (!/^\d{1,15}$/.test(length)) {
    return refuse(400, `Cannot read Content-Length "${quote(length)}": expected a number`, head);
  }
  return Number(length);
}

/** Whether the client waits to be asked for its body; one of HTTP/1.0 never does (RFC 9110 section 10.1.1). */
export function expectsContinue({ headers, version }: RequestHead): boolean {
  return version !== "1.0" &&
    headers.some(([name, value]) =>
      name.length === 6 && name.toLowerCase() === "expect" && value.toLowerCase() === "100-continue"
    );
}

/** Whether a list of tokens in the fields of this name, in lower case, has one (RFC 9110 section 5.6.1). */
function hasToken(headers: HeaderPairs, name: string, token: string): boolean {
  return headers.some(([own, value]) =>
    own.length === name.length && own.toLowerCase() === name &&
    value.toLowerCase().split(",").some((part) => part.trim() === token)
  );
}

/** Whether the connection is meant to go on behind the request (RFC 9112 section 9.3). */
export function keepsAlive({ headers, version }: RequestHead): boolean {
  return version === "1.0"
    ? hasToken(headers, "connection", "keep-alive")
    : !hasToken(headers, "connection", "close");
}

/** Absolute-form without scheme and authority; empty for what is no target at all. */
function toOrigin(sent: string): string {
  if (sent.startsWith("/") || sent === "*") return sent;
  const rest = sent.replace(ABSOLUTE_FORM, "");
  if (rest === sent) return "";
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : "";
}

function trim(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function hasControl(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true;
  }
  return false;
}

function refuse(status: HeadRefusal["status"], reason: string, head?: RequestHead): HeadRefusal {
  return { status, reason, ...(head === undefined ? {} : { head }) };
}

/** Short enough for a message, and without line breaks of its own. */
function quote(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return short.replace(/[^\x20-\x7e]/g, "?");
}
