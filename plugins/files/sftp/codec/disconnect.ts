import { ByteWriter } from "../../../../core/bytes/writer.ts";

/** Number of the message: RFC 4250 section 4.1.2. */
const MESSAGE_DISCONNECT = 1;
/** Why a connection ends: RFC 4253 section 11.1. */
export const DISCONNECT = { protocolError: 2, tooManyConnections: 12 } as const;

/** A packet without a cipher is a multiple of this length, and has this minimum padding: RFC 4253 section 6. */
const [BLOCK_BYTES, MIN_PADDING_BYTES] = [8, 4];

/** Writes SSH_MSG_DISCONNECT: uint32 reason, string description, string language. */
export function encodeDisconnect(code: number, text: string): Uint8Array {
  return new ByteWriter().u8(MESSAGE_DISCONNECT).u32(code).block(new TextEncoder().encode(text))
    .u32(0).take();
}

/** Wraps a payload in a packet without a cipher: uint32 length, byte padding length, payload, padding. */
export function encodePlainPacket(payload: Uint8Array): Uint8Array {
  const used = (5 + payload.length) % BLOCK_BYTES;
  let padding = BLOCK_BYTES - used;
  if (padding < MIN_PADDING_BYTES) padding += BLOCK_BYTES;
  return new ByteWriter().u32(1 + payload.length + padding).u8(padding).bytes(payload)
    .bytes(new Uint8Array(padding)).take();
}
