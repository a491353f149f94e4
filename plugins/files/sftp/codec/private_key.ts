/**
 * An ed25519 key in the format of OpenSSH without a passphrase (its PROTOCOL.key), as base64 lines between two markers:
 *
 *   "openssh-key-v1\0", string cipher "none", string kdf "none", string "", uint32 1, string public, string private
 *   public:  string "ssh-ed25519", string point
 *   private: uint32 check, uint32 check, string "ssh-ed25519", string point, string seed and point, string comment,
 *            bytes 1, 2, 3 ... up to a multiple of 8
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { ByteReader } from "../../../../core/bytes/reader.ts";
import { ByteWriter } from "../../../../core/bytes/writer.ts";

const BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END = "-----END OPENSSH PRIVATE KEY-----";
const encoder = new TextEncoder();
const MAGIC = encoder.encode("openssh-key-v1\0");
const TYPE = encoder.encode("ssh-ed25519");
const NONE = encoder.encode("none");
const COLUMNS = 70;
const BLOCK_BYTES = 8;
const POINT_BYTES = 32;
const MAX_FIELD_BYTES = 4096;

/** Both halves of a key, 32 bytes each. */
export interface Ed25519Key {
  readonly seed: Uint8Array;
  readonly point: Uint8Array;
}

/** Writes a key. `check` is any number. */
export function encodePrivateKey({ seed, point }: Ed25519Key, check: number): string {
  const inner = new ByteWriter().u32(check).u32(check).block(TYPE).block(point)
    .u32(2 * POINT_BYTES).bytes(seed).bytes(point).u32(0);
  for (let pad = 1; inner.length % BLOCK_BYTES !== 0; pad++) inner.u8(pad);
  const publicKey = new ByteWriter().block(TYPE).block(point).take();
  const base64 = new ByteWriter().bytes(MAGIC).block(NONE).block(NONE).u32(0).u32(1)
    .block(publicKey).block(inner.take()).take().toBase64();
  const lines = base64.match(new RegExp(`.{1,${COLUMNS}}`, "g")) ?? [];
  return `${[BEGIN, ...lines, END].join("\n")}\n`;
}

/** Returns whether a text is such a key; keys in other formats may also be valid. */
export function isPrivateKey(text: string): boolean {
  const lines = text.trim().split(/\r?\n/);
  if (lines[0] !== BEGIN || lines.at(-1) !== END) return false;
  try {
    const reader = new ByteReader(Uint8Array.fromBase64(lines.slice(1, -1).join("")));
    const expect = (bytes: Uint8Array, got: Uint8Array): void => {
      if (!isSame(bytes, got)) throw new WireError("syntax", "Expected another form of key");
    };
    expect(MAGIC, reader.bytes(MAGIC.length));
    for (const field of [NONE, NONE, new Uint8Array()]) {
      expect(field, reader.block(MAX_FIELD_BYTES));
    }
    if (reader.u32() !== 1) return false;
    const shown = new ByteReader(reader.block(MAX_FIELD_BYTES));
    expect(TYPE, shown.block(MAX_FIELD_BYTES));
    const point = shown.block(POINT_BYTES);
    const inner = new ByteReader(reader.block(MAX_FIELD_BYTES));
    if (inner.u32() !== inner.u32()) return false;
    expect(TYPE, inner.block(MAX_FIELD_BYTES));
    expect(point, inner.block(POINT_BYTES));
    expect(point, inner.block(2 * POINT_BYTES).subarray(POINT_BYTES));
    inner.block(MAX_FIELD_BYTES);
    return point.length === POINT_BYTES && reader.left === 0 && inner.left < BLOCK_BYTES;
  } catch (error) {
    // Not base64, too short, or of another kind.
    if (error instanceof WireError || error instanceof SyntaxError) return false;
    throw error;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
