/** Record of application data; within TLS 1.3 everything after the two hellos is one: RFC 8446 section 5.1. */
const APPLICATION_DATA = 23;
const HEADER_BYTES = 5;

/**
 * Holds back the session tickets that a TLS 1.3 server sends after its handshake (RFC 8446 section 4.6.1) until the
 * session itself sends data. A client that only sends, and closes without reading them, as curl may in an FTP upload,
 * makes its system reset the connection and drop unsent data.
 */
export class TicketHold {
  readonly #received = new Records();
  readonly #sent = new Records();
  readonly #held: Uint8Array[] = [];
  #state: "handshake" | "armed" | "holding" | "released" = "handshake";

  /** Inspects bytes of the client: its handshake ends with its first record of application data. */
  receive(bytes: Uint8Array): void {
    if (this.#state !== "handshake") return;
    if (this.#received.find(APPLICATION_DATA, bytes) < bytes.length) this.#state = "armed";
  }

  /** Returns the bytes of the server that may pass; holds the rest. */
  send(bytes: Uint8Array): Uint8Array {
    if (this.#state === "released") return bytes;
    // Always read to the end: a record may continue in the next chunk.
    const at = this.#sent.find(this.#state === "armed" ? APPLICATION_DATA : undefined, bytes);
    if (this.#state !== "holding" && at === bytes.length) return bytes;
    const from = this.#state === "holding" ? 0 : at;
    this.#state = "holding";
    this.#held.push(bytes.slice(from));
    return bytes.subarray(0, from);
  }

  /** Returns the held bytes, and holds nothing from now on. */
  release(): readonly Uint8Array[] {
    this.#state = "released";
    return this.#held.splice(0);
  }
}

/** Parses the records of one direction: type, two bytes of version, two of length. */
class Records {
  #header = 0;
  #length = 0;
  #left = 0;

  /** Returns the start of the first record of a type in these bytes, or their length. */
  find(type: number | undefined, bytes: Uint8Array): number {
    let found = bytes.length;
    for (let at = 0; at < bytes.length;) {
      if (this.#left > 0) {
        const count = Math.min(this.#left, bytes.length - at);
        this.#left -= count;
        at += count;
        continue;
      }
      if (this.#header === 0 && bytes[at] === type) found = Math.min(found, at);
      if (this.#header >= 3) this.#length = this.#length << 8 | bytes[at]!;
      at++;
      if (++this.#header === HEADER_BYTES) {
        this.#left = this.#length;
        this.#header = this.#length = 0;
      }
    }
    return found;
  }
}
