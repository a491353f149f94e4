/** Short messages with which instances open connections between each other: four bytes of length, then JSON. */
import { WireError } from "../bytes/decoder.ts";
import { isJsonObject, parseJson } from "../codec/json_lenient.ts";
import { writeAll } from "../net/socket.ts";

const MAX_BYTES = 4096;
const LENGTH_BYTES = 4;

/** Writes one message. */
export async function writeFrame(
  conn: Pick<Deno.Conn, "write">,
  message: Readonly<Record<string, unknown>>,
): Promise<void> {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const frame = new Uint8Array(LENGTH_BYTES + text.length);
  new DataView(frame.buffer).setUint32(0, text.length);
  frame.set(text, LENGTH_BYTES);
  await writeAll(conn, frame);
}

/** Reads one message, and no byte behind it. Rejects at the end, and for anything else. */
export async function readFrame(
  conn: Pick<Deno.Conn, "read">,
): Promise<Readonly<Record<string, unknown>>> {
  const length = decodeLength(await readExactly(conn, LENGTH_BYTES));
  return decodeContent(await readExactly(conn, length));
}

/** Decodes a whole message. Throws `WireError`. */
export function decodeFrame(frame: Uint8Array): Readonly<Record<string, unknown>> {
  if (frame.length < LENGTH_BYTES) throw new WireError("truncated", "a message has no length");
  const length = decodeLength(frame.subarray(0, LENGTH_BYTES));
  return decodeContent(frame.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
}

function decodeLength({ buffer, byteOffset }: Uint8Array): number {
  const length = new DataView(buffer, byteOffset).getUint32(0);
  if (length > MAX_BYTES) {
    throw new WireError("limit", `a message of ${length} bytes is too long`);
  }
  return length;
}

function decodeContent(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value = parseJson(new TextDecoder().decode(bytes));
  if (isJsonObject(value)) return value;
  throw new WireError("syntax", "a message is not an object");
}

async function readExactly(conn: Pick<Deno.Conn, "read">, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const count = await conn.read(bytes.subarray(at));
    if (count === null) throw new WireError("truncated", "the connection ended");
    at += count;
  }
  return bytes;
}
