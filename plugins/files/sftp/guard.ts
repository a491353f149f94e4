/**
 * Checks the packets of an SSH client. The library trusts every number: a maximum packet size of 0 makes it write in an
 * endless loop, and it opens any number of channels and stores any amount of data. So each payload is checked here
 * first, by RFC 4253 (transport), RFC 4252 (login) and RFC 4254 (channels).
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { ByteReader } from "../../../core/bytes/reader.ts";
import { ByteWriter } from "../../../core/bytes/writer.ts";

/** Numbers of messages. */
export const MESSAGE = {
  disconnect: 1,
  ignore: 2,
  unimplemented: 3,
  debug: 4,
  serviceRequest: 5,
  serviceAccept: 6,
  extInfo: 7,
  kexInit: 20,
  newKeys: 21,
  lastOfKex: 49,
  userauthRequest: 50,
  userauthFailure: 51,
  userauthSuccess: 52,
  userauthBanner: 53,
  userauthInfoRequest: 60,
  userauthInfoResponse: 61,
  globalRequest: 80,
  requestSuccess: 81,
  requestFailure: 82,
  channelOpen: 90,
  channelOpenConfirmation: 91,
  channelOpenFailure: 92,
  channelWindowAdjust: 93,
  channelData: 94,
  channelExtendedData: 95,
  channelEof: 96,
  channelClose: 97,
  channelRequest: 98,
  channelSuccess: 99,
  channelFailure: 100,
} as const;

/** Why a channel is not opened: RFC 4254 section 5.1. */
const OPEN_FAILURE = { prohibited: 1, unknownType: 3, shortage: 4 } as const;

/** Maximum number of open channels of one connection. */
export const MAX_CHANNELS = 10;
/**
 * Smallest "maximum packet size" of a channel. RFC 4254 sets none, and common clients send 4096 or more. Each packet
 * costs a cipher: a response in packets of one byte would block all other clients.
 */
const MIN_PACKET_BYTES = 256;
/** Largest window: RFC 4254 section 5.2. */
const MAX_WINDOW = 2 ** 32 - 1;
/** Bytes of one CHANNEL_DATA that the library announces. */
const MAX_DATA_BYTES = 32 * 1024;
/** Longest name of a request, a service or a channel type: RFC 4250 section 4.6.1 allows 64. */
const MAX_NAME_BYTES = 256;
const MAX_TEXT_BYTES = 35_000;
/** Number of responses to keyboard-interactive, which asks one question. */
const MAX_RESPONSES = 8;
/** Key exchanges that every connection may start, and the bytes or milliseconds after which another is allowed. */
const FREE_EXCHANGES = 32;
const BYTES_PER_EXCHANGE = 1024 * 1024;
const MS_PER_EXCHANGE = 1000;

/** State of an open channel, as the library has it. */
export interface SeenChannel {
  /** The client's number for it. */
  readonly remote: number;
  /** Bytes that the client may still send. */
  readonly incoming: { window: number; readonly state: string };
  /** Bytes that the client still accepts. */
  readonly outgoing: { window: number };
  /** Whether it has a reader. */
  readonly isRead: boolean;
  /** Whether something runs in it, or it is closing. */
  readonly isTaken: boolean;
}

/** Context of a guard. */
export interface GuardOptions {
  isAuthenticated(): boolean;
  /** Returns `undefined` for a channel that is not open. */
  channel(id: number): SeenChannel | undefined;
  /** Number of open channels. */
  channels(): number;
  /** Drops a channel in which nothing ever ran. */
  forget(id: number): void;
  /** Returns whether a channel of that number was ever open. */
  isKnown(id: number): boolean;
  /** Bytes of the connection so far, in both directions. */
  moved(): number;
  /** A clock in milliseconds. */
  now(): number;
}

/** Verdict on a payload: pass it to the library, drop it, answer it, or end the connection. */
export type Verdict =
  | "pass"
  | "drop"
  | {
    readonly answer: Uint8Array;
    /** The refusal, for the journal. */
    readonly note?: string;
  }
  | { readonly end: string };

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Checks the packets of one client. */
export class PacketGuard {
  readonly #options: GuardOptions;
  readonly #beganMs: number;
  #exchange: "first" | "again" | undefined = "first";
  #exchanges = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#beganMs = options.now();
  }

  /** Whether a key exchange is in progress. */
  get isExchanging(): boolean {
    return this.#exchange !== undefined;
  }

  /** Checks a payload, which is not empty. `sequence` is the number of its packet. */
  judge(payload: Uint8Array, sequence: number): Verdict {
    try {
      return this.#judge(payload, sequence);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return { end: `Cannot read SSH message ${payload[0]}: ${error.message}` };
    }
  }

  #judge(payload: Uint8Array, sequence: number): Verdict {
    const type = payload[0] ?? 0;
    if (type === MESSAGE.kexInit) return this.#begin();
    if (this.#exchange === "first") {
      if (type === MESSAGE.newKeys) this.#exchange = undefined;
      // The library enforces it, if the client does (kex-strict-c-v00@openssh.com).
      return "pass";
    }
    if (this.#exchange === "again") return this.#exchanging(type);
    if (type > MESSAGE.kexInit && type <= MESSAGE.lastOfKex) {
      return { end: `Expected no SSH message ${type} outside a key exchange` };
    }
    if (type >= MESSAGE.globalRequest && !this.#options.isAuthenticated()) {
      return { end: `Expected a login before SSH message ${type}` };
    }
    const reader = new ByteReader(payload.subarray(1));
    switch (type) {
      case MESSAGE.userauthRequest:
        // RFC 4252 section 5.1: ignored after a login.
        return this.#options.isAuthenticated() ? "drop" : "pass";
      case MESSAGE.userauthInfoResponse: {
        const count = reader.u32();
        return count > MAX_RESPONSES ? { end: `Expected one answer, got ${count}` } : "pass";
      }
      case MESSAGE.globalRequest:
        return global(reader);
      default:
        return this.#channels(type, reader) ?? other(type, sequence);
    }
  }

  #begin(): Verdict {
    const { moved, now } = this.#options;
    const most = FREE_EXCHANGES + moved() / BYTES_PER_EXCHANGE +
      (now() - this.#beganMs) / MS_PER_EXCHANGE;
    if (++this.#exchanges > most) {
      return { end: `Cannot exchange keys again: ${this.#exchanges} times is too often` };
    }
    // The library refuses a second one during an exchange.
    this.#exchange ??= "again";
    return "pass";
  }

  /** RFC 4253 section 7.1: messages allowed between the client's KEXINIT and its NEWKEYS. */
  #exchanging(type: number): Verdict {
    if (type === MESSAGE.newKeys) this.#exchange = undefined;
    if (type === MESSAGE.disconnect || type >= MESSAGE.newKeys && type <= MESSAGE.lastOfKex) {
      return "pass";
    }
    const isAllowed = type < MESSAGE.kexInit && type !== MESSAGE.serviceRequest &&
      type !== MESSAGE.serviceAccept;
    return isAllowed ? "drop" : { end: `Expected no SSH message ${type} during a key exchange` };
  }

  /** Returns `undefined` for messages that do not concern channels. */
  #channels(type: number, reader: ByteReader): Verdict | undefined {
    switch (type) {
      case MESSAGE.channelOpen:
        return this.#open(reader);
      case MESSAGE.channelOpenConfirmation:
      case MESSAGE.channelOpenFailure:
        return { end: `Unexpected SSH message ${type}: no channel was requested` };
      case MESSAGE.channelWindowAdjust:
      case MESSAGE.channelData:
      case MESSAGE.channelExtendedData:
      case MESSAGE.channelEof:
      case MESSAGE.channelClose:
      case MESSAGE.channelRequest:
        return this.#onChannel(type, reader);
      case MESSAGE.channelSuccess:
      case MESSAGE.channelFailure:
        // The server sends no channel requests that want a reply.
        return "drop";
    }
  }

  #open(reader: ByteReader): Verdict {
    const kind = decoder.decode(reader.block(MAX_NAME_BYTES));
    const sender = reader.u32();
    reader.u32();
    const packetBytes = reader.u32();
    const refuse = (code: number, note: string): Verdict => ({
      note,
      answer: new ByteWriter().u8(MESSAGE.channelOpenFailure).u32(sender).u32(code)
        .block(encoder.encode(note)).u32(0).take(),
    });
    if (kind !== "session") {
      const name = JSON.stringify(kind);
      return refuse(OPEN_FAILURE.unknownType, `Cannot open a channel ${name}: only "session"`);
    }
    if (packetBytes < MIN_PACKET_BYTES) {
      const least = `at least ${MIN_PACKET_BYTES} bytes`;
      return refuse(
        OPEN_FAILURE.prohibited,
        `Cannot send in packets of ${packetBytes} bytes: expected ${least}`,
      );
    }
    if (this.#options.channels() >= MAX_CHANNELS) {
      return refuse(OPEN_FAILURE.shortage, `Cannot open more than ${MAX_CHANNELS} channels`);
    }
    return "pass";
  }

  #onChannel(type: number, reader: ByteReader): Verdict {
    const id = reader.u32();
    const channel = this.#options.channel(id);
    if (channel === undefined) {
      if (this.#options.isKnown(id)) return "drop";
      return { end: `Cannot find channel ${id} of SSH message ${type}` };
    }
    switch (type) {
      case MESSAGE.channelWindowAdjust:
        return adjust(channel, reader.u32());
      case MESSAGE.channelData:
        return data(channel, reader.block(MAX_TEXT_BYTES).length);
      case MESSAGE.channelExtendedData:
        return { end: "Expected no extended data: nothing here reads it" };
      case MESSAGE.channelClose:
        if (channel.isRead) return "pass";
        // The library neither answers nor drops a channel in which nothing runs.
        this.#options.forget(id);
        return { answer: new ByteWriter().u8(MESSAGE.channelClose).u32(channel.remote).take() };
      case MESSAGE.channelRequest: {
        reader.block(MAX_NAME_BYTES);
        const wantsReply = reader.u8() !== 0;
        if (!channel.isTaken) return "pass";
        // The library does not answer requests about a program that already runs.
        if (!wantsReply) return "drop";
        return { answer: new ByteWriter().u8(MESSAGE.channelFailure).u32(channel.remote).take() };
      }
      default:
        return "pass";
    }
  }
}

function adjust(channel: SeenChannel, by: number): Verdict {
  if (channel.outgoing.window + by > MAX_WINDOW) {
    return { end: `Cannot widen a window beyond ${MAX_WINDOW} bytes` };
  }
  if (channel.isRead) return "pass";
  // The library drops window grants that arrive before anything runs.
  channel.outgoing.window += by;
  return "drop";
}

function data({ incoming, isRead }: SeenChannel, length: number): Verdict {
  if (incoming.state !== "open") return { end: "Unexpected data after the end of a channel" };
  if (length > MAX_DATA_BYTES) {
    return { end: `Cannot accept ${length} bytes in a packet: ${MAX_DATA_BYTES} were announced` };
  }
  if (length > incoming.window) {
    return { end: `Cannot accept ${length} bytes: the window has room for ${incoming.window}` };
  }
  if (isRead) return "pass";
  incoming.window -= length;
  return "drop";
}

/** None is carried out; `keepalive@openssh.com` only needs a response. */
function global(reader: ByteReader): Verdict {
  reader.block(MAX_NAME_BYTES);
  if (reader.u8() === 0) return "drop";
  return { answer: new Uint8Array([MESSAGE.requestFailure]) };
}

function other(type: number, sequence: number): Verdict {
  switch (type) {
    case MESSAGE.ignore:
    case MESSAGE.unimplemented:
    case MESSAGE.debug:
    case MESSAGE.extInfo:
    case MESSAGE.requestSuccess:
    case MESSAGE.requestFailure:
      return "drop";
    case MESSAGE.disconnect:
    case MESSAGE.serviceRequest:
      return "pass";
    case MESSAGE.serviceAccept:
    case MESSAGE.userauthFailure:
    case MESSAGE.userauthSuccess:
    case MESSAGE.userauthBanner:
    case MESSAGE.userauthInfoRequest:
      return { end: `Expected no SSH message ${type}: only servers send it` };
  }
  // RFC 4253 section 11.4.
  return { answer: new ByteWriter().u8(MESSAGE.unimplemented).u32(sequence).take() };
}
