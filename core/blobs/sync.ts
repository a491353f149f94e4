/**
 * Brings to the disk itself what was written to a file, or which names a folder has. One sync runs at a time: callers
 * that come while it runs share the next, as it takes what they wrote as well.
 */
export class GroupSync {
  readonly #path: string;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything that was written before the call is on the disk. Rejects when it may not be. */
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
  // Windows opens no folders, and keeps their names in order by itself.
  if (isDirectory && Deno.build.os === "windows") return;
  using file = await Deno.open(path, { read: true, write: !isDirectory });
  await file.sync();
}
