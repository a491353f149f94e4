import { assertEquals, assertRejects } from "@std/assert";
import { unboundedMemory } from "../../../core/memory/budget.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { COPIED_BYTES, Outbox } from "./outbox.ts";

/** A wire whose writes end when the test decides. */
class SlowWire implements Transport {
  readonly peer = "192.0.2.1:1";
  readonly local = "192.0.2.2:2049";
  /** Copies of the written bytes, taken when each write ended. */
  readonly written: string[] = [];
  #ending: { readonly bytes: Uint8Array; readonly ended: PromiseWithResolvers<void> } | undefined;

  read(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  write(bytes: Uint8Array): Promise<void> {
    assertEquals(this.#ending, undefined, "one write at a time");
    this.#ending = { bytes, ended: Promise.withResolvers() };
    return this.#ending.ended.promise;
  }

  /** Ends the pending write, with an error if given. */
  async end(error?: Error): Promise<void> {
    const { bytes, ended } = this.#ending!;
    this.#ending = undefined;
    this.written.push(shown(bytes));
    if (error === undefined) ended.resolve();
    else ended.reject(error);
    await settled();
  }

  async endAll(): Promise<void> {
    while (this.#ending !== undefined) await this.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Bytes with their number of repetitions: `1x8 2x8`. */
function shown(bytes: Uint8Array): string {
  const runs: { readonly byte: number; count: number }[] = [];
  for (const byte of bytes) {
    const run = runs.at(-1);
    if (run?.byte === byte) run.count++;
    else runs.push({ byte, count: 1 });
  }
  return runs.map(({ byte, count }) => `${byte}x${count}`).join(" ");
}

/** Lets all resolved promises run their callbacks. */
async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

const of = (byte: number, length = 8): Uint8Array => new Uint8Array(length).fill(byte);

Deno.test("replies that wait together are one write, and their source buffers are free", async () => {
  const wire = new SlowWire();
  const outbox = new Outbox(wire, unboundedMemory());
  const scratch = of(1);
  outbox.add([scratch]);
  scratch.fill(2);
  outbox.add([scratch, of(3)]);
  outbox.flush();
  for (let i = 4; i < 9; i++) {
    outbox.add([scratch.fill(i)]);
    outbox.flush();
  }
  await wire.endAll();
  outbox.add([of(9)]);
  const end = outbox.end();
  await wire.endAll();
  await end;
  assertEquals(wire.written, ["1x8 2x8 3x8", "4x8 5x8 6x8 7x8 8x8", "9x8"]);
});

Deno.test("long chunks keep their order among short ones, and are not copied together", async () => {
  const wire = new SlowWire();
  const outbox = new Outbox(wire, unboundedMemory());
  const long = COPIED_BYTES + 1;
  outbox.add([of(1), of(2, long)]);
  outbox.add([of(3)]);
  outbox.add([of(4)]);
  outbox.flush();
  outbox.add([of(5), of(6, long)]);
  outbox.add([of(7)]);
  await wire.endAll();
  assertEquals(wire.written, ["1x8", `2x${long}`, "3x8 4x8 5x8", `6x${long}`, "7x8"]);
});

Deno.test("the loan of a reply ends once its last byte is sent", async () => {
  const wire = new SlowWire();
  const outbox = new Outbox(wire, unboundedMemory());
  const ended: string[] = [];
  const loan = (name: string): Disposable => ({ [Symbol.dispose]: () => void ended.push(name) });
  outbox.add([of(1), of(2, COPIED_BYTES + 1), of(3, COPIED_BYTES + 1)], loan("long"));
  outbox.add([of(4)]);
  outbox.expect(Promise.resolve([of(5)]), () => loan("late"));
  outbox.flush();
  await settled();
  for (const expected of [[], [], ["long"], ["long", "late"]]) {
    await wire.end();
    assertEquals(ended, expected);
  }
  const cut = new Outbox(wire, unboundedMemory());
  cut.add([of(1)], loan("unsent"));
  cut.flush();
  await wire.end(new Error("gone"));
  assertEquals(ended, ["long", "late"], "its bytes may still be in use");
});

Deno.test("one write never joins more than the buffer holds", async () => {
  const wire = new SlowWire();
  const outbox = new Outbox(wire, unboundedMemory());
  for (let i = 1; i <= 6; i++) outbox.add([of(i, COPIED_BYTES)]);
  outbox.flush();
  await wire.endAll();
  const each = (...bytes: number[]): string => bytes.map((i) => `${i}x${COPIED_BYTES}`).join(" ");
  assertEquals(wire.written, [each(1, 2, 3, 4), each(5, 6)]);
});

Deno.test("no more calls are accepted while too many are running, or too much is waiting", async () => {
  const wire = new SlowWire();
  const outbox = new Outbox(wire, unboundedMemory());
  const replies = Array.from({ length: 64 }, () => Promise.withResolvers<Uint8Array[]>());
  for (const { promise } of replies) outbox.expect(promise);
  assertEquals(outbox.full, true);
  const room = outbox.room();
  replies[7]!.resolve([of(7)]);
  await room;
  await wire.endAll();
  assertEquals(outbox.full, false);
  for (let i = 0; i < 4; i++) outbox.add([of(i, 1024 * 1024)]);
  outbox.flush();
  assertEquals(outbox.full, true);
  await wire.end();
  await outbox.room();
  for (const { resolve } of replies) resolve([of(1)]);
  const end = outbox.end();
  await settled();
  await wire.endAll();
  await end;
});

Deno.test("a failed write ends everything, and says why", async () => {
  const wire = new SlowWire();
  const outbox = new Outbox(wire, unboundedMemory());
  outbox.add([of(1)]);
  outbox.flush();
  outbox.add([of(2)]);
  await wire.end(new Error("gone"));
  outbox.add([of(3)]);
  outbox.flush();
  await assertRejects(() => outbox.room(), Error, "gone");
  await outbox.end();
  assertEquals(wire.written, ["1x8"]);
});
