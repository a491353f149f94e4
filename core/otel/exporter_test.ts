import { assert, assertEquals } from "@std/assert";
import { createLogger } from "../log.ts";
import { type OtlpAnswer, SpanExporter } from "./exporter.ts";
import type { OtlpSpan } from "./span.ts";

function span(name: string): OtlpSpan {
  return {
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: "00f067aa0ba902b7",
    flags: 1,
    name,
    kind: 2,
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    attributes: [],
  };
}

type Reply = number | Error | Partial<OtlpAnswer>;

/** A collector that gives these responses, and then repeats the last one. */
class Collector {
  readonly log: string[] = [];
  readonly batches: string[][] = [];
  readonly exporter: SpanExporter;
  readonly #replies: Reply[];
  readonly #waits: { count: number; resolve: () => void }[] = [];

  constructor(replies: readonly Reply[], pace = 0.001) {
    this.#replies = [...replies];
    this.exporter = new SpanExporter({
      resource: [],
      version: "1",
      pace,
      random: () => 0.5,
      log: createLogger({
        level: "info",
        write: (line) => this.log.push(line),
        now: () => new Date(),
      }),
      send: (body) => this.#answer(body),
    });
  }

  /** Resolves after this many requests. */
  requests(count: number): Promise<void> {
    if (this.batches.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waits.push({ count, resolve }));
  }

  #answer(body: string): Promise<OtlpAnswer> {
    const [resource] = JSON.parse(body).resourceSpans;
    this.batches.push(resource.scopeSpans[0].spans.map(({ name }: OtlpSpan) => name));
    for (const { count, resolve } of this.#waits) if (this.batches.length >= count) resolve();
    const reply = this.#replies.length > 1 ? this.#replies.shift()! : this.#replies[0]!;
    if (reply instanceof Error) return Promise.reject(reply);
    const given = typeof reply === "number" ? { status: reply } : reply;
    return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array(), ...given });
  }
}

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

Deno.test("spans go in batches, and none is sent twice", async () => {
  const collector = new Collector([200]);
  const { exporter } = collector;
  for (let i = 0; i < 1100; i++) exporter.add(span(String(i)));
  await collector.requests(3);
  await exporter[Symbol.asyncDispose]();
  assertEquals(collector.batches.map(({ length }) => length), [512, 512, 76]);
  assertEquals(collector.batches.flat(), Array.from({ length: 1100 }, (_, i) => String(i)));
  assertEquals(exporter.counts, { sent: 1100, dropped: new Map(), queued: 0 });
});

Deno.test("throttling, a full gateway and a lost connection are retried", async () => {
  const again: Reply[] = [
    { status: 429, headers: { "retry-after": "1" } },
    503,
    502,
    504,
    new Error("refused"),
    { status: 503, headers: { "retry-after": new Date(0).toUTCString() } },
    200,
  ];
  const collector = new Collector(again);
  collector.exporter.add(span("a"));
  await collector.requests(again.length);
  await collector.exporter[Symbol.asyncDispose]();
  assertEquals(collector.batches, again.map(() => ["a"]));
  assertEquals(collector.exporter.counts.sent, 1);
  // Logged once, and again when the collector recovers.
  assertEquals(collector.log.length, 2);
  assert(collector.log[0]!.includes("429") && collector.log[1]!.includes("again"));
});

Deno.test("other refusals are final", async () => {
  for (const status of [400, 401, 404, 413, 500, 302]) {
    const collector = new Collector([status, 200]);
    collector.exporter.add(span("a"));
    await collector.requests(1);
    collector.exporter.add(span("b"));
    await collector.requests(2);
    await collector.exporter[Symbol.asyncDispose]();
    assertEquals(collector.batches, [["a"], ["b"]], String(status));
    assertEquals(collector.exporter.counts.dropped, new Map([["refused", 1]]));
    assertEquals(collector.exporter.counts.sent, 1);
  }
});

Deno.test("an unreachable collector costs the batch after at most eight attempts", async () => {
  const collector = new Collector([new Error("refused")]);
  collector.exporter.add(span("a"));
  await collector.requests(8);
  collector.exporter.add(span("b"));
  await collector.requests(9);
  await collector.exporter[Symbol.asyncDispose]();
  assertEquals(collector.batches[8], ["b"]);
  assertEquals(collector.exporter.counts.dropped.get("unreachable"), 1);
  assertEquals(collector.exporter.counts.dropped.get("stopped"), 1);
});

Deno.test("a full queue drops the newest span, and adding never waits", async () => {
  const collector = new Collector([200], 100);
  for (let i = 0; i < 5000; i++) collector.exporter.add(span(String(i)));
  const { sent, queued, dropped } = collector.exporter.counts;
  assertEquals([sent + queued, dropped.get("queue_full")], [2048, 2952]);
  await collector.exporter[Symbol.asyncDispose]();
  assertEquals(collector.exporter.counts.sent, 2048);
  collector.exporter.add(span("late"));
  assertEquals(collector.exporter.counts.dropped.get("stopped"), 1);
});

Deno.test("queued spans are sent at once when the service stops", async () => {
  const collector = new Collector([200], 1000);
  collector.exporter.add(span("a"));
  await collector.exporter[Symbol.asyncDispose]();
  assertEquals(collector.batches, [["a"]]);
});

Deno.test("a stop ends a long wait, and an unreachable collector is not retried", async () => {
  const collector = new Collector([{ status: 503, headers: { "retry-after": "300" } }, 200], 0.01);
  collector.exporter.add(span("a"));
  await collector.requests(1);
  await collector.exporter[Symbol.asyncDispose]();
  assertEquals(collector.exporter.counts.queued, 0);
  assertEquals(collector.exporter.counts.dropped, new Map([["stopped", 1]]));
  assertEquals(collector.batches.length, 1);
});

Deno.test("spans that a collector accepts in part are counted accordingly", async () => {
  const body = json({ partialSuccess: { rejectedSpans: "2", errorMessage: "too old" } });
  const collector = new Collector([{ body }]);
  for (const name of ["a", "b", "c"]) collector.exporter.add(span(name));
  await collector.requests(1);
  await collector.exporter[Symbol.asyncDispose]();
  const { sent, dropped } = collector.exporter.counts;
  assertEquals([sent, dropped.get("refused"), collector.batches.length], [1, 2, 1]);
  assert(collector.log.some((line) => line.includes("too old")));
});

Deno.test("spans count as accepted whatever the body of the collector's answer", async () => {
  const odd = ["", "{", "null", '{"partialSuccess":{"rejectedSpans":-5}}', '{"partialSuccess":7}'];
  for (const text of odd) {
    const collector = new Collector([{ body: new TextEncoder().encode(text) }]);
    collector.exporter.add(span("a"));
    await collector.requests(1);
    await collector.exporter[Symbol.asyncDispose]();
    assertEquals(collector.exporter.counts.sent, 1, text);
  }
});
