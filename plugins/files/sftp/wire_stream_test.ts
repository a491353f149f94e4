import { assertEquals } from "@std/assert";
import { concat } from "../../../core/bytes/concat.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { WireStream } from "./wire_stream.ts";

const IDENT = new TextEncoder().encode("SSH-2.0-x\r\n");

/** A connection that returns chunks in sequence, and records overlapping reads. */
function wireOf(chunks: readonly Uint8Array[]) {
  const left = [...chunks];
  const seen = { reading: 0, most: 0 };
  const wire: Transport = {
    peer: "a:1",
    local: "b:2",
    async read() {
      seen.most = Math.max(seen.most, ++seen.reading);
      await new Promise((resolve) => setTimeout(resolve, 0));
      seen.reading--;
      return left.shift();
    },
    write: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { wire, seen };
}

Deno.test("bytes come once and in order, however long each piece takes", async () => {
  for (const every of [Infinity, 1, 2, 3]) {
    const chunks = Array.from({ length: 12 }, (_, i) => new Uint8Array(20_000).fill(i + 1));
    const { wire, seen } = wireOf([IDENT.slice(0, 3), IDENT.slice(3), ...chunks]);
    const stream = new WireStream(wire, { idleMs: 1000 });
    const got: Uint8Array[] = [];
    stream.on("data", (piece: Uint8Array) => {
      got.push(piece.slice());
      if (got.length % every !== 0) return;
      for (const endMs = performance.now() + 12; performance.now() < endMs;);
    });
    await new Promise<void>((resolve) => stream.once("close", () => resolve()));
    assertEquals(concat(got), concat([IDENT, ...chunks]));
    assertEquals(seen.most, 1);
  }
});

/** A stream that writes to the returned array. */
function writing() {
  const written: string[] = [];
  const { wire } = wireOf([]);
  const write = (bytes: Uint8Array): Promise<void> => {
    written.push(new TextDecoder().decode(bytes));
    return Promise.resolve();
  };
  // Nothing is received.
  const silent: Transport = { ...wire, read: () => new Promise(() => {}), write };
  return { stream: new WireStream(silent, { idleMs: 1000 }), written };
}

Deno.test("bytes that are not known yet are sent in their turn, also before the end", async () => {
  for (const joined of [false, true]) {
    const { stream, written } = writing();
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const closed = new Promise<void>((resolve) => stream.once("close", () => resolve()));
    const packets = ["a", "?", "c", "?", "e"].map((text) => new TextEncoder().encode(text));
    stream.later(packets[1]!, one.promise);
    stream.later(packets[3]!, two.promise);
    const write = (): void => packets.forEach((packet) => void stream.write(packet));
    if (joined) stream.together(write);
    else write();
    stream.finish();
    two.resolve(packets[3]!.set([0x64]));
    await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(written.join(""), joined ? "" : "a");
    one.resolve(packets[1]!.set([0x62]));
    await closed;
    assertEquals(written.join(""), "abcde");
  }
});

Deno.test("bytes that never become known end the stream with the reason", async () => {
  for (const joined of [false, true]) {
    const { stream, written } = writing();
    const failed = new Promise<Error>((resolve) => stream.once("error", resolve));
    const packet = new Uint8Array(3);
    stream.later(packet, Promise.reject(new Error("no key")));
    stream.together(() => {
      stream.write(packet);
      if (joined) stream.write(Uint8Array.of(1));
    });
    assertEquals([(await failed).message, stream.destroyed, written], ["no key", true, []]);
  }
});
