import type { CapturedEvent } from "../../core/events/event.ts";
import { files } from "../../plugins/files/mod.ts";
import type { FileOperation } from "../../plugins/files/model.ts";
import { startService, type TestService } from "./service.ts";

/** Starts a service with only the files plugin, and its providers' settings by id. */
export function startFiles(
  providers: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestService> {
  return startService({
    plugins: [files],
    config: { plugins: { files: { providers } }, ...more },
    logLevel: "error",
  });
}

/** Returns the changes of the tree, oldest first, as `upload /a.txt`. */
export function operations(service: TestService): readonly string[] {
  return fileEvents(service).map(({ payload: { operation, path, old_path } }) =>
    old_path === undefined ? `${operation} ${path}` : `${operation} ${old_path} ${path}`
  );
}

/** Events of the files plugin, oldest first. */
export function fileEvents(service: TestService): readonly CapturedEvent<FileOperation>[] {
  return service.events.list({ plugin: "files" }).reverse() as CapturedEvent<FileOperation>[];
}

/** Bytes of a file, through the API. */
export async function content(service: TestService, path: string): Promise<Uint8Array> {
  const response = await fetch(`${service.api.url}/api/v1/files/content${encodeURI(path)}`);
  const bytes = await response.bytes();
  if (response.ok) return bytes;
  throw new Error(`Cannot read ${path}: ${response.status} ${new TextDecoder().decode(bytes)}`);
}

/** Every path below the root, through the API. */
export async function paths(service: TestService): Promise<readonly string[]> {
  const { entries } = await service.getJson<{ entries: { path: string }[] }>(
    "/files/tree?recursive=1",
  );
  return entries.map(({ path }) => path);
}

/** Bytes that compression, truncation or reordering would change. */
export function noise(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/** Compares without the cost of a diff. */
export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** A folder for one test; removed when disposed of. */
export async function scratch(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir();
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Polls for something that is not announced, such as a journal entry. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 5000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error(`Waited for ${timeoutMs} ms in vain`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Copies a folder with everything in it. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
