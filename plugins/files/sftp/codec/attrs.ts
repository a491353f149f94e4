/**
 * File attributes (draft-ietf-secsh-filexfer-02 section 5):
 *
 *   uint32 flags, [uint64 size], [uint32 uid, uint32 gid], [uint32 permissions], [uint32 atime, uint32 mtime],
 *   [uint32 count, count times string type, string data]
 *
 * @module
 */
import type { ByteReader } from "../../../../core/bytes/reader.ts";
import type { ByteWriter } from "../../../../core/bytes/writer.ts";
import { compact } from "../../../../core/compact.ts";

const SIZE = 0x1;
const OWNER = 0x2;
const PERMISSIONS = 0x4;
const TIMES = 0x8;
const EXTENDED = 0x8000_0000;
const MAX_EXTENDED = 64;
const MAX_TEXT = 65_536;

/** Attributes that a client may set. */
export interface Changes {
  /** Not exact beyond 2^53, which is far beyond every limit. */
  readonly size?: number;
  readonly mtimeMs?: number;
}

/** Attributes in responses. */
export interface Attrs {
  readonly dir: boolean;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Reads attributes; skips owner and permissions. Throws `WireError`. */
export function readAttrs(reader: ByteReader): Changes {
  const flags = reader.u32();
  const size = flags & SIZE ? Number(reader.u64()) : undefined;
  if (flags & OWNER) reader.bytes(8);
  if (flags & PERMISSIONS) reader.u32();
  let mtimeMs: number | undefined;
  if (flags & TIMES) {
    reader.u32();
    mtimeMs = reader.u32() * 1000;
  }
  if (flags & EXTENDED) {
    const count = Math.min(reader.u32(), MAX_EXTENDED);
    for (let i = 0; i < 2 * count; i++) reader.block(MAX_TEXT);
  }
  return {
    ...compact({ size, mtimeMs }),
  };
}

/** Writes size, owner, permissions with the type of file, and times. */
export function writeAttrs(writer: ByteWriter, { dir, size, mtimeMs }: Attrs): void {
  const seconds = Math.max(0, Math.min(0xffff_ffff, Math.floor(mtimeMs / 1000)));
  writer.u32(SIZE | OWNER | PERMISSIONS | TIMES);
  writer.u32(Math.floor(size / 2 ** 32)).u32(size >>> 0);
  writer.u32(0).u32(0).u32(modeOf(dir)).u32(seconds).u32(seconds);
}

/** Returns type and permissions as in `stat`. */
function modeOf(dir: boolean): number {
  return dir ? 0o040777 : 0o100666;
}
