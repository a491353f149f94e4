import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { ExpectationError, type Service, start, TimeoutError } from "../../mod.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

interface Verdict {
  readonly met: boolean;
  readonly count: number;
  readonly events: readonly {
    readonly summary: string;
    readonly extracted?: { readonly codes: readonly string[] };
  }[];
  readonly step?: number;
  readonly closest?: {
    readonly event: { readonly summary: string };
    readonly fields: readonly {
      readonly path: string;
      readonly met: boolean;
      readonly got?: unknown;
      readonly near?: readonly string[];
    }[];
  };
  readonly error?: string;
}

async function send({ ingress }: Service, body: string): Promise<void> {
  const answer = await fetch(`${ingress.url}/toy/send?x=1`, {
    method: "POST",
    body,
    headers: { "X-Team": "blue" },
  });
  assertEquals(await answer.text(), "ok");
}

async function startToy(): Promise<TestService> {
  return await startService({ plugins: [toy] });
}

async function expect(
  { api }: Service,
  expectation: unknown,
  status?: number,
): Promise<Verdict> {
  const body = typeof expectation === "string" ? expectation : JSON.stringify(expectation);
  const response = await fetch(`${api.url}/api/v1/expect`, { method: "POST", body });
  const verdict = await response.json();
  if (status !== undefined) assertEquals(response.status, status, JSON.stringify(verdict));
  return verdict;
}

const now = { timeout: 0 };

Deno.test("conditions: equals, contains, matches, exists, and not", async () => {
  await using service = await startToy();
  await send(service, "Your code is 123456, see https://example.org/?token=abc");
  const met: readonly Record<string, unknown>[] = [
    { "payload.line": { contains: "code" } },
    { line: { contains: "code" } },
    { "$.payload.line": { regex: "^Your .* \\d{6}" } },
    { "$['payload']['line']": { regex: "(?i)YOUR CODE" } },
    { "payload.version": "1.1", "raw.method": "POST" },
    { "raw.headers['x-team']": ["blue"] },
    { "raw.headers.x-team[0]": "blue" },
    { "raw.headers['x-team'][-1]": "blue" },
    { "raw.body_text": { contains: "123456" } },
    { "raw": { contains: { method: "POST", path: "/toy/send?x=1" } } },
    { "payload.nothing": { exists: false } },
    { "payload.line": { exists: true, not: { contains: "Goodbye" } } },
    { codes: ["123456"] },
    { "codes[0]": { regex: "^\\d{6}$" } },
    { "links[*]": { contains: "example.org" } },
    { tokens: { contains: "abc" } },
    { text: { contains: "Your code" } },
    { "received_at": { regex: "^\\d{4}-" } },
  ];
  for (const match of met) await expect(service, { match, ...now }, 200);
  const unmet: readonly Record<string, unknown>[] = [
    { "payload.line": "Your code" },
    { "payload.line": { contains: "your code" } },
    { "payload.version": 1.1 },
    { "payload.line": { not: { contains: "code" } } },
    { "payload.line.length": { exists: true } },
    { "payload.constructor": { exists: true } },
    { "payload.__proto__": { exists: true } },
    { "codes[1]": { exists: true } },
    { raw: { contains: { method: "GET" } } },
    { "raw.headers": { contains: { "x-team": ["red"] } } },
  ];
  for (const match of unmet) await expect(service, { match, ...now }, 409);
});

Deno.test("a failure shows the closest event, condition by condition", async () => {
  await using service = await startToy();
  await send(service, "Hello Bob\nHello Ada");
  await send(service, "something else");
  const verdict = await expect(service, {
    type: "toy.message",
    match: {
      "payload.line": "Hello Ad",
      "payload.version": "1.1",
      "payload.lin": { exists: true },
    },
    ...now,
  }, 409);
  assertEquals([verdict.met, verdict.count, verdict.events], [false, 0, []]);
  assertEquals(verdict.closest?.event.summary, "something else");
  assertEquals(verdict.closest?.fields.map(({ path, met }) => [path, met]), [
    ["type", true],
    ["payload.line", false],
    ["payload.version", true],
    ["payload.lin", false],
  ]);
  assertEquals(verdict.closest?.fields.at(-1)?.near, ["line", "version"]);
  assertStringIncludes(
    verdict.error!,
    'differs payload.line: expected "Hello Ad", got "something else"',
  );
  assertStringIncludes(verdict.error!, "got nothing; there are line, version");
  const nearer = await expect(service, {
    match: { "payload.line": { contains: "Hello" }, "summary": { regex: "Ada?m$" } },
    ...now,
  }, 409);
  assertEquals(nearer.closest?.event.summary, "Hello Ada");
  service.events.clear();
  const empty = await expect(service, { type: "toy.message", ...now }, 409);
  assertStringIncludes(
    empty.error!,
    "nothing at all was captured: check that the sender uses this service",
  );
  await send(service, "Hello");
  const more = await expect(service, { type: "toy.message", count: 2, ...now }, 409);
  assert(
    more.error!.endsWith("1 event matches, expected 2; nothing else was captured"),
    more.error,
  );
});

Deno.test("counts: at least one, an exact number, a range, none", async () => {
  await using service = await startToy();
  await send(service, "a1\na2\na3");
  const of = (more: Record<string, unknown>) => ({ search: "a", ...now, ...more });
  assertEquals((await expect(service, of({}), 200)).count, 3);
  assertEquals((await expect(service, of({ count: 3 }), 200)).events.map((e) => e.summary), [
    "a1",
    "a2",
    "a3",
  ]);
  await expect(service, of({ count: { min: 2, max: 3 } }), 200);
  await expect(service, of({ count: { max: 3 } }), 200);
  await expect(service, of({ search: "b", none: true }), 200);
  await expect(service, of({ search: "b", count: 0 }), 200);
  assertStringIncludes(
    (await expect(service, of({ count: 4 }), 409)).error!,
    "3 events match, expected 4",
  );
  assertStringIncludes(
    (await expect(service, of({ count: 2 }), 409)).error!,
    "3 events match, expected at most 2:\n",
  );
  assertEquals((await expect(service, of({ none: true }), 409)).events.length, 3);
});

Deno.test("order: consecutive events, others in between, and what broke it", async () => {
  await using service = await startToy();
  await send(service, "one\nnoise\ntwo\nthree");
  const line = (text: string) => ({ match: { line: text } });
  const right = await expect(service, { order: [line("one"), line("two"), line("three")] }, 200);
  assertEquals(right.events.map(({ summary }) => summary), ["one", "two", "three"]);
  const wrong = await expect(
    service,
    { type: "toy.message", order: [line("two"), line("one")], ...now },
    409,
  );
  assertEquals([wrong.count, wrong.step, wrong.closest?.event.summary], [1, 1, "one"]);
  assertEquals(wrong.closest?.fields.map(({ path, met, got }) => [path, met, got]), [
    ["type", true, "toy.message"],
    ["line", true, "one"],
    ["order", false, "before it"],
  ]);
});

Deno.test("an expectation waits for future events", async () => {
  await using service = await startToy();
  const waiting = async (count: number) => {
    while (service.events.watchers < count) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const one = expect(service, { match: { line: "later" }, timeout: "30s" }, 200);
  const order = expect(service, { order: [{ search: "first" }, { search: "second" }] }, 200);
  const none = expect(service, { search: "alarm", none: true, timeout: "30s" }, 409);
  const quiet = expect(service, { search: "never", none: true, timeout: 50 }, 200);
  await waiting(4);
  await send(service, "second\nfirst\nlater");
  await one;
  await waiting(2);
  await send(service, "alarm\nsecond");
  assertEquals((await order).events.map(({ summary }) => summary), ["first", "second"]);
  assertEquals((await none).count, 1);
  await quiet;
});

Deno.test("deleted and cleared events do not count towards an order", async () => {
  await using service = await startToy();
  await send(service, "one");
  const order = expect(service, { order: [{ search: "one" }, { search: "two" }], timeout: "30s" });
  while (service.events.watchers < 1) await new Promise((resolve) => setTimeout(resolve, 1));
  service.events.clear();
  await send(service, "two");
  assertEquals(service.events.watchers, 1);
  await send(service, "one");
  await send(service, "two");
  assertEquals((await order).events.map(({ summary }) => summary), ["one", "two"]);
});

Deno.test("an invalid expectation is refused with what is valid", async () => {
  await using service = await startToy();
  const refused: readonly (readonly [unknown, string])[] = [
    ["{", "expected JSON"],
    ["[]", "expected an object"],
    [{ typ: "x" }, 'unknown key "typ"; did you mean "type"?'],
    [{ type: 1 }, "Cannot use type of the expectation: expected text"],
    [{ match: [] }, "expected conditions by path"],
    [{ match: { "a..b": 1 } }, 'Cannot read path "a..b"'],
    [{ match: { "": 1 } }, 'Cannot read path ""'],
    [{ match: { a: { equal: 1 } } }, "did you mean equals?"],
    [{ match: { a: {} } }, "it is empty"],
    [{ match: { a: { regex: "(?=a)" } } }, "Perl syntax"],
    [{ match: { a: { regex: "(" } } }, 'match["a"] of the expectation.regex "("'],
    [{ match: { a: { regex: "a".repeat(1001) } } }, "at most 1000"],
    [{ match: { a: { exists: 1 } } }, "expected true or false"],
    [{ count: -1 }, "expected an integer from 0 to 10000"],
    [{ count: { min: 3, max: 2 } }, "expected a min of at most its max"],
    [{ none: true, count: 1 }, "none is a count of 0"],
    [{ order: [] }, "expected a list of 1 to 100 patterns"],
    [{ order: [{ count: 1 }] }, 'Cannot use order[0]: unknown key "count"'],
    [{ order: [{}], none: true }, "together with order"],
    [{ timeout: "2m" }, "at most 60000 ms"],
    [{ timeoutMs: 5 }, 'write "timeout"'],
    [{ since: "yesterday" }, "RFC 3339"],
  ];
  for (const [expectation, message] of refused) {
    const { error } = await expect(service, expectation, 400);
    assertStringIncludes(error!, message);
  }
  await expect(service, JSON.stringify({ search: "x".repeat(1_100_000) }), 413);
});

Deno.test("a pattern with catastrophic backtracking terminates", async () => {
  await using service = await startToy();
  await send(service, "a".repeat(200_000) + "!");
  await expect(service, { match: { line: { regex: "^(a+)+$" } }, ...now }, 409);
  await expect(service, { match: { line: { regex: "(a|aa)*(a|aa)*(a|aa)*b" } }, ...now }, 409);
});

Deno.test("the library expects, lists, clears and extracts with the same engine", async () => {
  await using standin = await start({ plugins: [toy], ports: 0, config: { host: "127.0.0.1" } });
  await send(standin, "Your code is 123456");
  await send(standin, "Hello");
  const [event] = await standin.expect("toy.message", {
    match: { "codes[0]": { regex: /^\d{6}$/ } },
  });
  assertEquals(event?.summary, "Your code is 123456");
  assertEquals((await standin.extract(event!)).codes, ["123456"]);
  assertEquals((await standin.waitFor("toy.message", { has: "code" })).id, event!.id);
  assertEquals((await standin.waitFor("toy.message", { text: "HELLO" })).summary, "Hello");
  assertEquals(standin.list("toy.message", { search: "hello" }).map((e) => e.summary), ["Hello"]);
  assertEquals(standin.list().length, 2);
  const error = await assertRejects(
    () => standin.expect({ match: { line: /x/ }, timeoutMs: 0 } as never),
    RangeError,
  );
  assertStringIncludes(error.message, "it is empty");
  const failed = await assertRejects(
    () => standin.expect({ match: { line: { regex: /^Bye/ } }, timeoutMs: 0 }),
    ExpectationError,
  );
  assertEquals(failed.verdict.closest?.event.summary, "Hello");
  assertStringIncludes(failed.message, 'expected {"regex":"/^Bye/"}, got "Hello"');
  assertThrows(() => standin.clear("mail"), RangeError, 'unknown plugin "mail"; known are toy');
  assertEquals(standin.clear(), 2);
  await standin.expect({ none: true });
  const late = await assertRejects(
    () => standin.waitFor("toy.message", { timeoutMs: 0 }),
    TimeoutError,
  );
  assertStringIncludes(
    late.message,
    "nothing at all was captured: check that the sender uses this service",
  );
});

Deno.test("lists and waits filter by extracted text, and return what they found", async () => {
  await using service = await startToy();
  await send(service, "Your code is 123456\nsee https://example.org/\nnothing");
  type Listed = { summary: string; extracted?: { codes: string[]; links: string[] } };
  const list = async (path: string) => await service.getJson<Listed[]>(path);
  for (const path of ["/events?", "/events/wait?timeout=0&", "/toy/messages?"]) {
    assertEquals((await list(`${path}has=code`)).map((e) => e.summary), ["Your code is 123456"]);
    assertEquals((await list(`${path}has=link`)).map((e) => e.summary), [
      "see https://example.org/",
    ]);
    assertEquals((await list(`${path}text=YOUR&has=code`)).length, 1);
  }
  assertEquals((await list("/events?has=code"))[0]!.extracted, undefined);
  assertEquals((await list("/events?has=code&include_extracted=1"))[0]!.extracted?.codes, [
    "123456",
  ]);
  const [waited] = await list("/events/wait?has=link");
  assertEquals(waited!.extracted?.links, ["https://example.org/"]);
  assert("extracted" in await service.getJson<Listed>(`/events/${service.events.list({})[0]!.id}`));
  await service.getJson("/events?has=everything", 400);
});
