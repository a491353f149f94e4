import { assertEquals, assertRejects } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { MIN_BYTES_PER_SECOND, Pace } from "./pace.ts";
import { IdleError } from "./transport.ts";

/** A peer that sends `bytes` every `everyMs`, on a clock of its own. */
class Peer {
  ms = 0;
  readonly pace: Pace;

  constructor(readonly bytes: number, readonly everyMs: number, limits: { graceMs?: number } = {}) {
    this.pace = new Pace({ idleMs: 1000, ...limits, what: "a frame", now: () => this.ms });
  }

  next(): Promise<Uint8Array> {
    return this.pace.next(({ idleMs }) => {
      this.ms += Math.min(idleMs, this.everyMs);
      if (this.everyMs > idleMs) return Promise.reject(new IdleError("Nothing came"));
      return Promise.resolve(new Uint8Array(this.bytes));
    });
  }

  async untilRefused(most: number): Promise<Error | undefined> {
    for (let i = 0; i < most; i++) {
      try {
        await this.next();
      } catch (error) {
        return error as Error;
      }
    }
    return undefined;
  }
}

Deno.test("silence ends the wait as silence", async () => {
  const peer = new Peer(1, 1001);
  await assertRejects(() => peer.next(), IdleError, "Nothing came");
  assertEquals(peer.ms, 1000);
});

Deno.test("dripping bytes fails soon after the grace period, and says what was too slow", async () => {
  const peer = new Peer(1, 100);
  const error = await peer.untilRefused(20);
  assertEquals(
    error?.message,
    "Cannot wait any longer for the rest of a frame: after 1000 ms at least 500 bytes per second must arrive",
  );
  assertEquals(peer.ms, 1000 + 10 * 1000 / MIN_BYTES_PER_SECOND);
});

Deno.test("a grace period longer than the silence limit gives a slow peer more time", async () => {
  const peer = new Peer(1, 100, { graceMs: 5000 });
  await peer.untilRefused(100);
  assertEquals(peer.ms, 5000 + 51 * 1000 / MIN_BYTES_PER_SECOND);
});

Deno.test("a sender that keeps the rate never times out, and the next message starts afresh", async () => {
  assertEquals(await new Peer(MIN_BYTES_PER_SECOND, 1000).untilRefused(10_000), undefined);
  const peer = new Peer(1, 100);
  for (let i = 0; i < 100; i++) {
    for (let j = 0; j < 5; j++) await peer.next();
    peer.pace.end();
  }
  peer.pace.begin();
  peer.pace.excuse(700);
  for (let j = 0; j < 10; j++) await peer.next();
});

Deno.test("no sender takes longer than the grace period plus the time for its bytes", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.record({ bytes: fc.nat(2000), ms: fc.nat(1000) }), { maxLength: 200 }),
    async (pieces) => {
      let ms = 0;
      let came = 0;
      const pace = new Pace({ idleMs: 1000, what: "a frame", now: () => ms });
      for (const piece of pieces) {
        const read = ({ idleMs }: { idleMs: number }): Promise<Uint8Array> => {
          ms += Math.min(idleMs, piece.ms);
          if (piece.ms > idleMs) return Promise.reject(new IdleError("Nothing came"));
          came += piece.bytes;
          return Promise.resolve(new Uint8Array(piece.bytes));
        };
        if (await pace.next(read).catch(() => undefined) === undefined) break;
      }
      assertEquals(ms <= 1001 + came * 1000 / MIN_BYTES_PER_SECOND, true);
    },
  ));
});
