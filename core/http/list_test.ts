import { assert, assertEquals } from "@std/assert";
import { MemoryEventStore } from "../events/store.ts";
import { createIds } from "../ids.ts";
import { listEvents, type ListQuery } from "./list.ts";

const NOTHING_ASKED: ListQuery = {
  provider: undefined,
  namespace: undefined,
  type: undefined,
  search: undefined,
  since: undefined,
  after: undefined,
  text: undefined,
  has: undefined,
  checks: undefined,
  limit: undefined,
  offset: undefined,
  wait: undefined,
  count: undefined,
  timeout: undefined,
  absent: undefined,
};

/** A store of mails with their numbers as bodies; the last added is listed first. */
function setUp(count: number, size: number) {
  const store = new MemoryEventStore({
    limits: { capacityOf: () => count, maxRawBytes: Infinity },
    clock: { now: () => new Date(0) },
    nextId: createIds({ nowMs: () => 0, random: () => 0 }),
    blobs: { release() {} },
    onOversize() {},
  });
  for (let i = 0; i < count; i++) {
    store.add("mail", "smtp", {
      type: "mail.message",
      summary: `mail ${i}`,
      payload: `${"A line of a mail. ".repeat(size)}Number ${i}, ${i % 2 === 0 ? "even" : "odd"}.`,
      raw: { transport: "smtp", text: true, body: new Uint8Array() },
    });
  }
  const ask = (
    query: Partial<ListQuery>,
    match?: (summary: string) => boolean,
    options?: { takesLong: boolean },
  ) =>
    listEvents(
      {
        http: { gone: new AbortController().signal },
        query: { ...NOTHING_ASKED, ...query },
        ctx: {
          events: store,
          signal: new AbortController().signal,
          now: () => new Date(0),
          names: [],
          texts: ({ payload }) => [{ kind: "plain", text: String(payload) }],
          findings: () => Promise.resolve([]),
        },
      },
      match === undefined ? undefined : { matches: ({ summary }) => match(summary), ...options },
    );
  return { store, ask };
}

const summaries = (events: readonly { readonly summary: string }[]) =>
  events.map(({ summary }) => summary);

Deno.test("a text search runs after all other conditions, and is paged", async () => {
  const { ask } = setUp(10, 1);
  assertEquals(summaries(await ask({ text: "EVEN" })), [8, 6, 4, 2, 0].map((i) => `mail ${i}`));
  assertEquals(summaries(await ask({ text: "even", limit: 2 })), ["mail 8", "mail 6"]);
  assertEquals(summaries(await ask({ text: "even", offset: 3, limit: 0 })), ["mail 2", "mail 0"]);
  assertEquals(summaries(await ask({ text: "even", offset: 1, limit: 1 })), ["mail 6"]);
  assertEquals(await ask({ text: "even", offset: 9 }), []);
  assertEquals(summaries(await ask({ text: "odd", search: "mail 3" })), ["mail 3"]);
  const low = (summary: string) => summary < "mail 4";
  assertEquals(summaries(await ask({ text: "odd" }, low)), ["mail 3", "mail 1"]);
  assertEquals(await ask({ text: "neither" }), []);
});

Deno.test("searching many bodies yields to other work", async () => {
  const { ask } = setUp(400, 2000);
  const found = ask({ has: "token" });
  const turns = await turnsDuring(found);
  assertEquals(await found, []);
  assert(turns > 3, `others had ${turns} turns`);
});

Deno.test("a slow condition yields to other work, too", async () => {
  const { ask } = setUp(10, 1);
  const isOdd = (summary: string) => {
    for (const untilMs = performance.now() + 5; performance.now() < untilMs;);
    return /[13579]$/.test(summary);
  };
  const found = ask({ offset: 1, limit: 3, text: "odd" }, isOdd, { takesLong: true });
  const turns = await turnsDuring(found);
  assertEquals(summaries(await found), ["mail 7", "mail 5", "mail 3"]);
  assert(turns > 2, `others had ${turns} turns`);
});

async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let done = false;
  const end = work.finally(() => done = true);
  let turns = 0;
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    turns++;
  }
  await end;
  return turns;
}
