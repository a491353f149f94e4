/** State of mail providers besides the events, such as templates stored through their APIs. */
import { StoreFullError } from "../../core/errors.ts";
import { type Holding, type Memory, unboundedMemory } from "../../core/memory/budget.ts";
import { bytesOf } from "../../core/memory/size.ts";
import type { PluginState } from "../../core/plugin.ts";
import type { SpamScanner } from "./checks/spam/scanner.ts";

/** Maximum number of entries of a shelf: the template limit of Amazon SES. */
const MAX_ENTRIES = 20_000;
/** Maximum bytes of all shelves, and their part of the memory limit. */
const [MAX_BYTES, SHARE] = [128 * 1024 * 1024, 1 / 8];
/** Bytes of an entry besides its names and its value. */
const ENTRY_BYTES = 200;

/**
 * State of the mail plugin: the shelves of its providers, which a reset empties, and the shared
 * state of its checks.
 */
export class MailState implements PluginState {
  readonly #shelves: AccountMap<unknown>[] = [];
  readonly #room: Room;
  /** SpamAssassin client, if a setting names a server. */
  readonly scanner: SpamScanner | undefined;

  /** Counts the stored bytes in `memory`, if given. */
  constructor({ memory = unboundedMemory(), scanner }: {
    readonly memory?: Memory;
    readonly scanner?: SpamScanner | undefined;
  } = {}) {
    this.#room = new Room(memory);
    this.scanner = scanner;
  }

  /** Returns a new shelf. */
  shelf<T>(): AccountMap<T> {
    const shelf = new AccountMap<T>(this.#room);
    this.#shelves.push(shelf);
    return shelf;
  }

  /** Empties every shelf. */
  reset(): void {
    for (const shelf of this.#shelves) shelf.clear();
  }
}

/** Memory of all shelves. */
class Room {
  readonly #memory: Memory;
  readonly #holding: Holding;
  #bytes = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#holding = memory.holding();
  }

  /** Reserves this many more bytes, or returns false. */
  take(bytes: number): boolean {
    const most = Math.min(MAX_BYTES, this.#memory.limitBytes * SHARE);
    if (bytes > 0 && (this.#bytes + bytes > most || !this.#memory.hasRoomFor(bytes))) return false;
    this.#bytes += bytes;
    this.#holding.set(this.#bytes);
    return true;
  }
}

interface Entry<T> {
  readonly value: T;
  readonly bytes: number;
}

/** Values by account and name, in insertion order. */
export class AccountMap<T> {
  readonly #accounts = new Map<string, Map<string, Entry<T>>>();
  readonly #room: Room;
  #entries = 0;
  #bytes = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Values of an account. */
  list(account: string): readonly T[] {
    return [...this.#accounts.get(account)?.values() ?? []].map(({ value }) => value);
  }

  /** Returns a value. */
  get(account: string, name: string): T | undefined {
    return this.#accounts.get(account)?.get(name)?.value;
  }

  /**
   * Adds or replaces a value. Throws `StoreFullError` when there are 20 000 values, or when all shelves together take an
   * eighth of `memory_limit`, at most 128 MiB.
   */
  put(account: string, name: string, value: T): void {
    const own = this.#accounts.get(account) ?? new Map<string, Entry<T>>();
    const before = own.get(name);
    const bytes = ENTRY_BYTES + bytesOf([account, name, value]);
    const entries = this.#entries + (before === undefined ? 1 : 0);
    if (entries > MAX_ENTRIES || !this.#room.take(bytes - (before?.bytes ?? 0))) {
      throw new StoreFullError(
        `Cannot keep "${name.slice(0, 100)}": there is no room left; ` +
          "delete others, or raise [storage] memory_limit",
      );
    }
    this.#entries = entries;
    this.#bytes += bytes - (before?.bytes ?? 0);
    own.set(name, { value, bytes });
    this.#accounts.set(account, own);
  }

  /** Removes a value. Returns whether it existed. */
  delete(account: string, name: string): boolean {
    const own = this.#accounts.get(account);
    const entry = own?.get(name);
    if (own === undefined || entry === undefined) return false;
    own.delete(name);
    if (own.size === 0) this.#accounts.delete(account);
    this.#entries--;
    this.#bytes -= entry.bytes;
    this.#room.take(-entry.bytes);
    return true;
  }

  /** Removes everything. */
  clear(): void {
    this.#accounts.clear();
    this.#room.take(-this.#bytes);
    this.#entries = this.#bytes = 0;
  }
}
