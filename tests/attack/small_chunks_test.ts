/**
 * Bodies in the smallest chunks that HTTP allows: memory depends on the bytes of a body, not on the
 * number of chunks.
 */
import { assert, assertEquals } from "@std/assert";
import { concat } from "../../core/bytes/concat.ts";
import { ByteReader } from "../../core/bytes/reader.ts";
import { ByteWriter } from "../../core/bytes/writer.ts";
import { encodeFields, HpackDecoder } from "../../core/codec/hpack/hpack.ts";
import { writeAll } from "../../core/net/socket.ts";
import { listening } from "../support/program.ts";
import { RawClient } from "../support/raw_http.ts";
import { mib, startTarget, type Target } from "../support/under_attack.ts";

const CHUNKS = 100_000;
const FRAMES = 50_000;
const MAX_GROWTH_BYTES = 150 * 1024 ** 2;
const MAX_WAIT_MS = 5000;

const encoder = new TextEncoder();

/** Builds a body of a given size that its reader accepts. */
type Body = (bytes: number) => Uint8Array;

function mail(bytes: number): Uint8Array {
  const text = (value: string): string =>
    JSON.stringify({
      personalizations: [{ to: [{ email: "to@example.com" }] }],
      from: { email: "from@example.com" },
      subject: "Small pieces",
      content: [{ type: "text/plain", value }],
    });
  return encoder.encode(text("x".repeat(bytes - text("").length)));
}

function expectation(bytes: number): Uint8Array {
  const text = JSON.stringify({ none: true, plugin: "mail", namespace: "nobody", timeout: 0 });
  return encoder.encode(text + " ".repeat(bytes - text.length));
}

const zeros: Body = (bytes) => new Uint8Array(bytes);

/** Target of a body, and the expected response. */
interface Place {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Body;
  readonly status: number;
}

async function placesOf(target: Target): Promise<Record<"ingress" | "api" | "s3", Place>> {
  const json = [["content-type", "application/json"]] as const;
  const s3 = (await listening(target)).endpoint("http").port;
  const port = (name: string): number => Number(new URL(target.urls[name]!).port);
  await (await fetch(`http://127.0.0.1:${s3}/small`, { method: "PUT" })).body?.cancel();
  return {
    ingress: {
      port: port("ingress"),
      method: "POST",
      path: "/v3/mail/send",
      headers: [...json, ["authorization", "Bearer SG.x"]],
      body: mail,
      status: 202,
    },
    api: {
      port: port("api"),
      method: "POST",
      path: "/api/v1/expect",
      headers: json,
      body: expectation,
      status: 200,
    },
    s3: { port: s3, method: "PUT", path: "/small/key", headers: [], body: zeros, status: 200 },
  };
}

/** RFC 9112 section 7.1, one byte a chunk. */
function toChunks(body: Uint8Array): Uint8Array {
  const chunk = encoder.encode("1\r\n?\r\n");
  const chunks = new Uint8Array(body.length * chunk.length);
  for (const [at, byte] of body.entries()) {
    chunks.set(chunk, at * chunk.length);
    chunks[at * chunk.length + 3] = byte;
  }
  return chunks;
}

async function sendChunks(place: Place, bytes: number): Promise<number> {
  using client = await RawClient.connect(place.port);
  const fields = place.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await client.send(
    `${place.method} ${place.path} HTTP/1.1\r\nHost: localhost\r\n${fields}` +
      "Transfer-Encoding: chunked\r\n\r\n",
  );
  await client.sendBytes(toChunks(place.body(bytes)));
  await client.send("0\r\n\r\n");
  return (await client.answer()).status;
}

const [DATA, HEADERS, SETTINGS] = [0, 1, 4];
const [END_STREAM, END_HEADERS] = [1, 4];
const FRAME_HEAD_BYTES = 9;

/** RFC 9113 section 4.1. */
function frame(type: number, payload: Uint8Array, { flags = 0, stream = 0 } = {}): Uint8Array {
  return new ByteWriter().u8(payload.length >>> 16).u16(payload.length & 0xffff)
    .u8(type).u8(flags).u32(stream).bytes(payload).take();
}

/** One byte a frame. */
function toFrames(body: Uint8Array): Uint8Array {
  const one = frame(DATA, Uint8Array.of(0), { stream: 1 });
  const frames = new Uint8Array(body.length * one.length);
  for (const [at, byte] of body.entries()) {
    frames.set(one, at * one.length);
    frames[at * one.length + FRAME_HEAD_BYTES] = byte;
  }
  return frames;
}

/** Sends a request over HTTP/2. Returns the status of its response. */
async function sendFrames(place: Place, bytes: number): Promise<number> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port: place.port });
  try {
    const fields = encodeFields([
      [":method", place.method],
      [":scheme", "http"],
      [":authority", "localhost"],
      [":path", place.path],
      ...place.headers,
    ]);
    const frames = concat([
      encoder.encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      frame(SETTINGS, new Uint8Array()),
      frame(HEADERS, fields, { flags: END_HEADERS, stream: 1 }),
      toFrames(place.body(bytes)),
      frame(DATA, new Uint8Array(), { flags: END_STREAM, stream: 1 }),
    ]);
    const [status] = await Promise.all([readStatus(conn), writeAll(conn, frames)]);
    return status;
  } finally {
    conn.close();
  }
}

/** The status of the first response on a connection of HTTP/2. */
async function readStatus(conn: Deno.TcpConn): Promise<number> {
  for (;;) {
    const head = new ByteReader(await readExactly(conn, FRAME_HEAD_BYTES));
    const payload = await readExactly(conn, head.u8() << 16 | head.u16());
    if (head.u8() !== HEADERS) continue;
    const fields = new HpackDecoder({ maxBytes: 65_536 }).decode(payload);
    return Number(fields.find(([name]) => name === ":status")?.[1]);
  }
}

async function readExactly(conn: Deno.TcpConn, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = await conn.read(bytes.subarray(done));
    if (count === null) throw new Error("The server ended the connection");
    done += count;
  }
  return bytes;
}

/** Sends a body in small chunks to each target in turn, and checks its cost against the limits. */
async function bounded(
  t: Deno.TestContext,
  target: Target,
  { places, send, pieces }: {
    places: Readonly<Record<string, Place>>;
    send: (place: Place, bytes: number) => Promise<number>;
    pieces: number;
  },
): Promise<void> {
  for (const [name, place] of Object.entries(places)) {
    await t.step(name, async () => {
      const { peakBytes, restBytes, longestWaitMs } = await target.measure(async () => {
        assertEquals(await send(place, pieces), place.status);
      });
      const growth = peakBytes - restBytes;
      assert(growth < MAX_GROWTH_BYTES, `Grew by ${mib(growth)}`);
      assert(longestWaitMs < MAX_WAIT_MS, `Another client waited for ${longestWaitMs} ms`);
    });
  }
}

Deno.test("a body of one-byte chunks costs no more than its bytes", async (t) => {
  await using target = await startTarget();
  await bounded(t, target, { places: await placesOf(target), send: sendChunks, pieces: CHUNKS });
});

Deno.test("a body of one-byte HTTP/2 frames costs no more than its bytes", async (t) => {
  await using target = await startTarget();
  // The service's own listener speaks only HTTP/1.
  const { api: _api, ...places } = await placesOf(target);
  await bounded(t, target, { places, send: sendFrames, pieces: FRAMES });
});
