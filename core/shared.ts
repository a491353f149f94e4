/** A value that is being created, or is still in use. */
interface Entry<V extends object> {
  making?: Promise<V> | undefined;
  made?: WeakRef<V>;
}

/**
 * Large values derived from others: concurrent users share one. A value is dropped with its last
 * user.
 */
export class Shared<V extends object> {
  readonly #entries = new WeakMap<object, Map<string, Entry<V>>>();
  readonly #unused = new FinalizationRegistry<readonly [Map<string, Entry<V>>, string]>(
    ([entries, name]) => {
      const entry = entries.get(name);
      if (entry?.making === undefined && entry?.made?.deref() === undefined) entries.delete(name);
    },
  );

  /**
   * Returns the value that `make` derives from `owner`, under a name. Rejects like `make`; the next
   * call retries.
   */
  async get(owner: object, name: string, make: () => V | Promise<V>): Promise<V> {
    const entries = this.#entries.get(owner) ?? new Map<string, Entry<V>>();
    this.#entries.set(owner, entries);
    const entry = entries.get(name) ?? {};
    const made = entry.made?.deref();
    if (made !== undefined) return made;
    entries.set(name, entry);
    entry.making ??= (async () => await make())();
    try {
      const value = await entry.making;
      if (entry.made?.deref() === undefined) {
        entry.made = new WeakRef(value);
        this.#unused.register(value, [entries, name]);
      }
      return value;
    } catch (error) {
      entries.delete(name);
      throw error;
    } finally {
      entry.making = undefined;
    }
  }
}
