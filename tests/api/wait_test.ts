import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

interface Listed {
  readonly id: string;
  readonly summary: string;
}

interface Answer {
  readonly status: number;
  readonly summaries: readonly string[];
  readonly error: string;
}

async function startToy(config: Record<string, unknown> = {}): Promise<TestService> {
  return await startService({ plugins: [toy], config });
}

async function send(service: TestService, body: string): Promise<void> {
  const answer = await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body });
  assertEquals(await answer.text(), "ok");
}

async function ask(service: TestService, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${service.api.url}/api/v1${path}`, init);
  const body = await response.json();
  return response.ok
    ? { status: response.status, summaries: body.map((one: Listed) => one.summary), error: "" }
    : { status: response.status, summaries: [], error: body.error };
}

/** Resolves once that many wait. */
async function waiting({ events }: TestService, count: number): Promise<void> {
  while (events.watchers < count) await new Promise((resolve) => setTimeout(resolve, 1));
}

for (const path of ["/events/wait?", "/events?wait=1&", "/toy/messages?wait=1&"]) {
  Deno.test(`${path} accepts a past event, a future one, and both together`, async () => {
    await using service = await startToy();
    await send(service, "before");
    assertEquals((await ask(service, `${path}search=before`)).summaries, ["before"]);
    const later = ask(service, `${path}search=later`);
    const both = ask(service, `${path}count=2`);
    await waiting(service, 2);
    await send(service, "later");
    assertEquals((await later).summaries, ["later"]);
    assertEquals((await both).summaries, ["later", "before"]);
    assertEquals(service.events.watchers, 0);
  });

  Deno.test(`${path} answers 409 with what did arrive when it times out`, async () => {
    await using service = await startToy();
    await send(service, "something else");
    const { status, error } = await ask(service, `${path}search=nothing&timeout=10ms`);
    assertEquals(status, 409);
    assertStringIncludes(error, "0 of 1 events match after 10 ms");
    assertStringIncludes(error, "toy.message by post: something else");
  });

  Deno.test(`${path} with absent holds as long as nothing matches`, async () => {
    await using service = await startToy();
    await send(service, "harmless");
    const quiet = await ask(service, `${path}search=alarm&absent=1&timeout=20`);
    assertEquals([quiet.status, quiet.summaries], [200, []]);
    const watched = ask(service, `${path}search=alarm&absent=1&timeout=60s`);
    await waiting(service, 1);
    await send(service, "alarm");
    const broken = await watched;
    assertEquals(broken.status, 409);
    assertMatch(
      broken.error,
      /fewer than 1 events match: there are\n {2}toy\.message \w+: alarm$/,
    );
    const few = await ask(service, `${path}absent=1&count=3&timeout=1`);
    assertEquals([few.status, few.summaries], [200, ["alarm", "harmless"]]);
  });
}

Deno.test("count, timeout or absent makes a list wait; wait=0 does not", async () => {
  await using service = await startToy();
  for (const query of ["count=1&timeout=1", "timeout=1", "wait=1&timeout=1"]) {
    assertEquals((await ask(service, `/toy/messages?${query}`)).status, 409, query);
  }
  assertEquals((await ask(service, "/toy/messages?absent=1&timeout=1")).status, 200);
  assertEquals((await ask(service, "/toy/messages?wait=0&count=3")).summaries, []);
});

Deno.test("a wait accepts every filter, and pages the matches", async () => {
  await using service = await startToy();
  await send(service, "a\nb\nc");
  const [c, b, a] = service.events.list({});
  const after = await ask(service, `/events/wait?after=${a!.id}&count=2`);
  assertEquals(after.summaries, [c!.summary, b!.summary]);
  const paged = await ask(service, "/events/wait?count=3&limit=1&offset=1");
  assertEquals(paged.summaries, ["b"]);
  for (
    const query of ["provider=echo", "type=toy.message&search=d", "since=2999-01-01T00:00:00Z"]
  ) {
    assertEquals((await ask(service, `/events/wait?${query}&timeout=0`)).status, 409, query);
  }
  const rest = await ask(
    service,
    "/events/wait?plugin=toy&provider=post&type=toy.message&since=1h&count=3",
  );
  assertEquals(rest.summaries, ["c", "b", "a"]);
});

Deno.test("an invalid wait is refused", async () => {
  await using service = await startToy();
  const refused: readonly (readonly [string, string])[] = [
    ["count=0", "expected a count from 1 to 10000; absent=1 waits for none"],
    ["count=10001", "expected a count from 1 to 10000"],
    ["timeout=61s", 'timeout "61s": expected a duration such as 5s or 300ms'],
    ["timeout=soon", 'timeout "soon"'],
    ["absent=perhaps", "perhaps"],
  ];
  for (const [query, message] of refused) {
    const { status, error } = await ask(service, `/events/wait?${query}`);
    assertEquals(status, 400, query);
    assertStringIncludes(error, message);
  }
});

Deno.test("events cleared meanwhile do not count; evicted ones do", async () => {
  await using service = await startToy({ storage: { capacity: 2 } });
  await send(service, "one");
  const two = ask(service, "/events/wait?count=2&timeout=30s");
  const four = ask(service, "/events/wait?count=4&timeout=30s");
  await waiting(service, 2);
  service.events.clear();
  await send(service, "two");
  assertEquals(service.events.watchers, 2);
  await send(service, "three");
  assertEquals((await two).summaries, ["three", "two"]);
  await send(service, "four\nfive");
  const { status, summaries } = await four;
  assertEquals([status, summaries], [200, ["five", "four"]]);
});

Deno.test("stopping the service answers pending waits", async () => {
  await using service = await startToy();
  const asked = ask(service, "/events/wait?timeout=60s");
  await waiting(service, 1);
  await service.stop();
  assertEquals(await asked, {
    status: 503,
    summaries: [],
    error: "Cannot wait any longer: the service stopped",
  });
});

Deno.test("a thousand parallel waits each get their own event", async () => {
  await using service = await startToy({ storage: { capacity: 1000 } });
  const count = 1000;
  const waits = Array.from(
    { length: count },
    (_, i) => ask(service, `/events/wait?search=for-${i}-&timeout=60s`),
  );
  await waiting(service, count);
  const lines = Array.from({ length: count }, (_, i) => `for-${i}-`);
  for (let from = 0; from < count; from += 100) {
    await send(service, lines.slice(from, from + 100).join("\n"));
  }
  const answers = await Promise.all(waits);
  assertEquals(answers.map(({ summaries }) => summaries), lines.map((line) => [line]));
});

Deno.test("a wait never misses an event that starts with it", async () => {
  await using service = await startToy({ storage: { capacity: 1000 } });
  for (let round = 0; round < 50; round++) {
    const rounds = Array.from({ length: 10 }, async (_, i) => {
      const name = `at-once-${round}-${i}-`;
      const wait = () => ask(service, `/events/wait?search=${name}&timeout=30s`);
      const both = i % 2 === 0
        ? [send(service, name), wait()] as const
        : [wait(), send(service, name)] as const;
      const [first, second] = await Promise.all(both);
      assertEquals((first ?? second)?.summaries, [name]);
    });
    await Promise.all(rounds);
  }
});

Deno.test("in ten thousand sends, absent has no false positives or negatives", async () => {
  await using service = await startToy({ storage: { capacity: 50 } });
  const sends = 10_000;
  const needles = [0, 1, 4999, 5000, 9999];
  const present = needles.map((at) =>
    ask(service, `/events/wait?search=needle-${at}-&absent=1&timeout=60s`)
  );
  const absentFor = Array.from(
    { length: 5 },
    (_, i) => ask(service, `/toy/messages?search=never-${i}&absent=1&timeout=60s`),
  );
  await waiting(service, present.length + absentFor.length);
  let next = 0;
  const sender = async () => {
    for (let at = next++; at < sends; at = next++) {
      await send(service, needles.includes(at) ? `needle-${at}-` : `hay-${at}-`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, sender));
  for (const answer of await Promise.all(present)) assertEquals(answer.status, 409);
  assertEquals(service.events.watchers, absentFor.length);
  await send(service, "never-0\nnever-1\nnever-2\nnever-3\nnever-4");
  for (const [i, { status, error }] of (await Promise.all(absentFor)).entries()) {
    assertEquals(status, 409);
    assert(error.endsWith(`: never-${i}`), error);
  }
});

Deno.test("a failed wait on an empty instance says where to look", async () => {
  await using service = await startService({ plugins: [toy] });
  const said = async (query: string) =>
    (await ask(service, `/events/wait?type=toy.message&timeout=0${query}`)).error;
  const look = "no test framework intercepts it, as pytest-django does with mail; /api/v1/rejected";
  assertStringIncludes(
    await said(""),
    `nothing at all was captured: check that the sender uses this service`,
  );
  assertStringIncludes(await said(""), look);
  assertStringIncludes(await said("&namespace=blue"), look);
  await send(service, "one");
  assertStringIncludes(
    await said("&namespace=blue"),
    'nothing at all was captured in namespace "blue": the captures belong to other namespaces',
  );
  assertEquals((await said("&search=two")).includes(look), false);
});

Deno.test("every plugin's list can wait, with its own filters", async () => {
  await using service = await startService();
  for (const plugin of ["as2", "chat", "hl7", "mail", "push", "sms"]) {
    const { status, error } = await ask(service, `/${plugin}/messages?wait=1&timeout=0`);
    assertEquals([status, error.includes(`${plugin} captured nothing`)], [409, true], error);
  }
  const post = async (channel: string, text: string) => {
    const answer = await fetch(`${service.ingress.url}/api/chat.postMessage`, {
      method: "POST",
      headers: { authorization: "Bearer xoxb-1", "content-type": "application/json" },
      body: JSON.stringify({ channel, text }),
    });
    assertEquals((await answer.json()).ok, true);
  };
  const path = "/api/v1/chat/messages?channel=C0NEW&timeout=60s";
  const asked = fetch(`${service.api.url}${path}`);
  await waiting(service, 1);
  await post("C0OTHER", "not this");
  await post("C0NEW", "first in its channel");
  const [{ message }] = await (await asked).json();
  assertEquals(message.text, "first in its channel");
});
