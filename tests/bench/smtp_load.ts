/**
 * Sends messages as fast as they are accepted, in a separate process: reads a `SmtpLoad` as JSON from standard input,
 * prints an `SmtpRate`. Each connection pipelines envelope commands, as RFC 2920 allows.
 *
 * @module
 */

/** A message to repeat. */
export interface SmtpLoad {
  readonly port: number;
  readonly connections: number;
  /** Ends after this time. */
  readonly seconds: number;
  /** Ends after this many messages, if that is earlier. */
  readonly count?: number;
  /** Message data with doubled dots and the final line. */
  readonly data: string;
}

/** Number of accepted messages. */
export interface SmtpRate {
  readonly sent: number;
  readonly perSecond: number;
}

const encoder = new TextEncoder();
const ENVELOPE = encoder.encode(
  "MAIL FROM:<shop@example.com>\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n",
);
const LF = 0x0a;
const HYPHEN = 0x2d;

/** Counts the final lines of replies; fails on a refusal. */
class Replies {
  readonly #conn: Deno.TcpConn;
  readonly #buffer = new Uint8Array(16_384);
  #ready = 0;
  #column = 0;
  #first = 0;
  #fourth = 0;

  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
  }

  async wait(count: number): Promise<void> {
    while (this.#ready < count) {
      const read = await this.#conn.read(this.#buffer);
      if (read === null) throw new Error("Waited for a reply: the server hung up");
      for (let i = 0; i < read; i++) this.#take(this.#buffer[i]!);
    }
    this.#ready -= count;
  }

  #take(byte: number): void {
    if (byte === LF) {
      if (this.#first >= 0x34) throw new Error("Sent a message: it was refused");
      if (this.#fourth !== HYPHEN) this.#ready++;
      this.#column = 0;
      return;
    }
    if (this.#column === 0) this.#first = byte;
    if (this.#column === 3) this.#fourth = byte;
    this.#column++;
  }
}

/** What is left of a load, for all connections together. */
interface Budget {
  messages: number;
  readonly endMs: number;
}

async function hold(load: SmtpLoad, budget: Budget): Promise<number> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port: load.port });
  conn.setNoDelay(true);
  const replies = new Replies(conn);
  const data = encoder.encode(load.data);
  await replies.wait(1);
  await write(conn, encoder.encode("EHLO bench.example\r\n"));
  await replies.wait(1);
  let sent = 0;
  while (performance.now() < budget.endMs && budget.messages-- > 0) {
    await write(conn, ENVELOPE);
    await replies.wait(3);
    await write(conn, data);
    await replies.wait(1);
    sent++;
  }
  return sent;
}

async function write(conn: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let left = bytes; left.length > 0;) left = left.subarray(await conn.write(left));
}

if (import.meta.main) {
  const load = JSON.parse(await new Response(Deno.stdin.readable).text()) as SmtpLoad;
  const startMs = performance.now();
  const budget = { messages: load.count ?? Infinity, endMs: startMs + load.seconds * 1000 };
  const sent = await Promise.all(
    Array.from({ length: load.connections }, () => hold(load, budget)),
  );
  const total = sent.reduce((sum, count) => sum + count, 0);
  const perSecond = total / ((performance.now() - startMs) / 1000);
  const sentAll: SmtpRate = { sent: total, perSecond };
  console.log(JSON.stringify(sentAll));
}
