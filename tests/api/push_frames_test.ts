import { assert, assertEquals } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import { startService, type TestService } from "../support/service.ts";

/** Frame types and flags of RFC 9113 section 6. */
const DATA = 0;
const HEADERS = 1;
const SETTINGS = 4;
const END_STREAM = 1;
const ACK = 1;

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Uint8Array;
}

const encoder = new TextEncoder();

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Uint8Array {
  const head = new DataView(new ArrayBuffer(9));
  head.setUint32(0, payload.length << 8 | type);
  head.setUint8(4, flags);
  head.setUint32(5, stream);
  return new Uint8Array([...new Uint8Array(head.buffer), ...payload]);
}

/** Fields without indexing or Huffman coding (RFC 7541 section 6.2.2); strings of up to 126 bytes. */
function encodeFields(fields: Readonly<Record<string, string>>): Uint8Array {
  return new Uint8Array(
    Object.entries(fields).flatMap((pair) => [
      0,
      ...pair.flatMap((text) => [encoder.encode(text).length, ...encoder.encode(text)]),
    ]),
  );
}

/** One HTTP/2 connection, seen frame by frame. */
class FrameClient implements AsyncDisposable {
  readonly #conn: Deno.TcpConn;
  #pending: Uint8Array = new Uint8Array();

  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
  }

  static async open(service: TestService): Promise<FrameClient> {
    const { hostname, port } = service.ingress;
    const client = new FrameClient(await Deno.connect({ hostname, port }));
    await client.write(encoder.encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    await client.write(frame(SETTINGS, 0, 0, new Uint8Array()));
    return client;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const writer = this.#conn.writable.getWriter();
    await writer.write(bytes);
    writer.releaseLock();
  }

  /** Starts a push on one stream. */
  async send(
    stream: number,
    fields: Readonly<Record<string, string>>,
    body: string,
  ): Promise<void> {
    const head = encodeFields({
      ":method": "POST",
      ":scheme": "https",
      ":path": "/3/device/abc",
      ...fields,
    });
    await this.write(frame(HEADERS, 0x4, stream, head));
    await this.write(frame(DATA, END_STREAM, stream, encoder.encode(body)));
  }

  /** Frames of a stream up to its end. */
  async answer(stream: number): Promise<readonly Frame[]> {
    const frames: Frame[] = [];
    while (true) {
      const next = await this.#next();
      if (next.type === SETTINGS && (next.flags & ACK) === 0) {
        await this.write(frame(SETTINGS, ACK, 0, new Uint8Array()));
      }
      assert(next.type !== 3 && next.type !== 7, `RST_STREAM or GOAWAY: ${next.payload}`);
      if (next.stream !== stream) continue;
      frames.push(next);
      if ((next.type === DATA || next.type === HEADERS) && next.flags & END_STREAM) return frames;
    }
  }

  async #next(): Promise<Frame> {
    const head = await this.#take(9);
    const view = new DataView(head.buffer, head.byteOffset);
    const payload = await this.#take(view.getUint32(0) >>> 8);
    return { type: head[3]!, flags: head[4]!, stream: view.getUint32(5), payload };
  }

  async #take(count: number): Promise<Uint8Array> {
    while (this.#pending.length < count) {
      const buffer = new Uint8Array(4096);
      const read = await this.#conn.read(buffer);
      if (read === null) throw new Error("The connection was closed in the middle of an answer");
      this.#pending = new Uint8Array([...this.#pending, ...buffer.subarray(0, read)]);
    }
    const taken = this.#pending.slice(0, count);
    this.#pending = this.#pending.slice(count);
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#conn.writable.close();
  }
}

Deno.test("the answer to an accepted push ends with its HEADERS frame, without DATA", async () => {
  await using service = await startService({ plugins: [push] });
  await using client = await FrameClient.open(service);
  await client.send(1, { "apns-topic": "com.example.app" }, '{"aps":{"alert":"Hi"}}');
  const frames = await client.answer(1);
  assertEquals(frames.map(({ type }) => type), [HEADERS]);
  const [event] = service.events.list({ plugin: "push" });
  assertEquals(event!.raw.http_version, "2");
  assertEquals(event!.meta.warning, undefined);
});

Deno.test("the answer to a refused push has its reason in one DATA frame that ends the stream", async () => {
  await using service = await startService({ plugins: [push] });
  await using client = await FrameClient.open(service);
  const refused: readonly (readonly [Record<string, string>, string, string])[] = [
    [{}, "{}", "MissingTopic"],
    [{ "apns-topic": "a", "apns-priority": "7" }, "{}", "BadPriority"],
    [{ "apns-topic": "a" }, "", "PayloadEmpty"],
    [{ "apns-topic": "a" }, "x".repeat(5000), "PayloadTooLarge"],
    [{ ":path": "/3/other" }, "{}", "BadPath"],
    [{ ":path": "/3/device/" }, "{}", "MissingDeviceToken"],
    [{ ":method": "PUT" }, "{}", "MethodNotAllowed"],
    [{ "accept-encoding": "gzip, br" }, "{}", "MissingTopic"],
  ];
  for (const [index, [fields, body, reason]] of refused.entries()) {
    const stream = 2 * index + 1;
    await client.send(stream, fields, body);
    const frames = await client.answer(stream);
    assertEquals(frames.map(({ type, flags }) => [type, flags & END_STREAM]), [
      [HEADERS, 0],
      [DATA, END_STREAM],
    ]);
    assertEquals(new TextDecoder().decode(frames[1]!.payload), JSON.stringify({ reason }));
  }
});

Deno.test("a client that sends host instead of :authority is served", async () => {
  await using service = await startService({ plugins: [push] });
  await using client = await FrameClient.open(service);
  await client.send(1, { host: "api.push.apple.com", "apns-topic": "com.example.app" }, "{}");
  assertEquals((await client.answer(1)).length, 1);
  assertEquals(service.events.count("push"), 1);
});
