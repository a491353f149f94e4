import { assertMatch } from "@std/assert";
import { createNet } from "../../core/net/net.ts";
import type { Transport } from "../../core/net/transport.ts";
import { Dialogue } from "./dialogue.ts";

const net = createNet({ tls: { certificate: () => Promise.reject(new Error("No TLS here")) } });

/** A client on a real socket, logged in. */
export class FtpClient implements AsyncDisposable {
  readonly #wire: Transport;
  readonly talk: Dialogue;

  constructor(wire: Transport) {
    this.#wire = wire;
    this.talk = new Dialogue(wire);
  }

  /** Address of this end of the connection, as `host:port`. */
  get local(): string {
    return this.#wire.local;
  }

  static async open(
    service: { endpoint(provider: string): { readonly port: number } },
    login = true,
  ): Promise<FtpClient> {
    const { port } = service.endpoint("ftp");
    const wire = await net.connectTcp({ hostname: "127.0.0.1", port, idleMs: 5000 });
    await using undo = new AsyncDisposableStack();
    const client = undo.use(new FtpClient(wire));
    await client.talk.play([["<", /^220 /]]);
    if (login) await client.play("USER ada", /^331 /, "PASS x", /^230 /);
    undo.move();
    return client;
  }

  /** Commands, each with the last line of its response. */
  async play(...script: readonly (string | RegExp)[]): Promise<void> {
    for (const step of script) {
      if (typeof step === "string") await this.talk.send(`${step}\r\n`);
      else assertMatch((await this.reply()).at(-1) ?? "(end)", step);
    }
  }

  async ask(command: string): Promise<readonly string[]> {
    await this.talk.send(`${command}\r\n`);
    return await this.reply();
  }

  /** All lines of one reply: those between its first and last line have no code. */
  async reply(): Promise<readonly string[]> {
    const lines: string[] = [];
    for (let line; (line = await this.talk.line()) !== undefined;) {
      lines.push(line);
      if (/^\d{3} /.test(line)) break;
    }
    return lines;
  }

  /** Opens a data connection in extended passive mode. */
  async data(): Promise<Transport> {
    const port = Number(/\|\|\|(\d+)\|/.exec((await this.ask("EPSV"))[0] ?? "")?.[1]);
    return await net.connectTcp({ hostname: "127.0.0.1", port, idleMs: 5000 });
  }

  /** Sends a file and gives the last reply. */
  async put(command: string, bytes: Uint8Array): Promise<string> {
    {
      await using data = await this.data();
      await this.play(command, /^150 /);
      await data.write(bytes);
    }
    return (await this.reply()).at(-1) ?? "";
  }

  /** Fetches what a command sends. */
  async get(command: string): Promise<string> {
    await using data = await this.data();
    await this.play(command, /^150 /);
    let text = "";
    for (let chunk; (chunk = await data.read({ idleMs: 5000 })) !== undefined;) {
      text += new TextDecoder().decode(chunk);
    }
    await this.play(/^226 /);
    return text;
  }

  abort(): void {
    this.#wire.abort?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
  }
}
