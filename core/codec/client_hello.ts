import { ByteReader } from "../bytes/reader.ts";
import { concat } from "../bytes/concat.ts";
import { WireError } from "../bytes/decoder.ts";

/** RFC 8446 sections 5.1, 4 and 4.2; RFC 6066 section 3. */
const [HANDSHAKE, CLIENT_HELLO, SERVER_NAME, HOST_NAME] = [22, 1, 0, 0];
const RECORD_HEAD_BYTES = 5;
const MESSAGE_HEAD_BYTES = 4;
const VERSION_AND_RANDOM_BYTES = 34;

/** First message of a TLS client. */
export interface ClientHello {
  /** The host that it asks for (RFC 6066 section 3). */
  readonly serverName: string | undefined;
}

/** For bytes that are not a ClientHello: the TLS server refuses them. */
const UNKNOWN: ClientHello = { serverName: undefined };

/** Returns the ClientHello that the bytes begin with (RFC 8446 section 4.1.2); `undefined` while it is incomplete. */
export function readClientHello(bytes: Uint8Array): ClientHello | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  let size = Infinity;
  for (let at = 0; at + RECORD_HEAD_BYTES <= bytes.length;) {
    const begin = at + RECORD_HEAD_BYTES;
    const end = begin + (bytes[at + 3]! << 8 | bytes[at + 4]!);
    if (bytes[at] !== HANDSHAKE || end === begin) return UNKNOWN;
    const part = bytes.subarray(begin, end);
    if (at === 0 && part.length > 0 && part[0] !== CLIENT_HELLO) return UNKNOWN;
    parts.push(part);
    length += part.length;
    if (size === Infinity && length >= MESSAGE_HEAD_BYTES) size = sizeOf(concat(parts));
    if (length >= size) return readMessage(concat(parts).subarray(MESSAGE_HEAD_BYTES, size));
    at = end;
  }
  return undefined;
}

/** Returns the size of a handshake message with its head. */
function sizeOf(message: Uint8Array): number {
  return MESSAGE_HEAD_BYTES + (message[1]! << 16 | message[2]! << 8 | message[3]!);
}

function readMessage(body: Uint8Array): ClientHello {
  try {
    return { serverName: readServerName(new ByteReader(body)) };
  } catch (error) {
    if (error instanceof WireError) return UNKNOWN;
    throw error;
  }
}

/** Throws `WireError` if the message is too short. */
function readServerName(hello: ByteReader): string | undefined {
  hello.bytes(VERSION_AND_RANDOM_BYTES);
  hello.bytes(hello.u8()); // legacy_session_id
  hello.bytes(hello.u16()); // cipher_suites
  hello.bytes(hello.u8()); // legacy_compression_methods
  if (hello.left === 0) return undefined;
  const extensions = new ByteReader(hello.bytes(hello.u16()));
  while (extensions.left > 0) {
    const type = extensions.u16();
    const data = extensions.bytes(extensions.u16());
    if (type === SERVER_NAME) return readHostName(new ByteReader(data));
  }
  return undefined;
}

function readHostName(data: ByteReader): string | undefined {
  const names = new ByteReader(data.bytes(data.u16()));
  while (names.left > 0) {
    const type = names.u8();
    const name = names.bytes(names.u16());
    if (type === HOST_NAME) return new TextDecoder().decode(name);
  }
  return undefined;
}
