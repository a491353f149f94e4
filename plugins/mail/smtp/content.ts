/** DATA and BDAT: receiving a message. */
import { compact } from "../../../core/compact.ts";
import { BODY_PATIENCE, Pace } from "../../../core/net/pace.ts";
import type { MemoryFullError } from "../../../core/errors.ts";
import { DisconnectedError } from "../../../core/net/transport.ts";
import { type Chunk, parseBdat } from "./codec/command.ts";
import { DataDecoder } from "./codec/data.ts";
import { encodeReply, type Reply, toFixedReply, toReply } from "./codec/reply.ts";
import { type Conversation, SmtpError, type Transaction } from "./conversation.ts";
import { MessageBuffer } from "./message_buffer.ts";

const GO_AHEAD = toFixedReply(354, undefined, "Start mail input; end with <CRLF>.<CRLF>");
/** Maximum octets of a refused message that are read and discarded before the connection is closed. */
const MAX_DISCARDED_BYTES = 1024 * 1024 * 1024;
/** Maximum number of recorded octets of an interrupted message. */
const MAX_NOTED_BYTES = 32_768;
/** Longest line of a message without its line end: RFC 5322 section 2.1.1. */
const MAX_TEXT_LINE = 998;

/** Reads the message data that follows DATA. */
export async function runData(talk: Conversation, args: string): Promise<Reply> {
  if (args !== "") return toReply(501, "5.5.4", "Syntax: DATA");
  const { transaction } = talk;
  if (transaction === undefined) return toReply(503, "5.5.1", "MAIL first");
  if (transaction.chunks !== undefined) {
    return toReply(503, "5.5.1", "DATA cannot follow BDAT: continue with BDAT, or RSET");
  }
  if (transaction.failed) return chunkFailed();
  if (transaction.rcptTo.length === 0) return noRecipients(transaction);
  await talk.wire.write(encodeReply(GO_AHEAD));
  using message = new MessageBuffer(talk.limits.maxMessageBytes, talk.memory.lease());
  const decoder = new DataDecoder();
  const pace = paceOf(talk);
  for (;;) {
    const chunk = await nextChunk(talk, message, pace);
    const room = message.room(chunk.length);
    if (room !== undefined) await room;
    const used = decoder.push(chunk, message);
    if (used === undefined) continue;
    talk.wire.unread(chunk.subarray(used));
    break;
  }
  try {
    if (message.overflowed) return tooLarge(talk);
    if (message.shortage !== undefined) return noMemory(talk, message.shortage);
    noteOddities(transaction, decoder);
    return await deliver(talk, transaction, message);
  } finally {
    talk.transaction = undefined;
  }
}

function noteOddities({ warnings }: Transaction, { bareLineEnds, longestLine }: DataDecoder): void {
  if (bareLineEnds > 0) {
    warnings.push(`Line ends other than CR LF: ${bareLineEnds}; they were stored as sent`);
  }
  if (longestLine > MAX_TEXT_LINE) {
    warnings.push(
      `A line of ${longestLine} octets: RFC 5322 allows ${MAX_TEXT_LINE}, and servers may break it`,
    );
  }
}

/** Reads the octets that follow a BDAT command, and delivers after the last chunk (RFC 3030 section 2). */
export async function runBdat(talk: Conversation, args: string): Promise<Reply> {
  const chunk = parseBdat(args);
  const { transaction } = talk;
  const refusal = refuseChunk(talk, chunk);
  if (refusal !== undefined || transaction === undefined) {
    // The octets follow whatever the reply is.
    if (chunk.size > MAX_DISCARDED_BYTES) talk.ended = true;
    else await readChunk(talk, chunk, new MessageBuffer(0));
    return refusal ?? toReply(503, "5.5.1", "MAIL first");
  }
  const message = transaction.chunks ??= new MessageBuffer(
    talk.limits.maxMessageBytes,
    talk.memory.lease(),
  );
  await readChunk(talk, chunk, message);
  if (message.shortage !== undefined) {
    transaction.failed = true;
    return noMemory(talk, message.shortage);
  }
  if (!chunk.last) return toReply(250, "2.0.0", `${chunk.size} octets received`);
  try {
    return await deliver(talk, transaction, message);
  } finally {
    talk.transaction = undefined;
  }
}

function refuseChunk(talk: Conversation, chunk: Chunk): Reply | undefined {
  const { transaction } = talk;
  if (transaction === undefined) return toReply(503, "5.5.1", "MAIL first");
  if (transaction.failed) return chunkFailed();
  if (transaction.rcptTo.length === 0) {
    transaction.failed = true;
    return noRecipients(transaction);
  }
  if ((transaction.chunks?.total ?? 0) + chunk.size > talk.limits.maxMessageBytes) {
    transaction.failed = true;
    transaction.chunks?.[Symbol.dispose]();
    delete transaction.chunks;
    return tooLarge(talk);
  }
  return undefined;
}

async function readChunk(talk: Conversation, chunk: Chunk, into: MessageBuffer): Promise<void> {
  const pace = paceOf(talk);
  for (let left = chunk.size; left > 0;) {
    const octets = await receive(talk, into, { pace, maxBytes: left });
    const room = into.room(octets.length);
    if (room !== undefined) await room;
    into.add(octets);
    left -= octets.length;
  }
}

function paceOf({ limits: { readIdleMs: idleMs } }: Conversation): Pace {
  return new Pace({ idleMs, graceMs: BODY_PATIENCE * idleMs, what: "a message" });
}

async function nextChunk(
  talk: Conversation,
  message: MessageBuffer,
  pace: Pace,
): Promise<Uint8Array> {
  if (message.overflowed && message.total > MAX_DISCARDED_BYTES) {
    talk.ended = true;
    throw new SmtpError(552, "5.3.4", tooLargeText(talk));
  }
  return await receive(talk, message, { pace, maxBytes: Infinity });
}

/** Reads the next chunk of a message. Without one, records the octets before it. */
async function receive(
  talk: Conversation,
  message: MessageBuffer,
  { pace, maxBytes }: { pace: Pace; maxBytes: number },
): Promise<Uint8Array> {
  try {
    const chunk = await pace.next(({ idleMs }) => talk.wire.chunk({ idleMs, maxBytes }));
    if (chunk !== undefined) return chunk;
    throw new DisconnectedError(
      `${talk.wire.peer} disconnected after ${message.total} octets of a message`,
    );
  } catch (error) {
    talk.note(message.head(MAX_NOTED_BYTES));
    throw error;
  }
}

async function deliver(
  talk: Conversation,
  transaction: Transaction,
  message: MessageBuffer,
): Promise<Reply> {
  if (transaction.refusedRecipients > 0) {
    transaction.warnings.push(
      `${transaction.refusedRecipients} recipients were refused: ` +
        `at most ${talk.limits.maxRecipients} are allowed`,
    );
  }
  const room = message.roomToWork();
  if (room !== undefined) await room;
  if (message.shortage !== undefined) return noMemory(talk, message.shortage);
  const id = await talk.handler.deliver({
    mailFrom: transaction.mailFrom,
    rcptTo: transaction.rcptTo,
    bytes: message.take(),
    helo: talk.helo ?? "",
    tls: talk.tls,
    smtputf8: transaction.smtputf8,
    warnings: transaction.warnings,
    ...compact({ body: transaction.body, credentials: talk.credentials }),
  });
  talk.delivered();
  return toReply(250, "2.0.0", `OK: captured as ${id}`);
}

/** RFC 5321 section 4.2.3, RFC 3463 section 3.4: asks the client to try again. */
function noMemory(talk: Conversation, { message: reason }: MemoryFullError): Reply {
  talk.handler.refuse({ reason, status: 452, raw: talk.transcript() });
  return toReply(452, "4.3.1", reason);
}

function chunkFailed(): Reply {
  return toReply(503, "5.5.1", "An earlier chunk was refused: RSET first");
}

function noRecipients(transaction: Transaction): Reply {
  return transaction.refusedRecipients > 0
    ? toReply(554, "5.5.1", "No valid recipients")
    : toReply(503, "5.5.1", "RCPT first");
}

function tooLarge(talk: Conversation): Reply {
  return toReply(552, "5.3.4", tooLargeText(talk));
}

/** Reply text for a message over the limit. */
export function tooLargeText(talk: Conversation): string {
  return `Message too large: at most ${talk.limits.maxMessageBytes} octets are accepted`;
}
