import { assertEquals } from "@std/assert";
import { XdrReader, XdrWriter } from "./codec/xdr.ts";
import { Duplicates, type Sent } from "./duplicates.ts";

const CALL: Sent = {
  host: "192.0.2.1",
  credential: Uint8Array.of(1),
  xid: 7,
  program: 100_003,
  procedure: 8,
  args: Uint8Array.of(1, 2, 3),
};

/** Carries out calls, and counts them. */
function counting(duplicates: Duplicates) {
  let count = 0;
  return async (sent: Partial<Sent> = {}): Promise<number> => {
    const reply = await duplicates.answer(
      { ...CALL, ...sent },
      () => Promise.resolve([new XdrWriter().u32(++count).take()]),
    );
    return new XdrReader(reply[0]!).u32();
  };
}

Deno.test("a repeated call gets the same answer, even while the first is still running", async () => {
  const call = counting(new Duplicates({ now: () => 0 }));
  assertEquals(await Promise.all([call(), call()]), [1, 1]);
  assertEquals(await call(), 1);
});

Deno.test("calls that differ in anything are different ones", async () => {
  const call = counting(new Duplicates({ now: () => 0 }));
  await call();
  const others: readonly Partial<Sent>[] = [
    { host: "192.0.2.2" },
    { credential: Uint8Array.of(2) },
    { xid: 8 },
    { program: 100_005 },
    { procedure: 9 },
    { args: Uint8Array.of(1, 2) },
  ];
  for (const [i, other] of others.entries()) assertEquals(await call(other), i + 2);
});

Deno.test("an answer is forgotten after two minutes, and the oldest one when the 257th arrives", async () => {
  let nowMs = 0;
  const call = counting(new Duplicates({ now: () => nowMs }));
  await call();
  nowMs = 119_999;
  assertEquals(await call(), 1);
  nowMs = 120_000;
  assertEquals(await call(), 2);
  for (let xid = 100; xid < 355; xid++) await call({ xid });
  assertEquals(await call(), 2);
  await call({ xid: 355 });
  assertEquals(await call(), 259);
});

Deno.test("failed calls, and those with long arguments, are not remembered", async () => {
  const duplicates = new Duplicates({ now: () => 0 });
  const failing = () => Promise.reject(new Error("broken"));
  assertEquals(
    await Promise.resolve(duplicates.answer(CALL, failing)).catch(() => "failed"),
    "failed",
  );
  const call = counting(duplicates);
  assertEquals([await call(), await call()], [1, 1]);
  const args = new Uint8Array(3000);
  assertEquals([await call({ args }), await call({ args })], [2, 3]);
});

Deno.test("a call answered before the tree was emptied is carried out again", async () => {
  let epoch = 0;
  const call = counting(new Duplicates({ now: () => 0, epoch: () => epoch }));
  assertEquals([await call(), await call()], [1, 1]);
  epoch++;
  assertEquals([await call(), await call()], [2, 2]);
});
