import { ByteWriter } from "../../../core/bytes/writer.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { FtpClient } from "../ftp.ts";
import {
  type Driver,
  type FileClient,
  type Listening,
  type Name,
  Refused,
  type Seen,
  toBytes,
} from "./driver.ts";

const IDLE_MS = 10_000;
const decoder = new TextDecoder();

/** FTP in extended passive mode. */
export const ftpDriver: Driver = {
  id: "ftp",
  methods: ["getFrom", "putFrom", "mkdir", "list", "stat", "rename", "remove", "rmdir"],
  codes: {
    missing: "550",
    exists: "550",
    directory: "550",
    notEmpty: "550",
    badPath: "553",
    tooLarge: "552",
    full: "552",
  },
  makesParents: true,
  backslashSeparates: true,
  // A line end ends the command.
  canSend: (path) => !path.includes(10) && !path.includes(13),
  async open(service: Listening) {
    await using undo = new AsyncDisposableStack();
    const ftp = undo.use(await FtpClient.open(service));
    await ftp.play("TYPE I", /^200 /);
    undo.move();
    return new FtpDriverClient(ftp);
  },
};

class FtpDriverClient implements FileClient {
  readonly #ftp: FtpClient;

  constructor(ftp: FtpClient) {
    this.#ftp = ftp;
  }

  async put(path: Name, bytes: Uint8Array): Promise<void> {
    await this.#send(["STOR", path], bytes);
  }

  async putFrom(path: string, offset: number, bytes: Uint8Array): Promise<void> {
    await this.#ask(/^350 /, "REST", String(offset));
    await this.#send(["STOR", path], bytes);
  }

  async get(path: Name): Promise<Uint8Array> {
    return await this.#fetch("RETR", path);
  }

  async getFrom(path: string, offset: number): Promise<Uint8Array> {
    await this.#ask(/^350 /, "REST", String(offset));
    return await this.#fetch("RETR", path);
  }

  async abandon(path: string, bytes: Uint8Array): Promise<void> {
    await using data = await this.#ftp.data();
    await this.#ask(/^150 /, "STOR", path);
    await data.write(bytes);
    // A killed program closes its sockets in the order it opened them.
    await this.#ftp[Symbol.asyncDispose]();
  }

  async mkdir(path: Name): Promise<void> {
    await this.#ask(/^257 /, "MKD", path);
  }

  async list(path: Name): Promise<readonly string[]> {
    const rows = decoder.decode(await this.#fetch("MLSD", path)).split("\r\n").filter(Boolean);
    return rows.filter((row) => !/type=[cp]dir;/.test(row))
      .map((row) => row.slice(row.indexOf(" ") + 1)).sort();
  }

  async stat(path: Name): Promise<Seen> {
    const [, facts = ""] = await this.#ask(/^250 /, "MLST", path);
    return {
      dir: /type=dir;/.test(facts),
      size: Number(/size=(\d+);/.exec(facts)?.[1] ?? 0),
    };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#ask(/^350 /, "RNFR", from);
    await this.#ask(/^250 /, "RNTO", to);
  }

  async remove(path: string): Promise<void> {
    await this.#ask(/^250 /, "DELE", path);
  }

  async rmdir(path: string): Promise<void> {
    await this.#ask(/^250 /, "RMD", path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ftp[Symbol.asyncDispose]();
  }

  /** Sends one command and returns its reply, which must be of the expected kind. */
  async #ask(expected: RegExp, verb: string, argument: Name): Promise<readonly string[]> {
    await this.#ftp.talk.send(
      new ByteWriter().bytes(toBytes(`${verb} `)).bytes(toBytes(argument)).bytes(toBytes("\r\n"))
        .take(),
    );
    return await this.#reply(expected);
  }

  async #reply(expected: RegExp): Promise<readonly string[]> {
    const reply = await this.#ftp.reply();
    const last = reply.at(-1) ?? "(end)";
    if (!expected.test(last)) throw new Refused(last.slice(0, 3), last);
    return reply;
  }

  async #send([verb, path]: readonly [string, Name], bytes: Uint8Array): Promise<void> {
    {
      await using data = await this.#ftp.data();
      await this.#ask(/^150 /, verb, path);
      await writeUntilCut(data, bytes);
    }
    await this.#reply(/^226 /);
  }

  async #fetch(verb: string, path: Name): Promise<Uint8Array> {
    await using data = await this.#ftp.data();
    await this.#ask(/^150 /, verb, path);
    const got = new ByteWriter();
    for (let part; (part = await data.read({ idleMs: IDLE_MS })) !== undefined;) got.bytes(part);
    await this.#reply(/^226 /);
    return got.take();
  }
}

/**
 * A server that refuses more data closes the data connection, and gives the reason on the control
 * connection.
 */
async function writeUntilCut(data: Transport, bytes: Uint8Array): Promise<void> {
  try {
    await data.write(bytes);
  } catch {
    // The reply tells.
  }
}
