/** One transfer on its own socket, from the request to its end. */
import { WireError } from "../../../core/bytes/decoder.ts";
import { compact } from "../../../core/compact.ts";
import { type Datagram, IdleError, type UdpSocket } from "../../../core/net/transport.ts";
import { IdleWait } from "../../../core/net/idle_wait.ts";
import type { Fault, RejectedNote } from "../../../core/plugin.ts";
import { type Actor, upload } from "../record.ts";
import { type Draft, MAX_FILE_BYTES } from "../vfs/draft.ts";
import { VfsError } from "../vfs/errors.ts";
import { decodePath, resolvePath } from "../vfs/path.ts";
import type { Vfs } from "../vfs/vfs.ts";
import { encodeNetascii, NetasciiDecoder } from "./codec/netascii.ts";
import {
  decodePacket,
  encodePacket,
  type Packet,
  type Request,
  TFTP_ERROR,
} from "./codec/packet.ts";
import { errorPacket, refusalPacket } from "./errors.ts";
import { LateFault, packetOf } from "./faults.ts";
import { negotiate, type Terms } from "./options.ts";
import { type Machine, Receiver, Sender } from "./transfer.ts";

/** Environment of a transfer. */
export interface TftpHandler {
  readonly vfs: Vfs;
  /** Called when an upload is kept; afterwards only copies of its last block are answered. */
  finished(): void;
  actor(meta: Readonly<Record<string, unknown>>): Actor;
  /** Records a refusal or an aborted transfer. */
  refuse(note: RejectedNote): void;
}

/** Context of a transfer. */
export interface TransferOptions {
  readonly socket: UdpSocket;
  /** Address of the client; packets of others are answered, and otherwise ignored. */
  readonly peer: string;
  readonly handler: TftpHandler;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Returns the fault of the response, once an upload is captured. */
  readonly late?: Fault | undefined;
}

const DATA_HEAD_BYTES = 4;
/** Copies of the last block are answered for this many timeouts. */
const DALLY_TIMEOUTS = 2;

/** Serves a request. Rejects only with internal errors, after telling the client. */
export async function serveTransfer(request: Request, options: TransferOptions): Promise<void> {
  const { handler, socket, peer } = options;
  try {
    if (request.mode !== "octet" && request.mode !== "netascii") {
      await refuse(request, options, errorPacket(TFTP_ERROR.illegal, "Use mode octet or netascii"));
    } else if (request.type === "RRQ") await serveRead(request, options);
    else await serveWrite(request, options);
  } catch (error) {
    if (error instanceof LateFault) {
      const packet = packetOf(error.fault);
      return packet && await socket.send(encodePacket(packet), peer);
    }
    if (error instanceof VfsError) return await refuse(request, options, refusalPacket(error));
    handler.refuse({ reason: "The service failed", method: request.type });
    await socket.send(encodePacket(errorPacket(TFTP_ERROR.undefined, "The service failed")), peer);
    throw error;
  }
}

async function serveRead(request: Request, options: TransferOptions): Promise<void> {
  const { vfs } = options.handler;
  const file = vfs.tree.getFile(resolvePath(decodePath(request.file)));
  using reader = request.mode === "netascii"
    ? await vfs.converted(file, encodeNetascii)
    : await vfs.reader(file);
  const terms = negotiate(request.options, { size: reader.size, timeoutMs: options.timeoutMs });
  const { blockBytes } = terms;
  const sender = new Sender({
    terms,
    retries: options.retries,
    openingMs: options.timeoutMs,
    size: reader.size,
    read: (block) => reader.read((block - 1) * blockBytes, blockBytes),
  });
  // A client that only wanted the size, or left, has done nothing to record.
  await drive(sender, options);
}

async function serveWrite(request: Request, options: TransferOptions): Promise<void> {
  const { handler } = options;
  const path = resolvePath(decodePath(request.file));
  using draft = handler.vfs.draft(path);
  const terms = negotiate(request.options, { size: undefined, timeoutMs: options.timeoutMs });
  if ((terms.declaredBytes ?? 0) > MAX_FILE_BYTES) {
    throw new VfsError(
      "too_large",
      `Cannot hold ${terms.declaredBytes} bytes: at most ${MAX_FILE_BYTES}`,
    );
  }
  const text = request.mode === "netascii" ? new NetasciiDecoder() : undefined;
  const receiver = new Receiver({
    terms,
    retries: options.retries,
    openingMs: options.timeoutMs,
    write: (bytes) => draft.append(text?.push(bytes) ?? bytes),
  });
  await drive(receiver, options, async () => {
    if (text !== undefined) draft.append(text.end());
    await commit(request, { draft, path, terms, handler });
    draft[Symbol.dispose]();
    if (options.late !== undefined) throw new LateFault(options.late);
    handler.finished();
  });
  if (receiver.outcome === "failed") {
    handler.refuse({ reason: `Ended a transfer early: ${receiver.reason}`, method: "WRQ", path });
  }
}

async function commit(
  request: Request,
  about: { draft: Draft; path: string; terms: Terms; handler: TftpHandler },
): Promise<void> {
  const { draft, path, terms, handler } = about;
  const actor = handler.actor({
    mode: request.mode,
    block_size: terms.blockBytes,
    ...compact({ tsize_declared: terms.declaredBytes }),
  });
  await upload(handler.vfs, actor, { path, draft, command: `WRQ ${path}` });
}

type Arrivals = IdleWait<Datagram | undefined>;

/**
 * Runs a machine on the socket until it is done. Calls `complete` once, before the last packet is
 * sent, so that what is acknowledged is stored.
 */
async function drive(
  machine: Machine,
  options: TransferOptions,
  complete?: () => Promise<void>,
): Promise<void> {
  const arrivals: Arrivals = new IdleWait(() => "No packet came");
  try {
    await driveTimed(machine, options, { arrivals, complete });
  } finally {
    arrivals.stop();
  }
}

async function driveTimed(
  machine: Machine,
  options: TransferOptions,
  { arrivals, complete }: { arrivals: Arrivals; complete: (() => Promise<void>) | undefined },
): Promise<void> {
  const { socket, peer, timeoutMs, handler: { vfs } } = options;
  const scratch = new Uint8Array(DATA_HEAD_BYTES + machine.terms.blockBytes);
  /** A receive that outlived its timeout continues. */
  let next: Promise<Datagram | undefined> | undefined;
  let clears = vfs.clears;
  let packets = machine.on("start", performance.now());
  let until = Infinity;
  for (;;) {
    if (machine.outcome === "complete" && until === Infinity) {
      await complete?.();
      if (complete === undefined) return;
      until = performance.now() + DALLY_TIMEOUTS * timeoutMs;
    }
    for (const packet of packets) await socket.send(encodePacket(packet, scratch), peer);
    const nowMs = performance.now();
    if (machine.outcome === "failed" || nowMs >= until) return;
    const wakeAtMs = until === Infinity ? machine.wakeAtMs : until;
    // Received only now: by then the response has often arrived, and no wake-up is needed.
    next ??= socket.receive({ reuse: true });
    let datagram: Datagram | undefined;
    try {
      datagram = await arrivals.within(next, Math.max(0, Math.min(wakeAtMs - nowMs, timeoutMs)));
    } catch (error) {
      if (!(error instanceof IdleError)) throw error;
      // After a reset, nobody needs what a client that has left sent before: it only takes memory.
      packets = vfs.clears === clears
        ? machine.on("tick", performance.now())
        : machine.stop("The client stopped answering before a reset");
      continue;
    }
    next = undefined;
    // The socket was closed during the transfer.
    if (datagram === undefined) return void machine.stop("The service stops");
    if (datagram.peer !== peer) {
      const answer = errorPacket(TFTP_ERROR.unknownTransfer, "This port serves another client");
      await datagram.reply(encodePacket(answer));
      packets = [];
      continue;
    }
    clears = vfs.clears;
    packets = take(machine, datagram.bytes);
  }
}

function take(machine: Machine, bytes: Uint8Array): readonly Packet[] {
  try {
    return machine.on(decodePacket(bytes), performance.now());
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    // An unreadable packet counts as lost: the one before it will be repeated.
    return [];
  }
}

async function refuse(
  request: Request,
  { socket, peer, handler }: TransferOptions,
  packet: Packet,
): Promise<void> {
  const reason = packet.type === "ERROR" ? packet.message : "";
  handler.refuse({
    reason,
    method: request.type,
    path: new TextDecoder().decode(request.file).slice(0, 1000),
  });
  await socket.send(encodePacket(packet), peer);
}
