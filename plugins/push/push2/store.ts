/** Keeps the channels of broadcast pushes. */
import { type Holding, type Memory, unboundedMemory } from "../../../core/memory/budget.ts";

/** Maximum number of channels of an app; Apple's own limit. */
export const MAX_CHANNELS = 10_000;
/**
 * Maximum number of channels of all apps, and their part of the memory limit; the oldest apps are
 * dropped first.
 */
const [MAX_TOTAL, SHARE] = [50_000, 1 / 16];
/** Bytes of a channel, and of an app besides its name. */
const [CHANNEL_BYTES, APP_BYTES] = [300, 500];

/** A channel, as the vendor's API describes it. */
export interface Channel {
  readonly "message-storage-policy": 0 | 1;
  readonly "push-type": "LiveActivity";
}

/** One per service; a reset clears it. */
export class Store {
  readonly #apps = new Map<string, Map<string, Channel>>();
  readonly #uuid: () => string;
  readonly #maxBytes: number;
  readonly #holding: Holding;
  #total = 0;
  #bytes = 0;

  constructor(uuid: () => string, memory: Memory = unboundedMemory()) {
    this.#uuid = uuid;
    this.#maxBytes = memory.limitBytes * SHARE;
    this.#holding = memory.holding((bytes) => this.#free(this.#bytes - bytes));
  }

  /**
   * Creates a channel and returns its id, 16 bytes as base64; `undefined` if the app has reached
   * the limit.
   */
  create(app: string, channel: Channel): string | undefined {
    const channels = this.#apps.get(app) ?? new Map<string, Channel>();
    if (channels.size >= MAX_CHANNELS) return undefined;
    const id = Uint8Array.fromHex(this.#uuid().replaceAll("-", "")).toBase64();
    channels.set(id, channel);
    if (!this.#apps.has(app)) this.#bytes += bytesOfApp(app);
    this.#apps.set(app, channels);
    this.#total++;
    this.#bytes += CHANNEL_BYTES;
    this.#free(this.#maxBytes);
    return id;
  }

  /** Returns a channel of an app. */
  get(app: string, id: string): Channel | undefined {
    return this.#apps.get(app)?.get(id);
  }

  /** Ids of an app's channels, in order of creation. */
  list(app: string): readonly string[] {
    return [...this.#apps.get(app)?.keys() ?? []];
  }

  /** Deletes a channel. Returns whether it existed. */
  delete(app: string, id: string): boolean {
    const channels = this.#apps.get(app);
    if (channels?.delete(id) !== true) return false;
    this.#total--;
    this.#bytes -= CHANNEL_BYTES;
    if (channels.size === 0) this.#drop(app);
    this.#holding.set(this.#bytes);
    return true;
  }

  /** Forgets every channel. */
  clear(): void {
    this.#apps.clear();
    this.#total = this.#bytes = 0;
    this.#holding.set(0);
  }

  /** Drops the oldest apps until the channels fit in this many bytes. */
  #free(bytes: number): void {
    for (const app of this.#apps.keys()) {
      if (this.#bytes <= bytes && this.#total <= MAX_TOTAL) break;
      this.#drop(app);
    }
    this.#holding.set(this.#bytes);
  }

  #drop(app: string): void {
    const { size = 0 } = this.#apps.get(app) ?? {};
    this.#apps.delete(app);
    this.#total -= size;
    this.#bytes -= size * CHANNEL_BYTES + bytesOfApp(app);
  }
}

function bytesOfApp(name: string): number {
  return APP_BYTES + 2 * name.length;
}
