/** Transfers over the data connection, while the control connection is watched. */
import { compact } from "../../../core/compact.ts";
import { reasonOf } from "../../../core/errors.ts";
import { CORE_OUTCOMES, toDisturbance } from "../../../core/faults/outcome.ts";
import { disturbReads } from "../../../core/net/disturbed.ts";
import { BODY_PATIENCE, Pace } from "../../../core/net/pace.ts";
import {
  DisconnectedError,
  IdleError,
  type Transport,
  TruncatedError,
} from "../../../core/net/transport.ts";
import type { Fault } from "../../../core/plugin.ts";
import { upload } from "../record.ts";
import type { Draft } from "../vfs/draft.ts";
import { VfsError } from "../vfs/errors.ts";
import { type Reply, toReply } from "./codec/reply.ts";
import type { ControlWire } from "./control_wire.ts";
import type { Conversation } from "./conversation.ts";
import { cut, DataConnectionError } from "./data_channel.ts";
import { refusalReply } from "./errors.ts";
import { replyOf } from "./faults.ts";

/** Commands queued during a transfer; with more, the control connection is not read until it is over. */
const MAX_WAITING_BYTES = 8192;

/** A file that arrives whole within this size and time is hardly the beginning of a longer one. */
const SWIFT_BYTES = 65_536;
const SWIFT_MS = 10;
/** Maximum time between its last bytes and its end: a client may pause before it is killed. */
const PROMPT_MS = 2;

/**
 * The pauses of a transfer show how long the machine lets a process wait. After a transfer of at least this time, this
 * many times its longest pause is enough for a client that is being killed.
 */
const STEADY_MS = 20;
const PAUSES = 3;

/** A wait of 1 ms that took this long does not count; at most this many are repeated. */
const LATE_MS = 5;
const MAX_LATE = 5;

/** Work of about 20 µs, which the platform does on another thread. */
const NAP = { name: "PBKDF2", hash: "SHA-1", iterations: 100, salt: new Uint8Array(1) } as const;

/** Made once: that takes longer than to start the work. */
let napKey: Promise<CryptoKey> | undefined;

/** A transfer failed; `reply` is `undefined` if the client is gone. */
class TransferError extends Error {
  override name = "TransferError";

  constructor(readonly reply: Reply | undefined, message: string) {
    super(message);
  }
}

const BROKEN = toReply(426, "The data connection broke; nothing was kept");
const ABORTED = toReply(426, "Transfer aborted; nothing was kept");

/** Receives a file. `offset` is the position of its bytes in the draft; later bytes are cut off. */
export async function receiveFile(
  session: Conversation,
  about: { path: string; command: string; draft: Draft; offset: number; opening: string },
): Promise<Reply | undefined> {
  const { draft, path, command } = about;
  return await transfer(session, { command, opening: about.opening }, async (data) => {
    const begunMs = performance.now();
    let lastMs = begunMs;
    let longestMs = 0;
    let at = about.offset;
    let farewell = false;
    if (at < draft.size) draft.truncate(at);
    const { stallMs: idleMs } = session.limits;
    const pace = new Pace({ idleMs, graceMs: BODY_PATIENCE * idleMs, what: "a file" });
    await watched(session, data, async () => {
      for (;;) {
        const chunk = await readOrEnd(session, data, { pace, into: draft.ahead() });
        farewell = chunk === "farewell";
        if (typeof chunk === "string") break;
        const room = draft.room(chunk.length);
        if (room !== undefined) await room;
        draft.write(at, chunk);
        at += chunk.length;
        const nowMs = performance.now();
        longestMs = Math.max(longestMs, nowMs - lastMs);
        lastMs = nowMs;
      }
    });
    const received = at - about.offset;
    const endedMs = performance.now();
    const swift = received > 0 && received <= SWIFT_BYTES && endedMs - begunMs < SWIFT_MS &&
      endedMs - lastMs < PROMPT_MS;
    // The client has sent everything, and reads the reply on the control connection.
    const closing = data[Symbol.asyncDispose]();
    try {
      await checkAlive(session, {
        ...{ farewell, swift, endedMs },
        ...(endedMs - begunMs < STEADY_MS ? {} : { longestMs }),
      });
    } finally {
      await closing;
    }
    await upload(session.handler.vfs, session.actor, { path, draft, command });
    return toReply(226, `Transfer complete, ${draft.size} bytes kept`);
  });
}

/**
 * Returns the next bytes of an upload, or how it ended: with close_notify of TLS, or only with the end of the
 * connection. Many clients omit close_notify, and servers accept their files.
 */
async function readOrEnd(
  { protection }: Conversation,
  data: Transport,
  { pace, into }: { pace: Pace; into: Uint8Array },
): Promise<Uint8Array | "farewell" | "end"> {
  try {
    // The draft copies the bytes, unless they were read directly into it.
    const chunk = await pace.next(({ idleMs }) => data.read({ idleMs, reuse: true, into }));
    return chunk ?? (protection === "P" ? "farewell" : "end");
  } catch (error) {
    if (error instanceof TruncatedError) return "end";
    throw error;
  }
}

/** Sends a file. */
export async function sendBytes(
  session: Conversation,
  about: { command: string; opening: string },
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Reply | undefined> {
  return await transfer(session, { ...about, sends: true }, async (data) => {
    await watched(session, data, async () => {
      for await (const chunk of source) {
        await data.write(chunk, { idleMs: session.limits.stallMs });
      }
    });
    return toReply(226, "Transfer complete");
  });
}

async function transfer(
  session: Conversation,
  about: { command: string; opening: string; sends?: boolean },
  run: (data: Transport) => Promise<Reply>,
): Promise<Reply | undefined> {
  if (!session.data.ready) return toReply(425, "Use PASV, EPSV, PORT or EPRT first");
  session.control.transferring();
  await session.send(toReply(150, about.opening));
  let data: Transport | undefined;
  let reply: Reply | undefined;
  try {
    data = await openData(session);
    const fault = await session.askTransfer();
    if (fault !== undefined) data = await disturb(session, { data, fault, ...about });
    reply = await run(data);
  } catch (error) {
    reply = judge(session, about.command, error);
  } finally {
    session.control.transferred();
  }
  // A client that downloads takes the end of the data connection for the end of the file, and cannot send; one that is
  // still uploading must read the reply before its connection breaks.
  if (about.sends && reply?.code === 226 && data !== undefined) {
    await session.data.end(data, session.protection);
  }
  try {
    if (reply !== undefined) await session.send(reply);
  } finally {
    await data?.[Symbol.asyncDispose]();
  }
  return undefined;
}

function judge(session: Conversation, command: string, error: unknown): Reply | undefined {
  const reply = toFailure(session, error);
  if (reply?.fault) return reply;
  const reason = reasonOf(error);
  session.handler.refuse({
    reason: `Ended a transfer early: ${reason}`,
    method: command.split(" ", 1)[0]!,
    path: command.slice(command.indexOf(" ") + 1),
    ...compact({ status: reply?.code }),
  });
  return reply;
}

function toFailure(session: Conversation, error: unknown): Reply | undefined {
  if (error instanceof TransferError) return error.reply;
  if (error instanceof VfsError) return refusalReply(error);
  if (error instanceof DataConnectionError) return toReply(error.code, error.message);
  if (error instanceof DisconnectedError) {
    return BROKEN;
  }
  if (error instanceof IdleError) {
    return toReply(426, "The data connection was idle for too long; nothing was kept");
  }
  session.handler.fault(error);
  return toReply(451, "The service failed; nothing was kept");
}

/** Applies a fault to a data connection. Rejects with `TransferError` if nothing can be sent over it. */
async function disturb(
  session: Conversation,
  { data, fault, command }: { data: Transport; fault: Fault; command: string },
): Promise<Transport> {
  const operation = command.split(" ", 1)[0]!;
  const reply = replyOf(fault, { phase: "transfer", operation });
  if (reply !== undefined) {
    cut(data);
    throw new TransferError(reply, reply.lines.join(" "));
  }
  const what = toDisturbance(fault);
  if (what.kind === "slow" || what.kind === "truncate") return disturbReads(data, what);
  const isHanging = fault.outcome === CORE_OUTCOMES.hang.id;
  const never = new Promise<boolean>(() => {});
  const isCalled = isHanging && await isCalledOff(session.control, never);
  if (what.kind === "reset") data.disturb?.(what);
  else cut(data);
  if (isCalled) throw callOff(session.control);
  throw new TransferError({ ...BROKEN, fault: true }, "The data connection broke");
}

/** Does `work`, unless ABOR or the end of the client comes first: then cuts the data connection. */
async function watched(
  session: Conversation,
  data: Transport,
  work: () => Promise<void>,
): Promise<void> {
  const { control } = session;
  const working = work();
  const done = working.then(() => true, () => true);
  if (await isCalledOff(control, done)) {
    cut(data);
    await done;
    throw callOff(control);
  }
  await working;
}

/** Returns the data connection, unless ABOR or the end of the client comes first. */
async function openData({ control, data, protection }: Conversation): Promise<Transport> {
  const opening = data.connect(protection);
  const done = opening.then(() => true, () => true);
  if (await isCalledOff(control, done)) {
    await data.giveUp();
    await opening.then(cut, () => {});
    throw callOff(control);
  }
  return await opening;
}

/** Returns whether ABOR, or the end of the client, came before the promise settled. */
async function isCalledOff(control: ControlWire, done: Promise<boolean>): Promise<boolean> {
  while (control.waiting <= MAX_WAITING_BYTES && !control.ended && !control.hasAbort) {
    if (await Promise.race([done, control.arrival().then(() => false)])) break;
  }
  return (control.ended || control.hasAbort) && !await settled(done);
}

function callOff({ ended }: ControlWire): TransferError {
  return ended ? gone() : new TransferError(ABORTED, "The client sent ABOR");
}

/** Returns whether a promise has already settled. */
function settled(done: Promise<boolean>): Promise<boolean> {
  return Promise.race([done, Promise.resolve(false)]);
}

/** How an upload ended. */
interface Ending {
  readonly farewell: boolean;
  readonly swift: boolean;
  /** When its end was read, on the clock of `performance`. */
  readonly endedMs: number;
  /** Its longest pause, if it took long enough to know. */
  readonly longestMs?: number;
}

/**
 * Rejects if the client is gone or sends ABOR: its data is then at best the beginning of a file. A killed client sends
 * no close_notify, so after one only ABOR matters.
 */
async function checkAlive(
  session: Conversation,
  ended: Ending,
): Promise<void> {
  const { control } = session;
  const graceMs = graceOf(session, ended);
  if (graceMs < 1) await glance(control, ended.endedMs + graceMs);
  else await linger(graceMs, control, () => control.waiting > 0);
  if (control.leavesOpen) await linger(session.limits.graceMs, control, () => !control.leavesOpen);
  if (control.ended) throw gone();
  if (control.hasAbort) throw new TransferError(ABORTED, "The client sent ABOR");
}

/** Waits for the control connection for a shorter time than a timer can, but long enough for its socket to be polled. */
async function glance(control: ControlWire, untilMs: number): Promise<void> {
  void control.arrival();
  while (!control.ended && control.waiting === 0) {
    await nap();
    if (performance.now() >= untilMs) return;
  }
}

/**
 * Sleeps for about 0.05 ms; a timer takes 2 ms. Turns of the event loop alone would not suffice: the platform polls its
 * sockets after about 60 of them, and a client that is being killed may need the processor that they keep busy.
 */
async function nap(): Promise<void> {
  napKey ??= crypto.subtle.importKey("raw", NAP.salt, NAP.name, false, ["deriveBits"]);
  await crypto.subtle.deriveBits(NAP, await napKey, 8);
}

/**
 * Waits for the control connection for a longer time. In a delayed process timers fire before sockets are polled, so a
 * delayed wait does not count.
 */
async function linger(
  graceMs: number,
  control: ControlWire,
  isOver: () => boolean,
): Promise<void> {
  let [left, late] = [graceMs, 0];
  while (left > 0 && late < MAX_LATE) {
    if (control.ended || isOver()) return;
    const begunMs = performance.now();
    const { promise: passed, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, 1);
    await Promise.race([control.arrival(), passed]);
    clearTimeout(timer);
    const tookMs = performance.now() - begunMs;
    if (tookMs < LATE_MS) left -= tookMs;
    else late++;
  }
}

function graceOf(
  { limits, tls }: Conversation,
  { farewell, swift, longestMs = Infinity }: Ending,
): number {
  if (farewell) return limits.swiftGraceMs;
  if (tls === "active") return limits.tlsGraceMs;
  if (swift) return limits.swiftGraceMs;
  return Math.min(limits.graceMs, Math.max(limits.steadyGraceMs, PAUSES * longestMs));
}

function gone(): TransferError {
  return new TransferError(undefined, "The client disconnected; nothing was kept");
}
