/** MIME entities of an AS2 message: the outermost has its header in HTTP, the others begin with their own. */
import { fieldValue, readHeaderBlock } from "../../core/codec/mime/header.ts";
import { type Parameterized, parseParameterized } from "../../core/codec/mime/parameters.ts";
import { Warnings } from "../../core/codec/mime/warnings.ts";
import { WireError } from "../../core/bytes/decoder.ts";
import type { Bytes } from "./cms_crypto.ts";
import type { HeaderLookup } from "./codec/as2_header.ts";

/** A MIME entity. */
export interface MimeEntity {
  /** As stated; empty if absent. */
  readonly statedType: string;
  readonly contentType: Parameterized;
  readonly disposition: Parameterized;
  /** Content-Transfer-Encoding in lower case. */
  readonly encoding: string;
  /** The header including the empty line after it. */
  readonly head: Bytes;
  /** As sent, not decoded. */
  readonly body: Bytes;
}

const MIME_FIELDS = ["Content-Type", "Content-Transfer-Encoding", "Content-Disposition"];

/** Returns the entity of an HTTP message, with its header in MIME form. */
export function entityOfHttp(headers: HeaderLookup, body: Bytes): MimeEntity {
  const lines = MIME_FIELDS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${name}: ${value}\r\n`];
  });
  const head = Uint8Array.from(`${lines.join("")}\r\n`, (char) => char.charCodeAt(0) & 0xff);
  return toEntity((name) => headers.get(name) ?? undefined, head, body);
}

/** Parses an entity with its header. */
export function readEntity(bytes: Bytes): MimeEntity {
  const header = readHeaderBlock(bytes, new Warnings());
  const { bodyStart } = header;
  const field = (name: string) => fieldValue(header, name);
  return toEntity(field, bytes.subarray(0, bodyStart), bytes.subarray(bodyStart));
}

function toEntity(
  field: (name: string) => string | undefined,
  head: Bytes,
  body: Bytes,
): MimeEntity {
  const statedType = field("content-type") ?? "";
  const read = (text: string): Parameterized => parseParameterized(text, new Warnings());
  return {
    statedType,
    contentType: read(statedType),
    disposition: read(field("content-disposition") ?? ""),
    encoding: read(field("content-transfer-encoding") ?? "").value.replaceAll('"', ""),
    head,
    body,
  };
}

/**
 * Returns the octets of a CMS body. Base64 is detected from the bytes if the header does not state it, or states it
 * wrongly. Throws `WireError` for a body that is declared base64 and is neither base64 nor CMS.
 */
export function cmsOctets({ body, encoding }: MimeEntity): Bytes {
  const binary = body[0] === 0x30 && (body[1] ?? 0) >= 0x80;
  if (binary) return body;
  const decoded = fromBase64(body);
  if (decoded !== undefined && (encoding === "base64" || decoded[0] === 0x30)) return decoded;
  if (encoding !== "base64") return body;
  throw new WireError(
    "syntax",
    "The body is declared base64, but is not; header fields belong in HTTP, not in it",
  );
}

function fromBase64(body: Bytes): Bytes | undefined {
  try {
    return Uint8Array.fromBase64(new TextDecoder("latin1").decode(body));
  } catch {
    return undefined;
  }
}
