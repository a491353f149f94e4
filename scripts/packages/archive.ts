/**
 * Archives with the same bytes in every run: entries in the order given, one fixed date, no owner.
 *
 * @module
 */
import { toBytes } from "@std/streams/to-bytes";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";

/** A file of an archive. */
export interface Entry {
  /** Path in the archive, with forward slashes; at most 100 bytes in a tarball. */
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** Whether it is executable; only a tarball records that. */
  readonly executable?: boolean;
}

/** The earliest date of ZIP, in the local time that it uses. */
const DATE = new Date(1980, 0, 1);

const encoder = new TextEncoder();

/** Returns the bytes of an entry. */
export function bytesOf({ content }: Entry): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? encoder.encode(content) : content;
}

/** Returns a ZIP archive. */
export async function zip(entries: readonly Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    lastModDate: DATE,
    extendedTimestamp: false,
    useWebWorkers: false,
    // The size before the content, which some readers of JAR files require.
    dataDescriptor: false,
  });
  for (const entry of entries) await writer.add(entry.name, new Uint8ArrayReader(bytesOf(entry)));
  return await writer.close() as Uint8Array<ArrayBuffer>;
}

/** Returns a tarball (POSIX.1-1988 ustar) compressed with gzip. */
export async function tarGz(entries: readonly Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  for (const entry of entries) {
    const bytes = bytesOf(entry);
    const padding = new Uint8Array((BLOCK - bytes.length % BLOCK) % BLOCK);
    blocks.push(header(entry, bytes.length), bytes, padding);
  }
  blocks.push(new Uint8Array(2 * BLOCK));
  return await toBytes(
    new Blob(blocks).stream().pipeThrough(new CompressionStream("gzip")),
  ) as Uint8Array<ArrayBuffer>;
}

const BLOCK = 512;

/**
 * The header of a file:
 *
 *   name 100 | mode 8 | uid 8 | gid 8 | size 12 | mtime 12 | checksum 8 | type 1 | linkname 100 | magic 6 | version 2
 */
function header({ name, executable = false }: Entry, size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string): void => block.set(encoder.encode(text), at);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, "0")}\0`;
  if (encoder.encode(name).length > 100) {
    throw new RangeError(`Cannot pack ${name}: its path is longer than 100 bytes`);
  }
  put(0, name);
  put(100, octal(executable ? 0o755 : 0o644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(size, 11));
  put(136, octal(0, 11));
  put(148, " ".repeat(8));
  put(156, "0");
  put(257, "ustar\x0000");
  const sum = block.reduce((all, byte) => all + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return block;
}

/** Reads every file below a folder, in the order of their paths, under `prefix`. */
export async function readEntries(folder: URL | string, prefix = ""): Promise<readonly Entry[]> {
  const root = typeof folder === "string" ? new URL(`file://${folder}/`) : folder;
  const entries: Entry[] = [];
  const names = (await Array.fromAsync(Deno.readDir(root))).toSorted((a, b) =>
    a.name < b.name ? -1 : 1
  );
  for (const { name, isDirectory } of names) {
    // Leftovers of tools.
    if (name === "__pycache__" || name.endsWith(".egg-info") || name === "target") continue;
    if (isDirectory) {
      entries.push(...await readEntries(new URL(`${name}/`, root), `${prefix}${name}/`));
    } else {
      entries.push({ name: prefix + name, content: await Deno.readFile(new URL(name, root)) });
    }
  }
  return entries;
}
