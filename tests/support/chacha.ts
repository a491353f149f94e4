/** Both ends of the encryption with chacha20-poly1305@openssh.com, without a connection. */
import { concat } from "../../core/bytes/concat.ts";
import { ChaChaDecipher, fixCipher } from "../../plugins/files/sftp/chacha.ts";

/** Returns this many bytes of varied values. */
export function noise(size: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i * 31 + seed * 17) % 251);
}

/** Both ends, with the same keys, as created by the SSH library. */
export function ends() {
  const [main, length] = [noise(32, 1), noise(32, 2)];
  const sent: Uint8Array[] = [];
  const got: Uint8Array[] = [];
  const cipher = {
    outSeqno: 2 ** 32 - 2,
    _dead: false,
    _encKeyMain: main,
    _encKeyPktLen: length,
    _onWrite: (bytes: Uint8Array) => void sent.push(bytes.slice()),
    allocPacket(payloadBytes: number) {
      let padding = 8 - (1 + payloadBytes) % 8;
      if (padding < 4) padding += 8;
      const packet = new Uint8Array(5 + payloadBytes + padding);
      new DataView(packet.buffer).setUint32(0, packet.length - 4);
      packet[4] = padding;
      return packet;
    },
    encrypt: (_packet: Uint8Array): void => {},
  };
  fixCipher(cipher);
  const decipher = new ChaChaDecipher({
    inSeqno: 2 ** 32 - 2,
    _onPayload: (payload) => void got.push(new Uint8Array(payload)),
    _decKeyMain: main,
    _decKeyPktLen: length,
  });
  const send = (payload: Uint8Array): Uint8Array => {
    const packet = cipher.allocPacket(payload.length);
    packet.set(payload, 5);
    cipher.encrypt(packet);
    return concat(sent.splice(0));
  };
  return { send, decipher, got };
}
