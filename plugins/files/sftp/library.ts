/**
 * The only file that uses internals of the SSH library, whose version is pinned for it. Its public interface has no
 * hook for incoming packets, never closes its ciphers and cannot give a reason with DISCONNECT.
 *
 * @module
 */
// @ts-types="./ssh2.d.ts"
import type {
  ChaChaPolyCipher,
  ChaChaPolyDecipher,
  Cipher,
  Connection,
  Decipher,
  GcmCipher,
  Protocol,
} from "ssh2";
import { ChaChaDecipher, fixCipher } from "./chacha.ts";
import { fixGcmCipher } from "./gcm.ts";
import { encodeDisconnect } from "./codec/disconnect.ts";
import { MESSAGE, PacketGuard, type SeenChannel } from "./guard.ts";

/** Callbacks of a guard. */
export interface PacketListener {
  /** Bytes of the connection so far, in both directions. */
  moved(): number;
  /** A request was refused; the connection continues. */
  refused(note: string): void;
  /** The connection must end. */
  ended(reason: string): void;
  /** This many bytes of data arrived for a channel with a reader. */
  received(channel: number, bytes: number): void;
  /** A key exchange starts, the first or a later one. */
  exchanging(): void;
  /** These bytes will be sent, but are not known before the promise resolves. */
  later(bytes: Uint8Array<ArrayBuffer>, filled: Promise<void>): void;
}

/** Return value with which a packet handler stops the library's decipher. */
const READ_NO_FURTHER = Infinity;

/** Checks each packet of a connection before the library handles it, and closes the ciphers it no longer uses. */
export function guardPackets(connection: Connection, listener: PacketListener): PacketGuard {
  const { _protocol: protocol, _chanMgr: channels } = connection;
  const guard = new PacketGuard({
    isAuthenticated: () => connection.authenticated,
    channel: (id) => seen(connection, id),
    channels: () => channels._count,
    forget: (id) => channels.remove(id),
    isKnown: (id) => id <= channels._cur,
    moved: () => listener.moved(),
    now: () => performance.now(),
  });
  const take = (payload: Uint8Array): "pass" | "drop" | "end" => {
    const verdict = guard.judge(payload, (protocol._decipher.inSeqno - 1) >>> 0);
    if (verdict === "pass") {
      if (payload[0] === MESSAGE.kexInit) listener.exchanging();
      if (payload[0] === MESSAGE.channelData) {
        const view = new DataView(payload.buffer, payload.byteOffset);
        listener.received(view.getUint32(1), view.getUint32(5));
      }
      return "pass";
    }
    // Any packet shows that the client is alive.
    protocol._onPacket();
    if (verdict === "drop") return "drop";
    if ("end" in verdict) {
      listener.ended(verdict.end);
      return "end";
    }
    if (verdict.note !== undefined) listener.refused(verdict.note);
    send(protocol, verdict.answer);
    return "drop";
  };
  replace(protocol, "_decipher", (made, former) => {
    finish(former?._decipherInstance);
    const decipher = isChaChaDecipher(made) ? new ChaChaDecipher(made) : made;
    intercept(decipher, take);
    return decipher;
  });
  replace(protocol, "_cipher", (made, former) => {
    finish(former?._cipherInstance);
    if (isChaChaCipher(made)) fixCipher(made);
    else if (isGcmCipher(made)) {
      fixGcmCipher(made, (bytes, filled) => listener.later(bytes, filled));
    }
    return made;
  });
  return guard;
}

function isChaChaCipher(cipher: Cipher): cipher is ChaChaPolyCipher {
  return "_encKeyMain" in cipher;
}

function isGcmCipher(cipher: Cipher): cipher is GcmCipher {
  return "_encIV" in cipher;
}

function isChaChaDecipher(decipher: Decipher): decipher is ChaChaPolyDecipher {
  return "_decKeyMain" in decipher;
}

/** Replaces the value of a property with the result of `instead`, now and whenever the library sets it. */
function replace<K extends "_cipher" | "_decipher">(
  protocol: Protocol,
  name: K,
  instead: (value: Protocol[K], former?: Protocol[K]) => Protocol[K],
): void {
  let value = instead(protocol[name]);
  Object.defineProperty(protocol, name, {
    configurable: true,
    get: () => value,
    set(next: Protocol[K]) {
      value = instead(next, value);
    },
  });
}

function intercept(decipher: Decipher, take: (payload: Uint8Array) => string): void {
  let handle = decipher._onPayload;
  const guarded = (payload: Uint8Array): unknown => {
    const taken = payload.length === 0 ? "pass" : take(payload);
    if (taken === "pass") return handle(payload);
    return taken === "drop" ? undefined : READ_NO_FURTHER;
  };
  // The library changes the handler at a key exchange.
  Object.defineProperty(decipher, "_onPayload", {
    get: () => guarded,
    set: (next: Decipher["_onPayload"]) => handle = next,
  });
}

function seen(connection: Connection, id: number): SeenChannel | undefined {
  if (id > connection._chanMgr._cur) return undefined;
  const session = connection._chanMgr.get(id);
  if (typeof session !== "object") return undefined;
  const { incoming, outgoing } = session._chanInfo;
  const isRead = session._channel !== undefined;
  return { remote: outgoing.id, incoming, outgoing, isRead, isTaken: isRead || session._ending };
}

/** Sends a payload at once, also during a key exchange. */
function send(protocol: Protocol, payload: Uint8Array): void {
  const packet = protocol._cipher.allocPacket(payload.length);
  packet.set(payload, 5);
  protocol._cipher.encrypt(packet);
}

/** Tells the client why its connection ends: RFC 4253 section 11.1. */
export function sendDisconnect(connection: Connection, code: number, reason: string): void {
  send(connection._protocol, encodeDisconnect(code, reason));
}

/** The library drops its ciphers without closing them, and the platform keeps them until they are closed. */
export function closeCiphers(
  connection: { readonly _protocol?: Pick<Protocol, "_cipher" | "_decipher"> } | undefined,
): void {
  const { _cipher: cipher, _decipher: decipher } = connection?._protocol ?? {};
  finish(cipher?._cipherInstance);
  finish(decipher?._decipherInstance);
}

function finish(instance: Decipher["_decipherInstance"]): void {
  try {
    instance?.final();
  } catch {
    // It was in the middle of a block, or closed before.
  }
}
