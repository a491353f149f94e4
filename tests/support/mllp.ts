/** An MLLP client for tests, which sends raw bytes and reads responses frame by frame. */
export class MllpClient implements Disposable {
  readonly #conn: Deno.TcpConn;
  #unread = new Uint8Array();

  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
  }

  /** Connects to a listener. */
  static async open({ hostname, port }: { hostname: string; port: number }): Promise<MllpClient> {
    const conn = await Deno.connect({ hostname, port });
    conn.setNoDelay(true);
    return new MllpClient(conn);
  }

  /** Sends bytes, or text as UTF-8, without adding a frame. */
  async send(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    for (let left = bytes; left.length > 0;) left = left.subarray(await this.#conn.write(left));
  }

  /** Sends a message in its frame. */
  async sendMessage(message: string | Uint8Array): Promise<void> {
    const bytes = typeof message === "string" ? new TextEncoder().encode(message) : message;
    await this.send(Uint8Array.of(0x0b, ...bytes, 0x1c, 0x0d));
  }

  /**
   * Returns the next response without its frame; `undefined` if the connection ends first. Fails on
   * unframed bytes.
   */
  async answer(): Promise<string | undefined> {
    const buffer = new Uint8Array(65_536);
    for (;;) {
      const end = this.#unread.indexOf(0x1c);
      if (end >= 0 && this.#unread.length > end + 1) {
        if (this.#unread[0] !== 0x0b || this.#unread[end + 1] !== 0x0d) {
          throw new Error(`Expected a frame, got ${this.#unread.toHex()}`);
        }
        const text = new TextDecoder().decode(this.#unread.subarray(1, end));
        this.#unread = this.#unread.slice(end + 2);
        return text;
      }
      const count = await this.#conn.read(buffer).catch(() => null);
      if (count === null) return undefined;
      const whole = new Uint8Array(this.#unread.length + count);
      whole.set(this.#unread);
      whole.set(buffer.subarray(0, count), this.#unread.length);
      this.#unread = whole;
    }
  }

  /** Ends the sending side. */
  async closeWrite(): Promise<void> {
    await this.#conn.closeWrite();
  }

  [Symbol.dispose](): void {
    this.#conn.close();
  }
}
