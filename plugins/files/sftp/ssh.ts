/**
 * One SSH connection. The library does key exchange, authentication and channels. Its own SFTP is not used: it supports
 * no extensions, loses bytes of names, and never ends a channel.
 *
 * @module
 */
// @ts-types="./ssh2.d.ts"
import {
  type AuthContext,
  type Connection,
  Server,
  type ServerChannel,
  type Session,
  type SshError,
} from "ssh2";
import { MemoryFullError } from "../../../core/errors.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import { DISPLACED, type Place, type Transport } from "../../../core/net/transport.ts";
import { type Gate, judge, type Shown } from "./auth.ts";
import { HAS_CHACHA } from "./chacha.ts";
import { OpenChannel } from "./channel.ts";
import { DISCONNECT, encodeDisconnect, encodePlainPacket } from "./codec/disconnect.ts";
import type { PacketGuard } from "./guard.ts";
import { closeCiphers, guardPackets, sendDisconnect } from "./library.ts";
import { withRsaKey } from "./rsa_key.ts";
import type { Channel } from "./session.ts";
import { NoSshError, WireStream } from "./wire_stream.ts";

/** Offered algorithms: those that the platform supports and that are fast. */
const ALGORITHMS = {
  // Without group exchange, which the library implements for clients only, nistp521, which the platform lacks, and the
  // longer groups, which block everything for up to a second.
  kex: [
    ...["curve25519-sha256", "curve25519-sha256@libssh.org"],
    ...["ecdh-sha2-nistp256", "ecdh-sha2-nistp384"],
    ...["diffie-hellman-group14-sha256", "diffie-hellman-group16-sha512"],
    // The only one of these that phpseclib 2 supports without the sodium extension.
    "diffie-hellman-group14-sha1",
  ],
  // Fastest first. The client's order of preference decides.
  cipher: [
    ...(HAS_CHACHA ? ["chacha20-poly1305@openssh.com"] : []),
    ...["aes128-ctr", "aes192-ctr", "aes256-ctr"],
    ...["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm", "aes256-gcm"],
  ],
  // The library's zlib does not run on this platform.
  compress: ["none"],
};
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_MISSES = 3;
/** Queries whether a login would succeed, and failures, after which the connection ends. */
const MAX_AUTH_REQUESTS = 50;
/** Chunks of data queued for the sessions of one connection: each costs far more than its bytes. */
const MAX_WAITING_CHUNKS = 65_536;
/** Recorded refusals of one connection: more would displace those of others from the journal. */
const MAX_NOTES = 20;
/** Longest text of a client that is recorded as a reason. */
const MAX_REASON_CHARS = 300;

/** Context of a connection; times in milliseconds. */
export interface SshOptions {
  readonly hostKey: string;
  /** Software version, after `SSH-2.0-`. */
  readonly ident: string;
  readonly gate: Gate;
  readonly handshakeMs: number;
  readonly idleMs: number;
  /** Counts data that waits for a session, and garbage. */
  readonly memory: Memory;
  readonly maxAuthTries: number;
  readonly signal: AbortSignal;
  readonly place: Place;
  /** Serves one `sftp` channel to its end. */
  sftp(channel: Channel, about: { shown: Shown; clientVersion: string }): Promise<void>;
  /** Records a refusal. */
  refuse(reason: string): void;
  /** Reports an internal error. */
  fault(error: unknown): void;
}

/** Serves one SSH connection to its end. */
export async function serveSsh(wire: Transport, options: SshOptions): Promise<void> {
  const hostKeys = await withRsaKey(options.hostKey);
  const stream = new WireStream(wire, {
    idleMs: options.idleMs,
    waste: (bytes) => options.memory.waste(bytes),
  });
  const closed = new Promise<void>((resolve) => stream.once("close", () => resolve()));
  const attendant = new Attendant(options, stream);
  const server = new Server({
    hostKeys,
    ident: options.ident,
    algorithms: ALGORITHMS,
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: KEEPALIVE_MISSES,
  }, (connection, { header }) => attendant.attend(connection, header.identRaw));
  // Errors of a connection are reported by the connection; a listener is required to keep the process alive.
  server.on("error", (error) => options.refuse(error.message));
  stream.on("error", (error) => {
    if (error instanceof NoSshError) options.refuse(error.message);
  });
  const stop = (): void => attendant.end();
  options.signal.addEventListener("abort", stop, { once: true });
  options.place.lost.addEventListener("abort", () => attendant.giveUp(), { once: true });
  server.injectSocket(stream);
  await closed;
  options.signal.removeEventListener("abort", stop);
  await attendant.finished();
}

/** Handles what one client does besides its `sftp` channels. */
class Attendant {
  readonly #options: SshOptions;
  readonly #stream: WireStream;
  readonly #channels = new Set<OpenChannel>();
  readonly #serving = new Set<Promise<void>>();
  /** Data queued for the session of a channel, by its number. */
  readonly #held = new Map<number, { chunks: number; bytes: number }>();
  #waiting = 0;
  #heldBytes = 0;
  /** Memory of it; less than its bytes while there is none. */
  readonly #lease: MemoryLease;
  /** Sessions that wait for something other than the client. */
  #heldUp = 0;
  /** Timeout of the login, and later of a key exchange. */
  #late: ReturnType<typeof setTimeout>;
  #connection: Connection | undefined;
  #guard: PacketGuard | undefined;
  #clientVersion = "";
  #shown: Shown | undefined;
  #asked = 0;
  #tries = 0;
  #notes = 0;
  #isOver = false;

  constructor(options: SshOptions, stream: WireStream) {
    this.#options = options;
    this.#stream = stream;
    this.#lease = options.memory.lease();
    this.#late = this.#limit("The client did not log in in time");
    stream.on("drain", () => this.#wake());
    stream.once("close", () => {
      for (const channel of this.#channels) channel.leave();
    });
  }

  attend(connection: Connection, clientVersion: string): void {
    this.#connection = connection;
    this.#clientVersion = clientVersion;
    this.#guard = guardPackets(connection, {
      moved: () => this.#stream.moved,
      refused: (note) => this.#note(note),
      ended: (reason) => this.#fail(reason),
      later: (bytes, filled) => this.#stream.later(bytes, filled),
      received: (channel, bytes) => this.#hold(channel, bytes),
      exchanging: () => {
        if (this.#shown !== undefined) this.#late = this.#limit("Keys were not exchanged in time");
      },
    });
    connection.on("error", (error) => this.#fault(error));
    connection.on("authentication", (context) => void this.#authenticate(context));
    connection.on("ready", () => {
      clearTimeout(this.#late);
      this.#options.place.keep();
    });
    connection.on("handshake", () => {
      if (this.#shown !== undefined) clearTimeout(this.#late);
      this.#wake();
    });
    connection.on("session", (accept) => this.#open(accept()));
  }

  /** Ends the connection, with DISCONNECT if possible. */
  end(): void {
    this.#isOver = true;
    this.#connection?.end();
    this.#stream.finish();
  }

  async finished(): Promise<void> {
    clearTimeout(this.#late);
    await Promise.allSettled(this.#serving);
    closeCiphers(this.#connection);
    this.#lease[Symbol.dispose]();
  }

  #limit(reason: string): ReturnType<typeof setTimeout> {
    clearTimeout(this.#late);
    return setTimeout(() => this.#fail(reason), this.#options.handshakeMs);
  }

  /** Records a refusal while the connection continues. */
  #note(reason: string): void {
    if (++this.#notes > MAX_NOTES) return;
    const more = this.#notes === MAX_NOTES
      ? "; further faults of this connection are not recorded"
      : "";
    this.#options.refuse(`${reason}${more}`);
  }

  /** Ends the connection because of an error of the client, with a reason. */
  #fail(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.refuse(reason);
    this.#disconnect(DISCONNECT.protocolError, reason);
  }

  /** Ends the connection of a client that has not logged in, to free its place. */
  giveUp(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#disconnect(DISCONNECT.tooManyConnections, DISPLACED);
  }

  #disconnect(code: number, reason: string): void {
    if (this.#connection !== undefined) sendDisconnect(this.#connection, code, reason);
    else this.#stream.write(encodePlainPacket(encodeDisconnect(code, reason)));
    this.#stream.finish();
  }

  #fault({ level, message, code }: SshError): void {
    // A connection that breaks is not an error of the server.
    const isLost = level === "socket" || level === "client-timeout";
    if (!this.#isOver && !isLost) {
      const text = message.slice(0, MAX_REASON_CHARS);
      this.#options.refuse(typeof code === "number" ? `The client ended it: ${text}` : text);
    }
    this.#isOver = true;
    this.#stream.finish();
  }

  async #authenticate(context: AuthContext): Promise<void> {
    if (++this.#asked > MAX_AUTH_REQUESTS) return this.#fail("Too many attempts to log in");
    try {
      const shown = await judge(this.#options.gate, context);
      if (shown === undefined) return;
      if (shown.accepted) {
        this.#shown = shown;
        return;
      }
      // Every client first tries the method `none`.
      if (shown.method === "none") return;
      this.#note(`Refused ${shown.method} of user "${shown.user}"`);
      if (++this.#tries >= this.#options.maxAuthTries) this.end();
    } catch (error) {
      this.#options.fault(error);
      this.end();
    }
  }

  #open(session: Session): void {
    session.on("env", (accept) => accept?.());
    for (const event of ["pty", "x11", "auth-agent"] as const) {
      session.on(event, (_accept, reject) => reject?.());
    }
    for (const event of ["exec", "shell"] as const) {
      session.on(event, (accept) => {
        const channel = accept?.();
        if (channel === undefined) return;
        this.#note(`Refused ${event}: only the sftp subsystem is served`);
        channel.on("error", () => {});
        channel.resume();
        channel.stderr.write("This server has no shell: use sftp, or scp without -O\r\n");
        channel.exit(1);
        channel.end();
      });
    }
    session.on("subsystem", (accept, reject, { name }) => {
      if (name !== "sftp" || this.#shown === undefined) {
        this.#note(`Refused subsystem "${name}": only sftp is served`);
        return reject?.();
      }
      const channel = accept?.();
      if (channel === undefined) return;
      const opened = this.#serve(channel, this.#shown);
      session.on("close", () => opened.leave());
    });
  }

  #serve(channel: ServerChannel, shown: Shown): OpenChannel {
    const { id } = channel.incoming;
    channel.on("error", () => {});
    const opened = new OpenChannel(channel, {
      mustWait: () => this.#stream.writableNeedDrain || this.#guard?.isExchanging === true,
      together: (write) => this.#stream.together(write),
      taken: () => this.#take(id),
      done: (bytes) => this.#release(id, bytes),
      holdUp: (work) => this.#holdUp(work),
    });
    this.#held.set(id, { chunks: 0, bytes: 0 });
    this.#channels.add(opened);
    const serving = this.#options.sftp(opened, { shown, clientVersion: this.#clientVersion })
      .catch((error) => this.#options.fault(error))
      .finally(() => {
        this.#take(id);
        this.#release(id, Infinity);
        this.#held.delete(id);
        this.#channels.delete(opened);
        this.#serving.delete(serving);
        // Further data has no reader.
        channel.resume();
        // OpenSSH waits for both: without a status scp reports failure, without the end sftp hangs.
        channel.exit(0);
        channel.end();
      });
    this.#serving.add(serving);
    return opened;
  }

  #wake(): void {
    for (const channel of this.#channels) channel.wake();
  }

  /** Counts a queued chunk of data. */
  #hold(id: number, bytes: number): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    held.chunks++;
    held.bytes += bytes;
    this.#waiting++;
    this.#heldBytes += bytes;
    this.#cover();
    this.#flow();
  }

  /** The chunks of a channel were joined. */
  #take(id: number): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#waiting -= held.chunks;
    held.chunks = 0;
    this.#flow();
  }

  #release(id: number, bytes: number): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    const released = Math.min(held.bytes, bytes);
    held.bytes -= released;
    this.#heldBytes -= released;
    if (this.#lease.bytes > this.#heldBytes) this.#lease.give(this.#lease.bytes - this.#heldBytes);
    else this.#cover();
    this.#flow();
  }

  /** Takes the memory of what waits, if there is enough. */
  #cover(): void {
    try {
      this.#lease.take(this.#heldBytes - this.#lease.bytes);
    } catch (error) {
      if (!(error instanceof MemoryFullError)) throw error;
    }
  }

  async #holdUp(work: Promise<void>): Promise<void> {
    this.#heldUp++;
    this.#flow();
    try {
      await work;
    } finally {
      this.#heldUp--;
      this.#flow();
    }
  }

  /** Pauses reading while too much is waiting, or nobody would take it. */
  #flow(): void {
    if (this.#isOver) return;
    const isPaused = this.#stream.isPaused();
    const most = isPaused ? MAX_WAITING_CHUNKS / 2 : MAX_WAITING_CHUNKS;
    const stops = this.#waiting > most || this.#heldUp > 0 || this.#lease.bytes < this.#heldBytes;
    if (stops && !isPaused) this.#stream.pause();
    else if (!stops && isPaused) this.#stream.resume();
  }
}
