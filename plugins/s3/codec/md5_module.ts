/**
 * MD5 (RFC 1321) of several messages at once, as a WebAssembly module that is written here, instruction by instruction
 * (WebAssembly Core Specification 2.0, sections 5.4 and 5.5). Each step of MD5 waits for the one before, so that one
 * message leaves most of a processor idle, however good the code is; four in the lanes of a vector, and two such
 * vectors in turn, do not. No library for this platform does that.
 *
 * Memory: constants, states and words of the block under way, then the input of each lane.
 *
 * @module
 */

/** Bytes of input that one lane takes at once. */
export const LANE_BYTES = 32_768;
/** Messages in one vector. */
const WIDTH = 4;
const BLOCK_BYTES = 64;
const PAGE_BYTES = 65_536;

const CONSTANTS_AT = 0;
const STATES_AT = 1024;
const WORDS_AT = 2048;
const INPUT_AT = 4096;

/** RFC 1321 section 3.4: how far each round rotates, step by step. */
const ROTATIONS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]] as const;

/** Op codes in use; those of vectors stand behind the prefix 0xfd. */
const OP = { end: 0x0b, loop: 0x03, branchIf: 0x0d, get: 0x20, set: 0x21, tee: 0x22 } as const;
const I32 = { constant: 0x41, below: 0x49, add: 0x6a } as const;
const VECTOR = {
  load: 0,
  store: 11,
  shuffle: 13,
  not: 77,
  and: 78,
  or: 80,
  xor: 81,
  shiftLeft: 0xab,
  shiftRight: 0xad,
  add: 0xae,
} as const;
const VECTOR_TYPE = 0x7b;
const I32_TYPE = 0x7f;

/** Where a lane's part of a state, and its input, lie in memory. */
export interface Machine {
  readonly lanes: number;
  /** Takes the state of `lane` and gives it back after a run: four words. */
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  /** Index in `words` of the first word of a state; the others follow `WIDTH` apart. */
  stateAt(lane: number): number;
  /** Index in `bytes` of the input of a lane. */
  inputAt(lane: number): number;
  /** Takes this many bytes of every lane, a multiple of 64. */
  run(bytes: number): void;
}

/** Words of a state, which lie this far apart. */
export const STATE_STRIDE = WIDTH;

/** Makes a machine of one vector or two. */
export function createMachine(vectors: 1 | 2): Machine {
  const module = new WebAssembly.Module(writeModule(vectors));
  const { memory, run } = new WebAssembly.Instance(module).exports as unknown as {
    readonly memory: WebAssembly.Memory;
    readonly run: (from: number, to: number) => void;
  };
  const words = new Int32Array(memory.buffer);
  for (let i = 0; i < 64; i++) {
    const constant = Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32);
    words.fill(constant | 0, CONSTANTS_AT / 4 + i * WIDTH, CONSTANTS_AT / 4 + (i + 1) * WIDTH);
  }
  return {
    lanes: vectors * WIDTH,
    words,
    bytes: new Uint8Array(memory.buffer),
    stateAt: (lane) => STATES_AT / 4 + Math.floor(lane / WIDTH) * 4 * WIDTH + lane % WIDTH,
    inputAt: (lane) => INPUT_AT + lane * LANE_BYTES,
    run: (bytes) => run(0, bytes),
  };
}

/** Unsigned LEB128 (section 5.2.2). */
function uint(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...uint(value >>> 7)];
}

/** Of small numbers that are not negative, which are all there are: signed LEB128. */
function constant(value: number): number[] {
  return [I32.constant, ...value < 0x40 ? [value] : [value & 0x7f | 0x80, value >>> 7]];
}

function vector(op: number, ...rest: readonly number[]): number[] {
  return [0xfd, ...uint(op), ...rest];
}

/** At a fixed place in memory, or that far behind the address on the stack; aligned to 16 bytes. */
function load(at: number): number[] {
  return vector(VECTOR.load, 4, ...uint(at));
}

function store(at: number): number[] {
  return vector(VECTOR.store, 4, ...uint(at));
}

const ZERO = constant(0);
/** Parameters of the function: where in each lane's input to begin, and to stop. */
const [FROM, TO] = [0, 1];

/** Locals of one vector of messages. */
interface Locals {
  /** A, B, C, D. */
  readonly state: readonly [number, number, number, number];
  readonly spare: number;
  readonly rows: readonly [number, number, number, number];
}

function localsOf(group: number): Locals {
  const [a = 0, b = 0, c = 0, d = 0, spare = 0, e = 0, f = 0, g = 0, h = 0] = Array.from(
    { length: 9 },
    (_, i) => 2 + group * 9 + i,
  );
  return { state: [a, b, c, d], spare, rows: [e, f, g, h] };
}

const get = (local: number): number[] => [OP.get, ...uint(local)];
const set = (local: number): number[] => [OP.set, ...uint(local)];
const tee = (local: number): number[] => [OP.tee, ...uint(local)];

function writeModule(vectors: number): Uint8Array<ArrayBuffer> {
  const code: number[] = [];
  const put = (...parts: readonly (readonly number[])[]): void => {
    for (const part of parts) for (const byte of part) code.push(byte);
  };
  const groups = Array.from({ length: vectors }, (_, group) => group);
  const stateOf = (group: number, word: number): number => STATES_AT + (group * 4 + word) * 16;
  for (const group of groups) {
    localsOf(group).state.forEach((local, word) =>
      put(ZERO, load(stateOf(group, word)), set(local))
    );
  }
  put([OP.loop, 0x40]);
  for (const group of groups) for (let quad = 0; quad < 4; quad++) put(transpose(group, quad));
  for (let step = 0; step < 64; step++) for (const group of groups) put(writeStep(group, step));
  for (const group of groups) {
    localsOf(group).state.forEach((local, word) => {
      const at = stateOf(group, word);
      put(ZERO, get(local), ZERO, load(at), vector(VECTOR.add), tee(local), store(at));
    });
  }
  put(get(FROM), constant(BLOCK_BYTES), [I32.add], tee(FROM), get(TO), [I32.below]);
  put([OP.branchIf, 0], [OP.end], [OP.end]);
  const inputEnd = INPUT_AT + vectors * WIDTH * LANE_BYTES;
  return frame([1, ...uint(9 * vectors), VECTOR_TYPE, ...code], Math.ceil(inputEnd / PAGE_BYTES));
}

/** Four words of four messages: what lies side by side in the input of one is put into lanes, and kept for the steps. */
function transpose(group: number, quad: number): number[] {
  const { spare, rows: [a, b, c, d] } = localsOf(group);
  const lane = (index: number): number => INPUT_AT + (group * WIDTH + index) * LANE_BYTES;
  const row = (local: number, index: number): number[] => [
    ...get(FROM),
    ...load(lane(index) + quad * 16),
    ...set(local),
  ];
  const mix = (x: number, y: number, words: readonly number[]): number[] => [
    ...get(x),
    ...get(y),
    ...vector(VECTOR.shuffle, ...words.flatMap((word) => [0, 1, 2, 3].map((i) => word * 4 + i))),
  ];
  const keep = (word: number, x: number, y: number, words: readonly number[]): number[] => [
    ...ZERO,
    ...mix(x, y, words),
    ...store(WORDS_AT + (group * 16 + quad * 4 + word) * 16),
  ];
  const [low, high] = [[0, 4, 1, 5], [2, 6, 3, 7]];
  const [lower, upper] = [[0, 1, 4, 5], [2, 3, 6, 7]];
  return [
    ...[a, b, c, d].flatMap(row),
    ...[...mix(a, b, low), ...set(spare), ...mix(a, b, high), ...set(b)],
    ...[...mix(c, d, low), ...set(a), ...mix(c, d, high), ...set(c)],
    ...[...keep(0, spare, a, lower), ...keep(1, spare, a, upper)],
    ...[...keep(2, b, c, lower), ...keep(3, b, c, upper)],
  ];
}

/** `a = b + ((a + f(b, c, d) + word + constant) <<< rotation)`; then the four change places. */
function writeStep(group: number, step: number): number[] {
  const { state, spare } = localsOf(group);
  const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((i) => state[(i + 64 - step) % 4]!);
  const round = step >> 4;
  const word = [step, 5 * step + 1, 3 * step + 5, 7 * step][round]! % 16;
  const rotation = ROTATIONS[round]![step & 3]!;
  return [
    ...get(a),
    ...[...ZERO, ...load(WORDS_AT + (group * 16 + word) * 16), ...vector(VECTOR.add)],
    ...[...ZERO, ...load(CONSTANTS_AT + step * 16), ...vector(VECTOR.add)],
    ...mixer(round, { b, c, d }),
    ...[...vector(VECTOR.add), ...tee(spare)],
    ...[...constant(rotation), ...vector(VECTOR.shiftLeft)],
    ...[...get(spare), ...constant(32 - rotation), ...vector(VECTOR.shiftRight)],
    ...[...vector(VECTOR.or), ...get(b), ...vector(VECTOR.add), ...set(a)],
  ];
}

/** F, G, H and I of RFC 1321 section 3.4, F and G in the form that needs one operation less. */
function mixer(round: number, { b, c, d }: { b: number; c: number; d: number }): number[] {
  const [and, or, xor] = [VECTOR.and, VECTOR.or, VECTOR.xor].map((op) => vector(op)) as [
    number[],
    number[],
    number[],
  ];
  switch (round) {
    case 0:
      return [...get(c), ...get(d), ...xor, ...get(b), ...and, ...get(d), ...xor];
    case 1:
      return [...get(b), ...get(c), ...xor, ...get(d), ...and, ...get(c), ...xor];
    case 2:
      return [...get(c), ...get(d), ...xor, ...get(b), ...xor];
    default:
      return [...get(d), ...vector(VECTOR.not), ...get(b), ...or, ...get(c), ...xor];
  }
}

/** A module of one function and its memory, both exported (section 5.5). */
function frame(body: readonly number[], pages: number): Uint8Array<ArrayBuffer> {
  const section = (id: number, bytes: readonly number[]): number[] => [
    id,
    ...uint(bytes.length),
    ...bytes,
  ];
  const name = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, I32_TYPE, I32_TYPE, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...uint(pages)]),
    ...section(7, [2, ...name("memory"), 2, 0, ...name("run"), 0, 0]),
    ...section(10, [1, ...uint(body.length), ...body]),
  ]);
}
