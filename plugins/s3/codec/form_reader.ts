/**
 * A streaming reader of a form with one file (RFC 7578; the delimiters are those of RFC 2046 section 5.1.1). Fields
 * come before the file; what follows the file is ignored (Amazon S3 API reference, "POST Object").
 *
 *     --boundary CRLF head CRLF CRLF value *( CRLF --boundary CRLF head CRLF CRLF value ) CRLF --boundary--
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { concat } from "../../../core/bytes/concat.ts";

/** Maximum number of bytes before the file. */
export const MAX_FORM_BYTES = 20_480;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const CRLF = encoder.encode("\r\n");
const HEAD_END = encoder.encode("\r\n\r\n");

/** Receives the bytes of the file as they arrive. */
export class FormReader {
  /** In form order. */
  readonly fields: [name: string, value: string][] = [];
  /** File name at the sender, without folders; absent until the head of the file has arrived. */
  file: string | undefined;
  readonly #delimiter: Uint8Array;
  // The first delimiter may be at the very beginning.
  #pending: Uint8Array = CRLF;
  #before = 0;
  #state: "preamble" | "head" | "field" | "file" | "ended" = "preamble";
  #field = "";

  constructor(boundary: string) {
    this.#delimiter = encoder.encode(`\r\n--${boundary}`);
  }

  /** Whether the delimiter after the file has arrived. */
  get ended(): boolean {
    return this.#state === "ended";
  }

  /** Reads the next bytes. Throws `WireError` "syntax" for an invalid form, "limit" for too much before the file. */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    if (this.ended) return [];
    this.#pending = this.#pending.length === 0 ? bytes : concat([this.#pending, bytes]);
    while (this.#state !== "file" && this.#step());
    if (this.file !== undefined) return this.#readFile();
    if (this.#before + this.#pending.length > MAX_FORM_BYTES) throw tooLong();
    return [];
  }

  /** Reads one step. Returns whether there was enough to continue. */
  #step(): boolean {
    if (this.#state === "head") return this.#readHead();
    const end = find(this.#pending, this.#delimiter);
    const behind = end + this.#delimiter.length;
    // The two bytes after the delimiter decide whether the form continues or ends.
    if (end < 0 || this.#pending.length < behind + CRLF.length) return false;
    if (this.#state === "field") {
      this.fields.push([this.#field, toText(this.#pending.subarray(0, end))]);
    }
    if (find(this.#pending.subarray(behind, behind + CRLF.length), CRLF) !== 0) {
      throw new WireError("syntax", "the form ends without a file");
    }
    // The line end stays: a head without fields begins with it.
    this.#drop(behind);
    this.#state = "head";
    return true;
  }

  #readHead(): boolean {
    const end = find(this.#pending, HEAD_END);
    if (end < 0) return false;
    const head = toText(this.#pending.subarray(0, end));
    const line = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(head)?.[1] ?? "";
    const name = parameter(line, "name");
    if (name === undefined) throw new WireError("syntax", "a part of the form has no name");
    this.#drop(end + HEAD_END.length);
    if (name.toLowerCase() === "file") {
      if (this.#before > MAX_FORM_BYTES) throw tooLong();
      this.file = (parameter(line, "filename") ?? "").replace(/^.*[/\\]/s, "");
      this.#state = "file";
      return false;
    }
    this.#field = name;
    this.#state = "field";
    return true;
  }

  #readFile(): readonly Uint8Array[] {
    const bytes = this.#pending;
    const end = find(bytes, this.#delimiter);
    if (end >= 0) this.#state = "ended";
    // Holds back a possible start of the delimiter.
    const sure = end >= 0 ? end : Math.max(0, bytes.length - this.#delimiter.length + 1);
    this.#pending = end >= 0 ? new Uint8Array() : bytes.slice(sure);
    return sure === 0 ? [] : [bytes.subarray(0, sure)];
  }

  #drop(bytes: number): void {
    this.#before += bytes;
    this.#pending = this.#pending.subarray(bytes);
  }
}

function tooLong(): WireError {
  return new WireError("limit", `more than ${MAX_FORM_BYTES} bytes come before the file`);
}

/** Returns the index of the first occurrence, or -1. */
function find(bytes: Uint8Array, what: Uint8Array): number {
  for (let at = bytes.indexOf(what[0]!); at >= 0; at = bytes.indexOf(what[0]!, at + 1)) {
    if (at + what.length > bytes.length) return -1;
    let same = 1;
    while (same < what.length && bytes[at + same] === what[same]) same++;
    if (same === what.length) return at;
  }
  return -1;
}

function toText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new WireError("syntax", "a field of the form is not UTF-8");
  }
}

/**
 * Parses a parameter as browsers write it, or percent-encoded as `name*=utf-8''text` (RFC 5987), as some libraries do.
 */
function parameter(line: string, name: string): string | undefined {
  const plain = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;" ]*))`, "i").exec(line);
  if (plain !== null) return (plain[1] ?? plain[2] ?? "").replaceAll('\\"', '"');
  const encoded = new RegExp(`;[ \\t]*${name}\\*=utf-8''([^; ]*)`, "i").exec(line)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
