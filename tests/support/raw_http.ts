import type { NewRejected } from "../../core/events/journal.ts";
import type { HttpCall, HttpHandler } from "../../core/http/call.ts";
import { readBody } from "../../core/http/server/body/body.ts";
import { type HttpServerOptions, openHttpServer } from "../../core/http/server/server.ts";
import { createLogger } from "../../core/log.ts";
import type { Server } from "../../core/net/server.ts";

/** A server with a handler that reports its calls. */
export interface Front extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly calls: HttpCall[];
  readonly refused: NewRejected[];
  /** Logged errors. */
  readonly faults: string[];
  readonly server: Server;
}

/** Response of the reporting handler. */
export interface Told {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly peer: string;
  readonly body: string;
  readonly rawHeaders: HttpCall["rawHeaders"];
}

/** Opens a server on a free port. */
export async function openFront(
  options: Partial<Omit<HttpServerOptions, "handler">> & { handler?: HttpHandler } = {},
): Promise<Front> {
  const calls: HttpCall[] = [];
  const refused: NewRejected[] = [];
  const faults: string[] = [];
  const handler = options.handler ?? tell;
  const server = await openHttpServer({
    hostname: "127.0.0.1",
    port: 0,
    h2c: true,
    onRefused: (record) => refused.push({ ...record, raw: record.raw.slice() }),
    log: createLogger({ level: "warn", write: (line) => faults.push(line), now: () => new Date() }),
    ...options,
    handler(call) {
      calls.push(call);
      return handler(call);
    },
  });
  return {
    port: server.port,
    url: `http://127.0.0.1:${server.port}`,
    calls,
    refused,
    faults,
    server,
    [Symbol.asyncDispose]: () => server.stop({ graceMs: 1000 }),
  };
}

/** Opens a server that answers each request with its target, but nothing before `release`. */
export async function openHeldFront(
  options: Partial<Omit<HttpServerOptions, "handler">> = {},
): Promise<Front & { release(): void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const front = await openFront({
    ...options,
    async handler({ target }) {
      await released;
      return new Response(target);
    },
  });
  return { ...front, release };
}

/** Reads the body and answers with a report. */
export async function tell(call: HttpCall): Promise<Response> {
  const body = await readBody(call, { maxBytes: 64 * 1024 * 1024 });
  const told: Told = {
    method: call.method,
    target: call.target,
    version: call.version,
    peer: call.peer,
    body: body.length > 1000 ? `${body.length} bytes` : new TextDecoder().decode(body),
    rawHeaders: call.rawHeaders,
  };
  return Response.json(told);
}

/** One raw response. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** An HTTP/1 client that sends the given bytes, in the given chunks. */
export class RawClient implements Disposable {
  readonly #conn: Deno.Conn<Deno.NetAddr>;
  #text = "";

  constructor(conn: Deno.Conn<Deno.NetAddr>) {
    this.#conn = conn;
  }

  static async connect(port: number): Promise<RawClient> {
    return new RawClient(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  get local(): string {
    return `127.0.0.1:${this.#conn.localAddr.port}`;
  }

  /** Latin-1, one byte per character. */
  async send(text: string): Promise<void> {
    await this.sendBytes(Uint8Array.from(text, (char) => char.charCodeAt(0)));
  }

  async sendBytes(bytes: Uint8Array): Promise<void> {
    for (let left = bytes; left.length > 0;) left = left.subarray(await this.#conn.write(left));
  }

  async end(): Promise<void> {
    await this.#conn.closeWrite();
  }

  /** The next response, by its Content-Length. */
  async answer(): Promise<RawAnswer> {
    await this.#fill(() => this.#text.includes("\r\n\r\n"));
    const end = this.#text.indexOf("\r\n\r\n") + 4;
    const head = this.#text.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    await this.#fill(() => this.#text.length >= end + length);
    const body = this.#text.slice(end, end + length);
    this.#text = this.#text.slice(end + length);
    return { status: Number(head.split(" ")[1]), head, body };
  }

  /** The next response of the reporting handler. */
  async told(): Promise<Told> {
    return JSON.parse((await this.answer()).body);
  }

  /** Everything before the end of the stream; a reset counts as an end. */
  async rest(): Promise<string> {
    try {
      await this.#fill(() => false);
    } catch {
      // Ended in some way.
    }
    const text = this.#text;
    this.#text = "";
    return text;
  }

  async #fill(done: () => boolean): Promise<void> {
    const buffer = new Uint8Array(65_536);
    while (!done()) {
      const count = await this.#conn.read(buffer);
      if (count === null) throw new Error(`Ended after ${JSON.stringify(this.#text)}`);
      this.#text += new TextDecoder().decode(buffer.subarray(0, count));
    }
  }

  [Symbol.dispose](): void {
    this.#conn.close();
  }
}
