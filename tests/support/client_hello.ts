import { ByteWriter } from "../../core/bytes/writer.ts";

/** Block with a length of one or two bytes in front. */
function block(lengthBytes: 1 | 2, bytes: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  (lengthBytes === 1 ? writer.u8(bytes.length) : writer.u16(bytes.length)).bytes(bytes);
  return writer.take();
}

/**
 * A ClientHello (RFC 8446 section 4.1.2) in records of at most `recordBytes`, which asks for a host (RFC 6066 section 3)
 * behind another extension.
 */
export function clientHello(
  { serverName, recordBytes = 16_384 }: { serverName?: string; recordBytes?: number } = {},
): Uint8Array {
  const extensions = new ByteWriter().u16(0x000a).bytes(block(2, Uint8Array.of(0, 2, 0, 0x1d)));
  if (serverName !== undefined) {
    const name = new ByteWriter().u8(0).bytes(block(2, new TextEncoder().encode(serverName)));
    extensions.u16(0).bytes(block(2, block(2, name.take())));
  }
  const body = new ByteWriter().u16(0x0303).bytes(new Uint8Array(32))
    .bytes(block(1, new Uint8Array(32)))
    .bytes(block(2, Uint8Array.of(0x13, 1)))
    .bytes(block(1, Uint8Array.of(0)))
    .bytes(block(2, extensions.take())).take();
  const message = new ByteWriter().u8(1).u8(0).u16(body.length).bytes(body).take();
  const records = new ByteWriter();
  for (let at = 0; at < message.length; at += recordBytes) {
    records.u8(22).u16(0x0301).bytes(block(2, message.subarray(at, at + recordBytes)));
  }
  return records.take();
}
