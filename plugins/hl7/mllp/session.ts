import type { MemoryFullError } from "../../../core/errors.ts";
import { type Memory, unboundedMemory } from "../../../core/memory/budget.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { Pace } from "../../../core/net/pace.ts";
import { DisconnectedError, IdleError, type Transport } from "../../../core/net/transport.ts";
import { encodeFrame, type Frame, FrameDecoder } from "./codec/frame.ts";
import { FrameRoom } from "./frame_room.ts";

/** What the session asks of its owner. */
export interface MllpHandler {
  /** Keeps a frame and resolves with the answer to it, unframed. `silent`: nobody is left to take one. */
  frame(frame: Frame, options: { silent: boolean }): Promise<Uint8Array | undefined>;
  /** There is no memory for a frame, which may be its beginning alone. Returns the answer. */
  turnAway(
    frame: Frame,
    error: MemoryFullError,
    options: { silent: boolean },
  ): Uint8Array | undefined;
  /** Bytes came outside of any frame, and no frame behind them. */
  refuse(bytes: Uint8Array): void;
}

/** What a peer may cost. */
export interface MllpLimits {
  /** Longest message. */
  readonly maxBytes: number;
  /** Longest wait inside a message, and for all of one that comes byte by byte. */
  readonly readIdleMs: number;
  /** Longest wait between messages. */
  readonly idleMs: number;
  /** Longest wait for the peer to take an answer. */
  readonly writeIdleMs: number;
}

/** Bytes read and forgotten after a message that was too long, so that the answer is not lost to a reset. */
const FAREWELL_BYTES = 64 * 1024 * 1024;
const FAREWELL_IDLE_MS = 1000;
const FAREWELL_MS = 10_000;

/** Answers each frame in order until the peer ends or stays silent. `signal` ends the wait for another message. */
export async function serveMllp(
  wire: Transport,
  handler: MllpHandler,
  options: {
    limits: MllpLimits;
    signal: AbortSignal;
    /** Where messages take their room from; nothing is counted unless given. */
    memory?: Memory;
  },
): Promise<void> {
  const { limits, signal, memory = unboundedMemory() } = options;
  const decoder = new FrameDecoder(limits);
  using room = new FrameRoom(decoder, memory);
  const stop = (): void => {
    if (!decoder.inside) void wire[Symbol.asyncDispose]();
  };
  signal.addEventListener("abort", stop);
  try {
    await answerFrames(wire, { decoder, room, handler, limits, signal });
    if (decoder.over) await forgetRest(wire);
  } catch (error) {
    // However a conversation ends, what was received of it is kept below.
    if (!(error instanceof IdleError || error instanceof DisconnectedError)) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    const cut = decoder.end();
    if (cut !== undefined) await hand(cut, { room, handler, silent: true });
    const stray = decoder.takeStray();
    if (stray !== undefined) handler.refuse(stray);
  }
}

async function answerFrames(
  wire: Transport,
  { decoder, room, handler, limits, signal }: {
    decoder: FrameDecoder;
    room: FrameRoom;
    handler: MllpHandler;
    limits: MllpLimits;
    signal: AbortSignal;
  },
): Promise<void> {
  const inside = new Pace({ idleMs: limits.readIdleMs, what: "a message" });
  const astray = new Pace({ idleMs: limits.idleMs, what: "what is no message" });
  while (!decoder.over && !(signal.aborted && !decoder.inside)) {
    const pace = decoder.inside ? inside : decoder.strayed ? astray : undefined;
    // An empty frame ends without a word.
    if (pace !== inside) inside.end();
    const chunk = await (pace === undefined ? wire.read(limits) : pace.next((longest) =>
      wire.read(longest)
    ));
    if (chunk === undefined) return;
    const waits = room.forChunk(chunk.length);
    if (waits !== undefined) await waits;
    const slice = new TimeSlice();
    for (const frame of decoder.push(chunk)) {
      // A chunk can hold thousands that nobody waits for an answer to.
      if (slice.over) await slice.yieldToEventLoop();
      for (const one of [inside, astray]) one.end();
      const answer = await hand(frame, { room, handler, silent: frame.kind === "unterminated" });
      room.renew();
      if (answer === undefined) continue;
      // One write: there are clients that take what one read gives for the whole answer.
      await wire.write(encodeFrame(answer), { idleMs: limits.writeIdleMs });
    }
  }
}

/** Hands over a frame as soon as there is memory to read it. */
async function hand(
  frame: Frame,
  { room, handler, silent }: { room: FrameRoom; handler: MllpHandler; silent: boolean },
): Promise<Uint8Array | undefined> {
  if (frame.kind !== "dropped") {
    const waits = room.forWork(frame.bytes.length);
    if (waits !== undefined) await waits;
  }
  const { shortage } = room;
  return shortage === undefined
    ? await handler.frame(frame, { silent })
    : handler.turnAway(frame, shortage, { silent });
}

async function forgetRest(wire: Transport): Promise<void> {
  const endMs = performance.now() + FAREWELL_MS;
  for (let left = FAREWELL_BYTES; left > 0 && performance.now() < endMs;) {
    const chunk = await wire.read({ idleMs: FAREWELL_IDLE_MS });
    if (chunk === undefined) return;
    left -= chunk.length;
  }
}
