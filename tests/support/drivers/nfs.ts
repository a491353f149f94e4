import { dirOp, NfsClient, NfsRefusal, UNSTABLE } from "../nfs.ts";
import {
  type Driver,
  type FileClient,
  type Listening,
  type Name,
  Refused,
  type Seen,
  toBytes,
} from "./driver.ts";

/** Bytes of one READ or WRITE. */
const PIECE = 1024 * 1024;
const SLASH = 0x2f;

/** NFS version 3. A file is complete once its client has committed it and disconnected. */
export const nfsDriver: Driver = {
  id: "nfs",
  methods: ["getFrom", "putFrom", "mkdir", "list", "stat", "rename", "remove", "rmdir"],
  settings: { settle_ms: 60_000, abandon_timeout: 1 },
  codes: {
    missing: "NOENT",
    exists: "EXIST",
    directory: "ISDIR",
    notEmpty: "NOTEMPTY",
    badPath: "INVAL",
    tooLarge: "FBIG",
    full: "NOSPC",
  },
  makesParents: false,
  createsFirst: true,
  backslashSeparates: false,
  canSend: () => true,
  async open(service: Listening) {
    return new NfsDriverClient(service, await NfsClient.open(service));
  },
};

class NfsDriverClient implements FileClient {
  readonly #service: Listening;
  readonly #client: NfsClient;

  constructor(service: Listening, client: NfsClient) {
    this.#service = service;
    this.#client = client;
  }

  async put(path: Name, bytes: Uint8Array): Promise<void> {
    await told(this.#upload(path, (client, file) => send(client, file, { bytes })));
  }

  async putFrom(path: string, offset: number, bytes: Uint8Array): Promise<void> {
    const size = offset;
    await told(this.#upload(path, (client, file) => send(client, file, { bytes, offset }), size));
  }

  get(path: Name): Promise<Uint8Array> {
    return this.getFrom(path, 0);
  }

  async getFrom(path: Name, offset: number): Promise<Uint8Array> {
    const file = await told(this.#find(path));
    const { size } = await told(this.#client.getattr(file));
    const got = new Uint8Array(Math.max(0, size - offset));
    for (let at = 0, eof = false; !eof;) {
      const page = await told(this.#client.read(file, offset + at, PIECE));
      got.set(page.bytes, at);
      at += page.bytes.length;
      eof = page.eof;
    }
    return got;
  }

  async abandon(path: string, bytes: Uint8Array): Promise<void> {
    const { dir, name } = await this.#place(path);
    const file = await this.#client.create(dir, name, { size: 0 });
    await this.#client.writeTo(file, bytes, { stable: UNSTABLE });
    this.#client.abort();
    await this.#client.ended;
  }

  async mkdir(path: Name): Promise<void> {
    const { dir, name } = await told(this.#place(path));
    await told(this.#client.mkdir(dir, name));
  }

  async list(path: Name): Promise<readonly string[]> {
    const dir = await told(this.#find(path));
    const names: string[] = [];
    for (let cookie = 0, eof = false; !eof;) {
      const page = await told(this.#client.readdir(dir, { cookie }));
      names.push(...page.entries.map(({ name }) => name));
      cookie = page.entries.at(-1)?.cookie ?? cookie;
      eof = page.eof;
    }
    return names.filter((name) => name !== "." && name !== "..").sort();
  }

  async stat(path: Name): Promise<Seen> {
    const { dir, size } = await told(this.#client.getattr(await told(this.#find(path))));
    return { dir, size };
  }

  async rename(from: string, to: string): Promise<void> {
    const [source, target] = [await told(this.#place(from)), await told(this.#place(to))];
    const args = dirOp(target.dir, target.name, dirOp(source.dir, source.name));
    await told(this.#client.nfs("RENAME", args));
  }

  async remove(path: string): Promise<void> {
    const { dir, name } = await told(this.#place(path));
    await told(this.#client.nfs("REMOVE", dirOp(dir, name)));
  }

  async rmdir(path: string): Promise<void> {
    const { dir, name } = await told(this.#place(path));
    await told(this.#client.nfs("RMDIR", dirOp(dir, name)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  /** Writes with a separate client: when it disconnects, the upload is complete. */
  async #upload(
    path: Name,
    write: (client: NfsClient, file: Uint8Array) => Promise<void>,
    size = 0,
  ): Promise<void> {
    await using client = await NfsClient.open(this.#service, { machine: crypto.randomUUID() });
    const { dir, name } = await this.#place(path);
    await write(client, await client.create(dir, name, { size }));
  }

  async #find(path: Name): Promise<Uint8Array> {
    let handle = await this.#client.mount();
    for (const name of namesOf(path)) handle = await this.#client.lookup(handle, name);
    return handle;
  }

  async #place(path: Name): Promise<{ dir: Uint8Array; name: Uint8Array }> {
    const names = namesOf(path);
    let dir = await this.#client.mount();
    for (const name of names.slice(0, -1)) dir = await this.#client.lookup(dir, name);
    return { dir, name: names.at(-1) ?? new Uint8Array() };
  }
}

async function send(
  client: NfsClient,
  file: Uint8Array,
  { bytes, offset = 0 }: { bytes: Uint8Array; offset?: number },
): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    const chunk = bytes.subarray(at, at + PIECE);
    await client.writeTo(file, chunk, { at: offset + at, stable: UNSTABLE });
  }
  await client.commit(file);
}

function namesOf(path: Name): Uint8Array[] {
  const names: number[][] = [[]];
  for (const byte of toBytes(path)) {
    if (byte === SLASH) names.push([]);
    else names.at(-1)!.push(byte);
  }
  return names.filter(({ length }) => length > 0).map((name) => Uint8Array.from(name));
}

/** A refusal in the words of the suite, which has one word for invalid and for overlong names. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NfsRefusal)) throw error;
    throw new Refused(error.status === "NAMETOOLONG" ? "INVAL" : error.status, error.message);
  }
}
