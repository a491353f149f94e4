import { assertEquals, assertMatch } from "@std/assert";
import { MemoryBlobStore } from "../../../core/blobs/memory.ts";
import { ByteReader } from "../../../core/bytes/reader.ts";
import { ByteWriter } from "../../../core/bytes/writer.ts";
import type { FileOperation } from "../model.ts";
import { Tree } from "../vfs/tree.ts";
import { Vfs } from "../vfs/vfs.ts";
import { PacketDecoder } from "./codec/packet.ts";
import { type Channel, serveSftp } from "./session.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const now = () => new Date(1_700_000_000_000);

/** A tree with its events and refusals. */
function world({ storeBytes = 1e8 } = {}) {
  let last = 0;
  const blobs = new MemoryBlobStore({
    maxBytes: storeBytes,
    nextId: () => `b${++last}`,
    onDrop: () => {},
  });
  const vfs = new Vfs(new Tree({ journal: { commit() {} }, nowMs: 0 }), { blobs, now });
  const happened: string[] = [];
  const refused: string[] = [];
  const faults: unknown[] = [];
  const serve = (channel: Channel, options = {}) =>
    serveSftp(channel, {
      vfs,
      actor: {
        provider: "sftp",
        transport: "ssh",
        capture: ({ payload }) => happened.push(show(payload)),
      },
      refuse: ({ reason }) => refused.push(reason),
      fault: (error) => faults.push(error),
      now,
    }, options);
  return { vfs, happened, refused, faults, serve };
}

function show({ operation, path, old_path: from }: FileOperation): string {
  return `${operation} ${from === undefined ? "" : `${from} `}${path}`;
}

/** A client of an in-memory session. */
class Client {
  readonly #queue: Uint8Array[] = [];
  readonly #answers = new PacketDecoder();
  readonly #got: Uint8Array[] = [];
  #wake = Promise.withResolvers<void>();
  #ended = false;
  #id = 0;
  readonly channel: Channel;

  constructor() {
    this.channel = {
      isGone: false,
      holdUp: (work) => work,
      chunks: () => this.#chunks(),
      write: (bytes) => {
        for (const packet of this.#answers.push(bytes)) this.#got.push(packet);
        this.#poke();
        return Promise.resolve();
      },
    };
  }

  /** Sends a request; returns type and body of its response. */
  async ask(
    code: number,
    ...fields: readonly (string | number | Uint8Array)[]
  ): Promise<ByteReader> {
    const writer = new ByteWriter().u8(code).u32(++this.#id);
    for (const field of fields) {
      if (typeof field === "number") writer.u32(field);
      else writer.block(typeof field === "string" ? text(field) : field);
    }
    this.#queue.push(new ByteWriter().block(writer.take()).take());
    this.#poke();
    while (this.#got.length === 0) await this.#wake.promise;
    return new ByteReader(this.#got.shift()!);
  }

  async status(
    code: number,
    ...fields: readonly (string | number | Uint8Array)[]
  ): Promise<number> {
    const reader = await this.ask(code, ...fields);
    assertEquals(reader.u8(), 101);
    assertEquals(reader.u32(), this.#id);
    return reader.u32();
  }

  async handle(code: number, ...fields: readonly (string | number)[]): Promise<Uint8Array> {
    const reader = await this.ask(code, ...fields);
    assertEquals(reader.u8(), 102);
    reader.u32();
    return reader.block(256);
  }

  async size(code: number, of: string | Uint8Array): Promise<number> {
    const reader = await this.ask(code, of);
    assertEquals(reader.u8(), 105);
    reader.bytes(12);
    return reader.u32();
  }

  end(): void {
    this.#ended = true;
    this.#poke();
  }

  #poke(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#queue.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#ended) return;
      else await this.#wake.promise;
    }
  }
}

const [
  OPEN,
  CLOSE,
  READ,
  WRITE,
  LSTAT,
  FSTAT,
  SETSTAT,
  FSETSTAT,
  OPENDIR,
  READDIR,
  REMOVE,
  MKDIR,
  RMDIR,
  RENAME,
] = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18] as const;
const CREATE = 0x1a;

Deno.test("an unfinished file is seen by its own session alone, and kept when it is closed", async () => {
  const { vfs, happened, refused, serve } = world();
  const [one, two] = [new Client(), new Client()];
  const serving = [serve(one.channel), serve(two.channel)];
  const handle = await one.handle(OPEN, "/dir/f", CREATE, 0);
  assertEquals(await one.status(WRITE, handle, 0, 0, "hello"), 0);
  assertEquals(await one.size(LSTAT, "/dir/f"), 5);
  assertEquals(await one.size(FSTAT, handle), 5);
  assertEquals(await two.status(LSTAT, "/dir/f"), 2);
  assertEquals(await one.status(SETSTAT, "/dir/f", 1, 0, 4), 0);
  assertEquals(happened, []);
  assertEquals(await one.status(CLOSE, handle), 0);
  assertEquals(await one.status(CLOSE, handle), 4);
  assertEquals(await two.size(LSTAT, "/dir/f"), 4);
  assertEquals(happened, ["mkdir /dir", "upload /dir/f"]);
  // Setting times after the file was closed is not another upload.
  assertEquals(await one.status(SETSTAT, "/dir/f", 8, 1, 1000), 0);
  assertEquals(vfs.tree.get("/dir/f").mtimeMs, 1_000_000);
  assertEquals(happened.length, 2);
  for (const client of [one, two]) client.end();
  await Promise.all(serving);
  assertEquals(refused.filter((reason) => reason.startsWith("Broke")), []);
});

Deno.test("a file whose session ends before it is closed leaves the old one", async () => {
  const { vfs, happened, refused, serve } = world();
  const client = new Client();
  const serving = serve(client.channel);
  const first = await client.handle(OPEN, "/f", CREATE, 0);
  await client.status(WRITE, first, 0, 0, "old");
  await client.status(CLOSE, first);
  const second = await client.handle(OPEN, "/f", CREATE, 0);
  await client.status(WRITE, second, 0, 0, "newer");
  client.end();
  await serving;
  assertEquals(vfs.tree.getFile("/f").size, 3);
  assertEquals(happened, ["upload /f"]);
  assertEquals(refused.length, 1);
  assertEquals(vfs.pendingBytes, 0);
});

Deno.test("an unfinished file can be renamed and removed", async () => {
  const { happened, serve } = world();
  const client = new Client();
  const serving = serve(client.channel);
  const moved = await client.handle(OPEN, "/a", CREATE, 0);
  assertEquals(await client.status(RENAME, "/a", "/b"), 0);
  assertEquals(await client.status(CLOSE, moved), 0);
  const dropped = await client.handle(OPEN, "/c", CREATE, 0);
  assertEquals(await client.status(REMOVE, "/c"), 0);
  assertEquals(await client.status(CLOSE, dropped), 0);
  assertEquals(happened, ["upload /b"]);
  client.end();
  await serving;
});

Deno.test("an unfinished file moves with the directory it is in, which cannot be removed", async () => {
  const { vfs, happened, serve } = world();
  const client = new Client();
  const serving = serve(client.channel);
  await client.status(MKDIR, "/d", 0);
  const handle = await client.handle(OPEN, "/d/f", CREATE, 0);
  assertEquals(await client.status(RMDIR, "/d"), 4);
  assertEquals(await client.status(RENAME, "/d", "/e"), 0);
  assertEquals(await client.size(LSTAT, "/e/f"), 0);
  assertEquals(await client.status(CLOSE, handle), 0);
  assertEquals(happened, ["mkdir /d", "rename /d /e", "upload /e/f"]);
  assertEquals(vfs.tree.find("/d"), undefined);
  client.end();
  await serving;
});

Deno.test("requests are refused with the codes of the draft", async () => {
  const { happened, faults, serve } = world();
  const client = new Client();
  const serving = serve(client.channel);
  assertEquals(await client.status(OPEN, "/nope", 1, 0), 2);
  assertEquals(await client.status(OPEN, "/nope", 2, 0), 2);
  assertEquals(await client.status(MKDIR, "/d", 0), 0);
  assertEquals(await client.status(MKDIR, "/d", 0), 4);
  assertEquals(await client.status(OPEN, "/d", CREATE, 0), 4);
  assertEquals(await client.status(OPEN, "a\nb", CREATE, 0), 3);
  assertEquals(await client.status(OPEN, Uint8Array.of(0x61, 0xff), CREATE, 0), 3);
  await client.status(CLOSE, await client.handle(OPEN, "/d/f", CREATE, 0));
  assertEquals(await client.status(OPEN, "/d/f", CREATE | 0x20, 0), 4);
  assertEquals(await client.status(RMDIR, "/d"), 4);
  assertEquals(await client.status(RMDIR, "/d/f"), 4);
  assertEquals(await client.status(REMOVE, "/d"), 4);
  assertEquals(await client.status(RENAME, "/d/f", "/d"), 4);
  assertEquals(await client.status(READ, "zzz", 0, 0, 10), 4);
  assertEquals(await client.status(20, "/a", "/b"), 8);
  assertEquals(await client.status(200, "nope@example.com"), 8);
  const reading = await client.handle(OPEN, "/d/f", 1, 0);
  assertEquals(await client.status(READ, reading, 0, 0, 10), 1);
  assertEquals(await client.status(WRITE, reading, 0, 0, "x"), 3);
  const writing = await client.handle(OPEN, "/big", CREATE, 0);
  assertEquals(await client.status(WRITE, writing, 0x40000, 0, "x"), 4);
  assertEquals(await client.status(WRITE, writing, 0, 64 * 1024 * 1024, "x"), 4);
  const dir = await client.handle(OPENDIR, "/d");
  assertEquals((await client.ask(READDIR, dir)).u8(), 104);
  assertEquals(await client.status(READDIR, dir), 1);
  assertEquals(await client.status(READ, dir, 0, 0, 10), 4);
  assertEquals(await client.status(OPEN), 5);
  assertEquals(happened, ["mkdir /d", "upload /d/f"]);
  assertEquals(faults, []);
  client.end();
  await serving;
});

for (const length of [0, 256 * 1024 + 1, 0xffffffff]) {
  Deno.test(`a packet that says it has ${length} bytes ends the channel`, async () => {
    const { refused, serve } = world();
    const head = new ByteWriter().u32(length).take();
    const answers: Uint8Array[] = [];
    await serve({
      isGone: false,
      holdUp: (work) => work,
      async *chunks() {
        yield head;
        // Nothing after this can be read.
        yield head;
        await Promise.resolve();
      },
      write: (bytes) => Promise.resolve(void answers.push(bytes)),
    });
    assertEquals(answers, []);
    assertEquals(refused, [
      `Cannot read a packet of ${length} bytes: expected 1 to ${256 * 1024}`,
    ]);
  });
}

Deno.test("a file that could not be written whole is not kept when it is closed", async () => {
  const { vfs, happened, serve } = world();
  const client = new Client();
  const serving = serve(client.channel);
  await client.status(CLOSE, await client.handle(OPEN, "/f", CREATE, 0));
  const handle = await client.handle(OPEN, "/f", CREATE, 0);
  assertEquals(await client.status(WRITE, handle, 0, 0, "beginning"), 0);
  assertEquals(await client.status(WRITE, handle, 0, 64 * 1024 * 1024, "x"), 4);
  assertEquals(await client.status(CLOSE, handle), 4);
  assertEquals(vfs.tree.getFile("/f").size, 0);
  assertEquals(happened, ["upload /f"]);
  assertEquals(vfs.pendingBytes, 0);
  client.end();
  await serving;
});

for (const drips of [false, true]) {
  const how = drips ? "comes byte by byte" : "does not come to its end";
  Deno.test(`a packet that ${how} ends the channel`, async () => {
    const { refused, serve } = world();
    const released = Promise.withResolvers<void>();
    let pause = Promise.resolve();
    await serve({
      isGone: false,
      holdUp: (work) => work,
      async *chunks() {
        yield new ByteWriter().u32(1000).take();
        while (drips) {
          await (pause = new Promise((resolve) => setTimeout(resolve, 4)));
          yield Uint8Array.of(5);
        }
        await released.promise;
      },
      write: () => Promise.resolve(),
    }, { packetMs: 20 });
    released.resolve();
    await pause;
    assertEquals(refused.length, 1);
    // On a busy machine a late byte counts as silence.
    assertMatch(refused[0]!, drips ? /rest of a packet|stopped/ : /stopped/);
  });
}

Deno.test("a time is set on a file that is open and not written to, and makes no event", async () => {
  const { vfs, happened, serve } = world();
  const client = new Client();
  const serving = serve(client.channel);
  assertEquals(await client.status(CLOSE, await client.handle(OPEN, "/f", CREATE, 0)), 0);
  vfs.tree.touch("/f", 7000);
  const READ_WRITE = 3;
  const handle = await client.handle(OPEN, "/f", READ_WRITE, 8, 1, 2);
  const seen = async () => {
    const reader = await client.ask(FSTAT, handle);
    reader.bytes(reader.left - 4);
    return reader.u32();
  };
  // Neither opening the file nor the attributes of OPEN change it.
  assertEquals(await seen(), 7);
  assertEquals(await client.status(FSETSTAT, handle, 8, 1, 1000), 0);
  assertEquals(await seen(), 1000);
  assertEquals(vfs.tree.get("/f").mtimeMs, 1_000_000);
  assertEquals(await client.status(CLOSE, handle), 0);
  assertEquals(vfs.tree.get("/f").mtimeMs, 1_000_000);
  assertEquals(happened, ["upload /f"]);
  client.end();
  await serving;
});

Deno.test("a time that is set before a file is written stays, and waits for the file", async () => {
  const { vfs, serve } = world();
  const client = new Client();
  const serving = serve(client.channel);
  assertEquals(await client.status(CLOSE, await client.handle(OPEN, "/f", CREATE, 0)), 0);
  const handle = await client.handle(OPEN, "/f", 3, 0);
  assertEquals(await client.status(FSETSTAT, handle, 8, 1, 1000), 0);
  assertEquals(await client.status(WRITE, handle, 0, 0, "x"), 0);
  assertEquals(await client.status(FSETSTAT, handle, 8, 1, 2000), 0);
  assertEquals(vfs.tree.get("/f").mtimeMs, 1_000_000);
  assertEquals(await client.status(CLOSE, handle), 0);
  assertEquals(vfs.tree.get("/f").mtimeMs, 2_000_000);
  client.end();
  await serving;
});

Deno.test("a write for which the store has no room is refused at once, and so is closing the file", async () => {
  const { vfs, happened, refused, serve } = world({ storeBytes: 10 });
  const client = new Client();
  const serving = serve(client.channel);
  const handle = await client.handle(OPEN, "/f", CREATE, 0);
  assertEquals(await client.status(WRITE, handle, 0, 0, "12345678"), 0);
  const FAILURE = 4;
  assertEquals(await client.status(WRITE, handle, 0, 8, "abc"), FAILURE);
  assertEquals(await client.status(CLOSE, handle), FAILURE);
  assertEquals([vfs.tree.find("/f"), happened], [undefined, []]);
  assertMatch(refused[0]!, /^No space: /);
  // The space is free again.
  const other = await client.handle(OPEN, "/g", CREATE, 0);
  assertEquals(await client.status(WRITE, other, 0, 0, "1234567890"), 0);
  assertEquals(await client.status(CLOSE, other), 0);
  assertEquals(happened, ["upload /g"]);
  client.end();
  await serving;
});
