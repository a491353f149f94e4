import { assertEquals, assertRejects } from "@std/assert";
import type { Verdict } from "./expect.ts";
import { ExpectationHistory } from "./history.ts";

const verdict = (met: boolean, message?: string): Verdict => ({
  met,
  count: 0,
  events: [],
  ...(message === undefined ? {} : { message }),
});

function started(): ExpectationHistory {
  return new ExpectationHistory({ now: () => new Date("2026-11-23T06:00:00Z") });
}

const run = (history: ExpectationHistory, expectation: unknown, met = true) =>
  history.record(expectation, () => Promise.resolve(verdict(met, met ? undefined : "Missing")));

Deno.test("expectations that ran are recorded with their results; refused ones are not", async () => {
  const history = started();
  await run(history, { name: "welcome mail", type: "mail.message", namespace: "t1" });
  await run(history, { plugin: "sms", count: 2 }, false);
  await assertRejects(() => history.record({}, () => Promise.reject(new Error("stopped"))));
  const [first, second, third] = history.list();
  assertEquals(third, undefined);
  assertEquals([first?.name, first?.met, first?.error], ["welcome mail", true, undefined]);
  assertEquals(first?.expectation, { type: "mail.message", namespace: "t1" });
  assertEquals([second?.met, second?.error], [false, "Missing"]);
  assertEquals(history.list({ namespace: "t1" }), [first!]);
  assertEquals(history.list({ plugin: "mail" }), [first!]);
  assertEquals(history.list({ met: false }), [second!]);
  history.clear({ plugin: "mail" });
  assertEquals(history.list(), [second!]);
  history.clear();
  assertEquals(history.list(), []);
});

Deno.test("the record is limited in number and size", async () => {
  const history = started();
  const long = { match: { subject: "x".repeat(20_000) } };
  await history.record(long, () => Promise.resolve(verdict(false, "e".repeat(100_000))));
  const [kept] = history.list();
  assertEquals([kept?.expectation, kept?.error?.length], [undefined, 8192]);
  for (let n = 0; n < 2100; n++) await run(history, { match: { n } });
  assertEquals(history.list().length, 2000);
  assertEquals(history.list()[0]?.expectation, { match: { n: 100 } });
  for (let n = 0; n < 2000; n++) await run(history, { match: { n, text: "x".repeat(10_000) } });
  assertEquals(history.list().length < 1000, true);
  // Each list is many times its two characters.
  for (let n = 0; n < 200; n++) await run(history, { match: { n, a: Array(5000).fill([]) } });
  assertEquals(history.list().length < 100, true);
});

Deno.test("imported records are added once, in order", async () => {
  const [from, to] = [started(), started()];
  await run(from, { match: { n: 1 } });
  await run(to, { match: { n: 2 } });
  await run(from, { match: { n: 3 } });
  to.restore(from.list());
  to.restore(from.list());
  const ids = to.list().map(({ id }) => id);
  assertEquals([ids.length, ids], [3, ids.toSorted()]);
});

Deno.test("imported records are truncated, and the oldest of all are dropped first", async () => {
  const history = started();
  await run(history, { name: "own" });
  const [own] = history.list();
  const old = (at: number) => ({
    ...own!,
    id: at.toString(16).padStart(24, "0"),
    name: `old ${at}`,
  });
  const large = {
    ...old(2501),
    error: "e".repeat(9_000_000),
    expectation: { subject: "x".repeat(9_000_000) },
    events: Array.from({ length: 5000 }, () => own!.id),
  };
  history.restore([...Array.from({ length: 2500 }, (_, at) => old(at)), large, large]);
  const kept = history.list();
  assertEquals(kept.at(-1)?.name, "own");
  assertEquals(kept.filter(({ name }) => name === "old 2501").length, 1);
  const { error, expectation, events } = kept.at(-2)!;
  assertEquals([error?.length, expectation, events.length], [8192, undefined, 100]);
  assertEquals(kept.length, 2000);
});
