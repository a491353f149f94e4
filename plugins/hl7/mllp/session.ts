import type { MemoryFullError } from "../../../core/errors.ts";
import { type Memory, unboundedMemory } from "../../../core/memory/budget.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { FaultEnd } from "../../../core/net/network_fault.ts";
import { Pace } from "../../../core/net/pace.ts";
import { DisconnectedError, IdleError, type Transport } from "../../../core/net/transport.ts";
import { encodeFrame, type Frame, FrameDecoder } from "./codec/frame.ts";
import { FrameRoom } from "./frame_room.ts";

/** Callbacks of a session. */
export interface MllpHandler {
  /** Captures a frame and resolves with the response, unframed. `silent`: the peer is gone. */
  frame(frame: Frame, options: { silent: boolean }): Promise<Uint8Array | undefined>;
  /** Returns the response to a frame, or to its beginning, that does not fit in memory. */
  turnAway(
    frame: Frame,
    error: MemoryFullError,
    options: { silent: boolean },
  ): Uint8Array | undefined;
  /** Bytes arrived outside a frame, and no frame followed. */
  refuse(bytes: Uint8Array): void;
}

/** Limits for a peer. */
export interface MllpLimits {
  /** Longest message. */
  readonly maxBytes: number;
  /** Maximum wait inside a message, and for a whole message that arrives byte by byte. */
  readonly readIdleMs: number;
  /** Maximum wait between messages. */
  readonly idleMs: number;
  /** Maximum wait for the peer to take a response. */
  readonly writeIdleMs: number;
}

/** One buffer for each connection: the decoder keeps no view of it. */
const REUSED = { reuse: true, maxReused: 65_536 } as const;
/** Bytes discarded after a message that was too long, so that a reset does not destroy the response. */
const FAREWELL_BYTES = 64 * 1024 * 1024;
const FAREWELL_IDLE_MS = 1000;
const FAREWELL_MS = 10_000;

/** Answers each frame in order until the peer ends or falls silent. `signal` ends the wait for another message. */
export async function serveMllp(
  wire: Transport,
  handler: MllpHandler,
  options: {
    limits: MllpLimits;
    signal: AbortSignal;
    /** Budget for messages; nothing is counted if absent. */
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
    // However the conversation ended, the received part is stored below.
    const isOver = error instanceof IdleError || error instanceof DisconnectedError ||
      error instanceof FaultEnd;
    if (!isOver) throw error;
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
  const astray = new Pace({ idleMs: limits.idleMs, what: "data outside a message" });
  while (!decoder.over && !(signal.aborted && !decoder.inside)) {
    const pace = decoder.inside ? inside : decoder.strayed ? astray : undefined;
    // An empty frame does not mark its end.
    if (pace !== inside) inside.end();
    const chunk = await (pace === undefined
      ? wire.read({ idleMs: limits.idleMs, ...REUSED })
      : pace.next(({ idleMs }) =>
        wire.read({ idleMs, ...REUSED })
      ));
    if (chunk === undefined) return;
    const waits = room.forChunk(chunk.length);
    if (waits !== undefined) await waits;
    const slice = new TimeSlice();
    for (const frame of decoder.push(chunk)) {
      // A chunk can hold thousands of frames that need no response.
      if (slice.over) await slice.yieldToEventLoop();
      for (const one of [inside, astray]) one.end();
      const answer = await hand(frame, { room, handler, silent: frame.kind === "unterminated" });
      room.renew();
      if (answer === undefined) continue;
      // One write: some clients take the result of one read for the whole response.
      const writtenMs = performance.now();
      await wire.write(encodeFrame(answer), { idleMs: limits.writeIdleMs });
      slice.waited(writtenMs);
    }
  }
}

/** Passes a frame on once there is memory to parse it. */
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
    const chunk = await wire.read({ idleMs: FAREWELL_IDLE_MS, ...REUSED });
    if (chunk === undefined) return;
    left -= chunk.length;
  }
}
