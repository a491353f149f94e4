/**
 * Syncs the content of a file, or the names of a folder, to the disk. One sync runs at a time: callers that arrive
 * meanwhile share the next, which covers their writes, too.
 */
export class GroupSync {
  readonly #path: string;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything written before the call is on the disk. Rejects if it may not be. */
  sync(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    return this.#next ??= this.#running.then(() => this.#start(), () => this.#start());
  }

  #start(): Promise<void> {
    this.#next = undefined;
    const running = sync(this.#path).finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return this.#running = running;
  }
}

async function sync(path: string): Promise<void> {
  const { isDirectory } = await Deno.stat(path);
  // Windows opens no folders, and syncs their names by itself.
  if (isDirectory && Deno.build.os === "windows") return;
  using file = await Deno.open(path, { read: true, write: !isDirectory });
  await file.sync();
}
