import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { MAX_FILE_BYTES } from "../../plugins/files/vfs/draft.ts";
import { content, fileEvents, noise, operations, paths } from "./files.ts";
import type { TestService } from "./service.ts";

/** A real program or library that transfers files over any protocol. */
export interface FileMover {
  /** From a file of this machine to a path of the tree. */
  put(local: string, path: string): Promise<unknown>;
  /** From a path of the tree to a file of this machine. */
  get(path: string, local: string): Promise<unknown>;
}

/** Options of `assertMoved`. */
export interface MoveOptions {
  /** Folder of this machine for the files. */
  readonly folder: string;
  /** Sizes in bytes; by default an empty file, a small one and one of 1 MiB. */
  readonly sizes?: readonly number[];
  /** Existing target directory in the tree, with its slash. */
  readonly dir?: string;
}

/** Fails when bytes differ, naming the first that does. */
export function assertBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(actual, expected) === 0) return;
  const at = expected.findIndex((byte, i) => byte !== actual[i]);
  const where = `${actual.length} of ${expected.length} bytes, the first other one at ${at}`;
  throw new Error(`${what} is not what was sent: ${where}`);
}

/**
 * Uploads and downloads files, and checks that they are equal byte for byte on the wire, in the
 * tree, in their events and through the API.
 */
export async function assertMoved(
  service: TestService,
  mover: FileMover,
  { folder, sizes = [0, 5, 1024 * 1024], dir = "/" }: MoveOptions,
): Promise<void> {
  for (const size of sizes) {
    const bytes = noise(size, size + 1);
    const path = `${dir}${size}.bin`;
    const [up, down] = [`${folder}/${size}.bin`, `${folder}/${size}.back`];
    await Deno.writeFile(up, bytes);
    await mover.put(up, path);
    assertBytes(await content(service, path), bytes, `Content of ${path}`);
    const entry = await service.getJson<{ size: number; dir: boolean }>(`/files/stat${path}`);
    assertEquals([entry.size, entry.dir], [size, false]);
    const event = fileEvents(service).at(-1);
    assertEquals([event?.type, event?.payload.path, event?.payload.size], [
      ...["files.upload", path, size],
    ]);
    const blob = await fetch(`${service.api.url}/api/v1/blobs/${event?.payload.blob?.id}`);
    assertBytes(await blob.bytes(), bytes, `Blob of ${path}`);
    await mover.get(path, down);
    assertBytes(await Deno.readFile(down), bytes, `Download of ${path}`);
    await Promise.all([Deno.remove(up), Deno.remove(down)]);
  }
}

/** A file one byte larger than allowed. */
export async function tooLarge(folder: string): Promise<string> {
  const path = `${folder}/too_large`;
  await Deno.writeFile(path, new Uint8Array());
  await Deno.truncate(path, MAX_FILE_BYTES + 1);
  return path;
}

/** Fails if anything is in the tree, or was according to the events. */
export async function assertNothingKept(service: TestService): Promise<void> {
  assertEquals(await paths(service), []);
  assertEquals(operations(service), []);
}

/**
 * Fails unless the files of fifty clients, `<dir><i>` with `noise(bytes, i)`, all exist, with one
 * event each.
 */
export async function assertFifty(
  service: TestService,
  { dir, bytes }: { dir: string; bytes: number },
): Promise<void> {
  const uploads = operations(service).filter((one) => one.startsWith("upload "));
  assertEquals(uploads.length, 50);
  for (let i = 0; i < 50; i++) {
    assert(uploads.includes(`upload ${dir}${i}`));
    assertBytes(await content(service, `${dir}${i}`), noise(bytes, i), `${dir}${i}`);
  }
}
