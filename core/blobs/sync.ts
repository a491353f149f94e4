/** Syncs to the disk one at a time: callers that arrive meanwhile share the next sync, which covers their writes, too. */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** `sync` brings everything written before it was called to the disk. */
  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Resolves when everything written before the call is on the disk. Rejects if it may not be. */
  sync(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    return this.#next ??= this.#running.then(() => this.#start(), () => this.#start());
  }

  #start(): Promise<void> {
    this.#next = undefined;
    const running = this.#sync().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return this.#running = running;
  }
}

/** Syncs the names in a folder; Windows opens no folders, and syncs their names by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path);
  await folder.sync();
}
