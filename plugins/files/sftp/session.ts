import { WireError } from "../../../core/bytes/decoder.ts";
import { returnScratch } from "../../../core/bytes/scratch.ts";
import { CORE_OUTCOMES } from "../../../core/faults/outcome.ts";
import { IdleWait } from "../../../core/net/idle_wait.ts";
import { Pace } from "../../../core/net/pace.ts";
import { IdleError } from "../../../core/net/transport.ts";
import type { Fault } from "../../../core/plugin.ts";
import { marked } from "../faults.ts";
import { VfsError } from "../vfs/errors.ts";
import {
  decodeRequest,
  encodeStatus,
  encodeVersion,
  PacketDecoder,
  type Request,
  STATUS,
} from "./codec/packet.ts";
import type { SftpHandler, SftpState } from "./conversation.ts";
import { refusalStatus, StatusError } from "./errors.ts";
import { extended, EXTENSIONS } from "./extensions.ts";
import { aboutOf, errorOf, FaultError, phaseOf } from "./faults.ts";
import { Handles, release } from "./handles.ts";
import { answer } from "./requests.ts";

/** The byte stream of one `sftp` subsystem. */
export interface Channel {
  /** Whether responses can no longer be sent. */
  readonly isGone: boolean;
  /** Aborts in that case; absent if no fault waits for it. */
  readonly gone?: AbortSignal;
  /** Ends when the client closes its side, or disconnects. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Waits for work during which nothing more is taken from the client. */
  holdUp(work: Promise<void>): Promise<void>;
  /** Resolves when `bytes` are copied and there is room for more, or when they can no longer be sent. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Maximum silence inside a packet. */
const PACKET_MS = 60_000;

/** READ, LSTAT, FSTAT, OPENDIR, READDIR, REALPATH, STAT and READLINK change nothing. */
const ASKING: ReadonlySet<number> = new Set([5, 7, 8, 11, 12, 16, 17, 19]);

/** Requests with which clients probe for files and features: their refusals are not recorded. */
const PROBES: ReadonlySet<Request["type"]> = new Set([
  ...["STAT", "LSTAT", "OPENDIR", "READ", "READDIR", "READLINK", "MKDIR"] as const,
  ...["EXTENDED", "OTHER"] as const,
]);

/**
 * Answers the requests of one channel in order, until the client closes it. Files that are being written then are
 * dropped.
 */
export async function serveSftp(
  channel: Channel,
  handler: SftpHandler,
  { packetMs = PACKET_MS }: { packetMs?: number } = {},
): Promise<void> {
  const handles = new Handles();
  const packets = new PacketReader(channel, packetMs);
  let isHanging = false;
  try {
    for await (const packet of packets.all()) {
      if (isHanging) continue;
      // Changes requested before the client left are carried out; queries are not, because their response cannot be
      // sent.
      if (channel.isGone && ASKING.has(packet[0] ?? 0)) continue;
      const answer = await respond(packet, { handler, handles, channel });
      if (answer === undefined) {
        isHanging = true;
        continue;
      }
      await channel.write(answer);
      // A closed channel may have unread data.
      if (!channel.isGone) returnScratch(answer);
    }
  } catch (error) {
    if (!(error instanceof WireError || error instanceof IdleError)) throw error;
    handler.refuse({ reason: error.message });
  } finally {
    for (const { path, dirty } of handles.writing()) {
      if (!dirty) continue;
      const reason = "Dropped an upload: the client disconnected without closing the file";
      handler.refuse({ reason, method: "OPEN", path });
    }
    handles.clear();
  }
}

/** Reads packets from a channel. A client may be silent for long, but not in the middle of a packet. */
class PacketReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new PacketDecoder();
  readonly #pace: Pace;
  readonly #wait = new IdleWait<Uint8Array | undefined>(() =>
    "The client stopped in the middle of a packet"
  );

  constructor(channel: Channel, packetMs: number) {
    this.#chunks = channel.chunks()[Symbol.asyncIterator]();
    this.#pace = new Pace({ idleMs: packetMs, what: "a packet" });
  }

  /** Rejects with `WireError`, and with `IdleError` for an incomplete packet. */
  async *all(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunk; (chunk = await this.#read()) !== undefined;) {
        for (const packet of this.#decoder.push(chunk)) {
          yield packet;
          this.#pace.end();
        }
      }
    } finally {
      this.#wait.stop();
    }
  }

  #read(): Promise<Uint8Array | undefined> {
    if (!this.#decoder.inside) return this.#next();
    return this.#pace.next(({ idleMs }) => this.#wait.within(this.#next(), idleMs));
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#chunks.next();
    return done ? undefined : value;
  }
}

/** Returns the response to a packet; nothing if a fault suppresses it. */
async function respond(packet: Uint8Array, state: SftpState): Promise<Uint8Array | undefined> {
  let request: Request;
  try {
    request = decodeRequest(packet);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    if (packet.length < 5) throw error;
    state.handler.refuse({ reason: error.message });
    const id = new DataView(packet.buffer, packet.byteOffset).getUint32(1);
    return encodeStatus(id, STATUS.badMessage, error.message);
  }
  try {
    const { handler, handles } = state;
    const phase = handler.ask && phaseOf(request, handles);
    const asked = phase &&
      handler.ask?.(phase, () => aboutOf(request, handles, handler.actor.user));
    const fault = asked && await asked;
    if (fault !== undefined) return await respondWith(fault, request, state);
    return await carryOut(state, request);
  } catch (error) {
    return refuse(state, request, error);
  }
}

async function carryOut(state: SftpState, request: Request): Promise<Uint8Array> {
  if (request.type === "INIT") return encodeVersion(EXTENSIONS);
  if (request.type === "EXTENDED") return await extended(state, request);
  return await answer(state, request);
}

/** Drops a file whose request failed. */
function spoil(request: Request, handles: Handles, error: FaultError | undefined): void {
  if (request.type === "CLOSE") {
    // The handle is closed nevertheless (close(2)).
    const handle = handles.take(request.handle);
    if (handle !== undefined) release(handle);
  }
  if (request.type !== "WRITE") return;
  const handle = handles.get(request.handle);
  if (handle?.kind === "write" && error !== undefined) {
    handle.failure ??= new VfsError("no_space", error.message);
  }
}

async function respondWith(
  fault: Fault,
  request: Request,
  { handler, handles, channel }: SftpState,
): Promise<Uint8Array | undefined> {
  const error = errorOf(fault);
  const goesOn = fault.captures === true;
  if (error === undefined && goesOn) handler.disturb?.(fault);
  const actor = marked(handler.actor, fault);
  const state = { handler: { ...handler, actor }, handles, channel };
  const usual = fault.after || goesOn ? await carryOut(state, request) : undefined;
  if (usual === undefined) spoil(request, handles, error);
  if (error !== undefined) throw error;
  if (goesOn) return usual;
  if (fault.outcome !== CORE_OUTCOMES.hang.id) handler.disturb?.(fault);
  return undefined;
}

function refuse({ handler }: SftpState, request: Request, error: unknown): Uint8Array {
  if (error instanceof WireError) return encodeStatus(request.id, STATUS.badMessage, error.message);
  if (!(error instanceof VfsError) && !(error instanceof StatusError)) {
    handler.fault(error);
    return encodeStatus(request.id, STATUS.failure, "The service failed");
  }
  const { code, message } = error instanceof StatusError ? error : refusalStatus(error);
  if (!PROBES.has(request.type) && !(error instanceof FaultError)) {
    handler.refuse({ reason: message, method: request.type, status: code });
  }
  return encodeStatus(request.id, code, message);
}
