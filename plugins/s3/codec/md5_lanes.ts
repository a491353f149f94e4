/** MD5 of bodies that arrive at the same time, several for little more than the price of one. */
import { createMachine, LANE_BYTES, type Machine, STATE_STRIDE } from "./md5_module.ts";

/** Bytes without company after which none is waited for. */
const ENOUGH_ALONE = 131_072;
/** Bytes of one body that may wait for others to be hashed along with. */
const MOST_WAITING = 1_048_576;
/** Of all bodies. */
const MOST_WAITING_ALL = 33_554_432;
const BLOCK_BYTES = 64;

/** RFC 1321 section 3.3. */
const INITIAL = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;

/** A digest under way. */
export interface RunningDigest {
  update(bytes: Uint8Array): void;
  /** The digest; nothing may be done with it any more. */
  finish(): Uint8Array;
}

/** A digest in company: its bytes are not to be changed from then on, as they may wait for others. */
export interface LaneDigest extends RunningDigest, Disposable {}

/** Digests that are made in company. One that is given up has to be disposed of. */
export class Md5Lanes {
  readonly #open = new Set<Lane>();
  readonly #alone: () => RunningDigest;
  #waiting = 0;
  #small: Machine | undefined;
  #large: Machine | undefined;

  /** `alone` begins the digest of a body that has no company; it is quicker at that than a lane. */
  constructor(alone: () => RunningDigest) {
    this.#alone = alone;
  }

  /** Begins a digest. */
  open(): LaneDigest {
    const lane = new Lane();
    this.#open.add(lane);
    return {
      update: (bytes) => this.#update(lane, bytes),
      finish: () => this.#finish(lane),
      [Symbol.dispose]: () => this.#close(lane),
    };
  }

  #update(lane: Lane, bytes: Uint8Array): void {
    this.#waiting += lane.push(bytes);
    if (lane.waiting >= ENOUGH_ALONE) this.#leaveAlone(lane);
    if (lane.waiting >= MOST_WAITING || this.#waiting >= MOST_WAITING_ALL) this.#advance(lane);
  }

  #finish(lane: Lane): Uint8Array {
    this.#leaveAlone(lane);
    if (lane.alone === undefined) {
      this.#waiting += lane.push(lane.padding());
      this.#advance(lane);
    }
    this.#close(lane);
    return lane.alone?.finish() ?? lane.result();
  }

  /** What has not begun in a lane yet, and has no company, is made in another way. */
  #leaveAlone(lane: Lane): void {
    if (this.#open.size > 1 || lane.begun || lane.alone !== undefined) return;
    this.#waiting -= lane.waiting;
    lane.leave(this.#alone());
  }

  #close(lane: Lane): void {
    if (this.#open.delete(lane)) this.#waiting -= lane.waiting;
  }

  /** Hashes what there is of one, and of others what comes along. */
  #advance(first: Lane): void {
    while (first.waiting >= BLOCK_BYTES) {
      const bytes = Math.min(LANE_BYTES, first.waiting - first.waiting % BLOCK_BYTES);
      const company = this.#companyOf(first, bytes);
      const machine = company.length > 4
        ? this.#large ??= createMachine(2)
        : this.#small ??= createMachine(1);
      company.forEach((lane, index) => lane.load(machine, index, bytes));
      machine.run(bytes);
      company.forEach((lane, index) => lane.store(machine, index));
      this.#waiting -= bytes * company.length;
    }
  }

  #companyOf(first: Lane, bytes: number): readonly Lane[] {
    const company = [first];
    for (const lane of this.#open) {
      if (lane !== first && lane.waiting >= bytes && company.push(lane) === 8) break;
    }
    return company;
  }
}

/** One digest: its state between two blocks, and what has not been taken. */
class Lane {
  readonly #state = Int32Array.from(INITIAL);
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #begun = false;
  #waiting = 0;
  #alone: RunningDigest | undefined;

  /** Bytes that are held and not hashed yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether a machine has taken some of its bytes. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Where its bytes go instead. */
  get alone(): RunningDigest | undefined {
    return this.#alone;
  }

  /** Returns how many bytes more are waiting. */
  push(bytes: Uint8Array): number {
    if (this.#alone !== undefined) {
      this.#alone.update(bytes);
      return 0;
    }
    if (bytes.length > 0) this.#chunks.push(bytes);
    this.#waiting += bytes.length;
    this.#size += bytes.length;
    return bytes.length;
  }

  leave(alone: RunningDigest): void {
    for (const chunk of this.#chunks) alone.update(chunk);
    this.#chunks.length = 0;
    this.#waiting = 0;
    this.#alone = alone;
  }

  /** RFC 1321 sections 3.1 and 3.2. */
  padding(): Uint8Array {
    const bytes = new Uint8Array(BLOCK_BYTES - (this.#size + 8) % BLOCK_BYTES + 8);
    bytes[0] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setUint32(bytes.length - 8, this.#size * 8 >>> 0, true);
    view.setUint32(bytes.length - 4, Math.floor(this.#size / 2 ** 29), true);
    return bytes;
  }

  load(machine: Machine, index: number, bytes: number): void {
    const at = machine.stateAt(index);
    this.#state.forEach((word, i) => machine.words[at + i * STATE_STRIDE] = word);
    let to = machine.inputAt(index);
    for (let left = bytes; left > 0;) {
      const chunk = this.#chunks[0]!;
      const part = chunk.subarray(0, left);
      machine.bytes.set(part, to);
      if (part.length === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(part.length);
      to += part.length;
      left -= part.length;
    }
    this.#waiting -= bytes;
    this.#begun = true;
  }

  store(machine: Machine, index: number): void {
    const at = machine.stateAt(index);
    this.#state.forEach((_, i) => this.#state[i] = machine.words[at + i * STATE_STRIDE]!);
  }

  result(): Uint8Array {
    const view = new DataView(new ArrayBuffer(16));
    this.#state.forEach((word, i) => view.setInt32(i * 4, word, true));
    return new Uint8Array(view.buffer);
  }
}
