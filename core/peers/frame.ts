/** Short messages with which instances open connections between each other: four bytes of length, then JSON. */
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
  const head = await readExactly(conn, LENGTH_BYTES);
  const length = new DataView(head.buffer).getUint32(0);
  if (length > MAX_BYTES) throw new Error(`a message of ${length} bytes is too long`);
  const value: unknown = JSON.parse(new TextDecoder().decode(await readExactly(conn, length)));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new Error("a message is damaged");
}

async function readExactly(conn: Pick<Deno.Conn, "read">, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const count = await conn.read(bytes.subarray(at));
    if (count === null) throw new Error("the connection ended");
    at += count;
  }
  return bytes;
}
