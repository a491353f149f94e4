/**
 * Building blocks of floods: connections that write until they are refused, and then restart.
 *
 * @module
 */
import { closeQuietly } from "../../core/net/socket.ts";
import { listening, type Program } from "./program.ts";

/** The target of a flood, and its duration. */
export interface Flooded {
  readonly program: Pick<Program, "urls">;
  readonly ms: number;
  /** Its `memory_limit`, in bytes. */
  readonly limitBytes: number;
  /** Port of SMTP with TLS from the first byte, if it has one. */
  readonly smtpsPort?: number;
}

/** Sends until the time is up. */
export type Flood = (flooded: Flooded) => Promise<void>;

/** A million bytes. */
export const MB = 1_000_000;
const encoder = new TextEncoder();

/** Port of a provider, of the ingress, or `smtps`. */
export async function portOf(
  { program, smtpsPort }: Flooded,
  provider: string,
): Promise<number> {
  if (provider === "smtps") {
    if (smtpsPort === undefined) throw new Error("The program has no tls_port");
    return smtpsPort;
  }
  if (provider === "ingress" || provider === "ui") {
    return Number(new URL(program.urls[provider]!).port);
  }
  return (await listening(program)).endpoint(provider).port;
}

/** A connection that writes until it is refused or the time is up, and reads everything. */
export class Sender implements Disposable {
  readonly #conn: Deno.Conn;
  readonly #timer: ReturnType<typeof setTimeout>;
  /** The last bytes received, as Latin-1. */
  said = "";
  #waiting: (() => void) | undefined;
  #ended = false;

  constructor(conn: Deno.Conn, { reads, ms }: { reads: boolean; ms: number }) {
    this.#conn = conn;
    this.#timer = setTimeout(() => closeQuietly(conn), ms);
    if (reads) this.#read();
  }

  /** Resolves once the system accepted it. Rejects at the end of the connection. */
  async send(bytes: Uint8Array | string): Promise<void> {
    let left = typeof bytes === "string" ? encoder.encode(bytes) : bytes;
    while (left.length > 0) left = left.subarray(await this.#conn.write(left));
  }

  /** Resolves once the input matches, and drops it. Rejects if the other side ends first. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.said);
      if (found !== null) {
        this.said = this.said.slice(found.index + found[0].length);
        return found[0];
      }
      if (this.#ended) throw new Error("The other side ended");
      await new Promise<void>((resolve) => this.#waiting = resolve);
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    closeQuietly(this.#conn);
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(16_384);
    try {
      for (let count; (count = await this.#conn.read(buffer)) !== null;) {
        this.said = (this.said + String.fromCharCode(...buffer.subarray(0, count))).slice(-4096);
        this.#waiting?.();
      }
    } catch {
      // Closed, by either side.
    }
    this.#ended = true;
    this.#waiting?.();
  }
}

/** Runs `connections` conversations, each restarted when it ends, until the time is up. */
export async function hold(
  { connections, port, reads = true, caCerts, upgrade = (conn) => Promise.resolve(conn) }: {
    connections: number;
    port: number;
    reads?: boolean;
    /** Trusted; the connections are made over TLS. */
    caCerts?: string[];
    /** Starts TLS on a connection without it. */
    upgrade?: (conn: Deno.TcpConn) => Promise<Deno.Conn>;
  },
  { ms }: Flooded,
  talk: (sender: Sender, number: number) => Promise<void>,
): Promise<void> {
  const endMs = performance.now() + ms;
  await Promise.all(Array.from({ length: connections }, async (_, number) => {
    for (let leftMs; (leftMs = endMs - performance.now()) > 0;) {
      try {
        const conn = caCerts === undefined
          ? await upgrade(await Deno.connect({ hostname: "127.0.0.1", port }))
          : await Deno.connectTls({ hostname: "localhost", port, caCerts });
        using sender = new Sender(conn, { reads, ms: leftMs });
        await talk(sender, number);
      } catch {
        // Refused in some way; retries a moment later.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }));
}

/**
 * About the largest accepted size: bodies that could never be answered within the limit are refused
 * at once.
 */
export function largest({ limitBytes }: Flooded, mostBytes: number): number {
  return Math.min(Math.floor(limitBytes / 8.5), mostBytes);
}
