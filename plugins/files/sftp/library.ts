/**
 * The only file that reaches into the SSH library, whose version is pinned for it. Its public interface has no hook
 * for incoming packets, never closes its ciphers and cannot give a reason with DISCONNECT.
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
  Protocol,
} from "ssh2";
import { ChaChaDecipher, fixCipher } from "./chacha.ts";
import { encodeDisconnect } from "./codec/disconnect.ts";
import { MESSAGE, PacketGuard, type SeenChannel } from "./guard.ts";

/** Who hears what a guard finds. */
export interface PacketListener {
  /** Bytes of the connection so far, both ways. */
  moved(): number;
  /** A request that was refused; the connection goes on. */
  refused(note: string): void;
  /** The connection has to end. */
  ended(reason: string): void;
  /** Data for a channel that is read. */
  received(channel: number): void;
  /** Keys are exchanged, for the first time or again. */
  exchanging(): void;
}

/** What the library's decipher takes for "read no further". */
const READ_NO_FURTHER = Infinity;

/** Has each packet of a connection looked at before the library acts on it, and ends the ciphers it is done with. */
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
        listener.received(new DataView(payload.buffer, payload.byteOffset).getUint32(1));
      }
      return "pass";
    }
    // Whatever comes shows that the client is there.
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
    return made;
  });
  return guard;
}

function isChaChaCipher(cipher: Cipher): cipher is ChaChaPolyCipher {
  return "_encKeyMain" in cipher;
}

function isChaChaDecipher(decipher: Decipher): decipher is ChaChaPolyDecipher {
  return "_decKeyMain" in decipher;
}

/** Replaces the value of a property by what `instead` returns for it, now and whenever the library sets it. */
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
  // At a key exchange the library puts another handler in place.
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

/** The library lets go of its ciphers without ending them, and the platform keeps those until they are ended. */
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
    // It was in the middle of a block, or ended before.
  }
}
