import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { defineOptions, integer } from "../options/spec.ts";
import { Faults, MAX_PATTERN_RULES, MAX_RULES } from "./engine.ts";
import type { FaultSubject } from "./outcome.ts";
import { faultPlaces } from "./places.ts";
import { readRule } from "./rule.ts";

const places = faultPlaces([{
  id: "mail",
  providers: [{
    id: "web",
    title: "Acme over HTTP",
    shortTitle: "Acme",
    kind: "ingress",
    faults: {
      phases: { capture: "The message" },
      outcomes: [
        {
          id: "rate_limit",
          about: "",
          source: "",
          params: defineOptions({ retry_after: integer("", 1, { max: 60 }) }),
        },
        { id: "unavailable", about: "", source: "" },
      ],
    },
  }, {
    id: "line",
    title: "A line",
    kind: "tcp",
    faults: {
      phases: { data: "The message", rcpt: "A recipient" },
      outcomes: [
        { id: "no_mailbox", about: "", source: "", phases: ["rcpt"] },
        { id: "unavailable", about: "", source: "" },
      ],
      core: ["close"],
    },
  }, { id: "plain", title: "Plain", kind: "tcp" }],
}]);

const read = (rule: unknown) => readRule(rule, { place: "the fault", places });

interface Given {
  readonly signal?: AbortSignal;
  readonly elapsedMs?: () => number;
}

function open({ signal = new AbortController().signal, elapsedMs = () => 0 }: Given = {}): Faults {
  return new Faults({
    namespaceOf: ({ meta }) => meta?.namespace as string | undefined,
    bits: () => 0,
    elapsedMs,
    signal,
    prepareResets: () => Promise.resolve(),
  });
}

function subject(payload: unknown, meta: Record<string, unknown> = {}): FaultSubject {
  return { payload, meta, raw: { transport: "http", text: true, body: new Uint8Array() } };
}

/** Outcomes of so many messages in turn, `-` for none. */
async function outcomes(
  faults: Faults,
  count: number,
  { payload = {}, on = "mail/web", phase = "capture" } = {},
): Promise<string> {
  const found: string[] = [];
  for (let n = 0; n < count; n++) {
    const fault = await faults.gate(on).ask(phase, [subject(payload)]);
    found.push(fault?.outcome ?? "-");
  }
  return found.join(" ");
}

async function withRules(...rules: unknown[]): Promise<Faults> {
  const faults = open();
  await faults.add(rules.map(read), "api");
  return faults;
}

Deno.test("a single outcome applies to every match, a list to one match each", async () => {
  const on = "mail/web";
  const always = await withRules({ on, outcome: "unavailable" });
  assertEquals(await outcomes(always, 3), "unavailable unavailable unavailable");
  const inTurn = await withRules({ on, outcome: ["rate_limit", "rate_limit", "close"] });
  assertEquals(await outcomes(inTurn, 5), "rate_limit rate_limit close - -");
  assertEquals(inTurn.list()[0]?.hits, 3);
  assertEquals(inTurn.list()[0]?.spent, true);
});

Deno.test("skip lets matches pass, times limits hits, and then a later rule applies", async () => {
  const on = "mail/web";
  const faults = await withRules(
    { on, outcome: "unavailable", skip: 1, times: 2 },
    { on, outcome: "rate_limit", skip: 1 },
  );
  // The second rule sees the first message, which the first rule lets pass, and those behind its hits.
  assertEquals(await outcomes(faults, 5), "- unavailable unavailable rate_limit rate_limit");
});

Deno.test("the outcome of the n-th match is independent of anything else", async () => {
  const rule = {
    on: "mail/web",
    outcome: "unavailable",
    chance: 0.5,
    seed: "a",
    match: { to: "x" },
  };
  const first = await outcomes(await withRules(rule), 40, { payload: { to: "x" } });
  assertEquals(first.includes("-") && first.includes("unavailable"), true);
  const other = await withRules({ on: "mail/line", outcome: "close" }, rule);
  const found: string[] = [];
  for (let n = 0; n < 40; n++) {
    await outcomes(other, 1, { on: "mail/line", phase: "data" });
    await outcomes(other, 1, { payload: { to: "y" } });
    found.push(await outcomes(other, 1, { payload: { to: "x" } }));
  }
  assertEquals(found.join(" "), first);
  assertEquals((first.match(/unavailable/g)?.length ?? 0) > 8, true);
});

Deno.test("conditions work as in an expectation, on payload, raw and meta", async () => {
  const on = "mail/web";
  const outcome = "unavailable";
  const fits = async (match: unknown, given: FaultSubject): Promise<boolean> => {
    const faults = await withRules({ on, outcome, match });
    return await faults.gate(on).ask("capture", [given]) !== undefined;
  };
  const one = subject({ to: [{ email: "ada@example.org" }] }, { key: "k" });
  assertEquals(await fits({ "to[*].email": "ada@example.org" }, one), true);
  assertEquals(await fits({ "payload.to[0].email": { regex: "^ada@" } }, one), true);
  assertEquals(await fits({ "to[*].email": { regex: "^bob@" } }, one), false);
  assertEquals(await fits({ "meta.key": "k", "raw.transport": "http" }, one), true);
  assertEquals(await fits({ "meta.key": "k", "raw.transport": "udp" }, one), false);
});

Deno.test("a rule with a namespace applies if one of several messages is in it", async () => {
  const faults = await withRules({ on: "mail/web", outcome: "unavailable", namespace: "t1" });
  const gate = faults.gate("mail/web");
  assertEquals(await gate.ask("capture", [subject({})]), undefined);
  assertEquals(await gate.ask("capture", []), undefined);
  const both = [subject({}), subject({}, { namespace: "t1" })];
  assertEquals((await gate.ask("capture", both))?.outcome, "unavailable");
});

Deno.test("a rule without conditions also hits unreadable requests", async () => {
  const faults = await withRules({ on: "mail/web", outcome: "unavailable" });
  assertEquals((await faults.gate("mail/web").ask("capture", []))?.outcome, "unavailable");
});

Deno.test("a gate is armed only while a rule can apply to its provider", async () => {
  const faults = open();
  const gate = faults.gate("mail/web");
  const other = faults.gate("mail/line");
  assertEquals([gate.armed, other.armed], [false, false]);
  const [held] = await faults.add([read({ on: "mail/web", outcome: ["unavailable"] })], "api");
  assertEquals([gate.armed, other.armed], [true, false]);
  await gate.ask("capture", [subject({})]);
  assertEquals(gate.armed, false);
  faults.remove(held!.id);
  await faults.add([read({ on: "mail", outcome: "close" })], "api");
  assertEquals([gate.armed, other.armed], [true, true]);
  faults.clear();
  assertEquals([gate.armed, other.armed], [false, false]);
});

Deno.test("a reset keeps rules from the file, with new counts, and removes those from the API", async () => {
  const faults = open();
  const on = "mail/web";
  await faults.add([read({ on, outcome: ["unavailable"] })], "file");
  await faults.add([read({ on, outcome: "rate_limit" })], "api");
  assertEquals(await outcomes(faults, 2), "unavailable rate_limit");
  faults.clear();
  assertEquals(faults.list().map(({ from, hits }) => [from, hits]), [["file", 0]]);
  assertEquals(await outcomes(faults, 2), "unavailable -");
  assertEquals(faults.remove("f1"), true);
  assertEquals(await outcomes(faults, 2), "unavailable -");
  assertEquals(faults.remove("f9"), false);
});

Deno.test("a rule expires by itself", async () => {
  let now = 0;
  const faults = open({ elapsedMs: () => now });
  await faults.add([read({ on: "mail/web", outcome: "unavailable", ttl: "5m" })], "api");
  now = 299_999;
  assertEquals(await outcomes(faults, 1), "unavailable");
  now = 300_000;
  assertEquals(await outcomes(faults, 1), "-");
  assertEquals(faults.list(), []);
});

Deno.test("a delay ends when the service stops, and is no fault by itself", async () => {
  const stopping = new AbortController();
  const faults = open({ signal: stopping.signal });
  await faults.add([read({ on: "mail/web", delay: "10m", name: "late" })], "api");
  const asked = faults.gate("mail/web").ask("capture", []);
  stopping.abort();
  assertEquals(await asked, undefined);
  assertEquals(faults.list()[0]?.hits, 1);
});

Deno.test("a hit is counted even when it is not delayed because too many wait", async () => {
  const stopping = new AbortController();
  const faults = open({ signal: stopping.signal });
  await faults.add([read({ on: "mail/web", delay: "10m" })], "api");
  const gate = faults.gate("mail/web");
  const asked = Array.from({ length: 5001 }, () => gate.ask("capture", []));
  await asked.at(-1);
  assertEquals([faults.list()[0]?.hits, faults.list()[0]?.undelayed], [5001, 1]);
  stopping.abort();
  await Promise.all(asked);
});

Deno.test("parameters have their defaults, and the name is the outcome unless given", async () => {
  const faults = await withRules({ on: "mail/web", outcome: "rate_limit" });
  const fault = await faults.gate("mail/web").ask("capture", []);
  const expected = {
    name: "rate_limit",
    outcome: "rate_limit",
    with: { retry_after: 1 },
    after: false,
  };
  assertEquals(fault, expected);
  const other = await withRules({ on: "mail/web", outcome: "slow", name: "thin", after: true });
  const slow = await other.gate("mail/web").ask("capture", []);
  assertEquals(slow, {
    name: "thin",
    outcome: "slow",
    with: { bytes_per_second: 10 },
    after: true,
    captures: true,
  });
});

Deno.test("the default phase is the one that captures, or the first of the outcome", () => {
  const phaseOf = (rule: unknown) => [...read(rule).at];
  assertEquals(phaseOf({ on: "mail/line", outcome: "unavailable" }), [["mail/line", "data"]]);
  assertEquals(phaseOf({ on: "mail/line", outcome: "no_mailbox" }), [["mail/line", "rcpt"]]);
  const inRcpt = { on: "mail/line", outcome: "unavailable", phase: "rcpt" };
  assertEquals(phaseOf(inRcpt), [["mail/line", "rcpt"]]);
  const both = [["mail/web", "capture"], ["mail/line", "data"]];
  assertEquals(phaseOf({ on: "mail", outcome: "unavailable" }), both);
  assertEquals(phaseOf({ on: "mail", outcome: "no_mailbox" }), [["mail/line", "rcpt"]]);
});

Deno.test("unknown names are refused with the closest known one", () => {
  const on = "mail/web";
  const outcome = "unavailable";
  const refused: readonly (readonly [rule: unknown, words: string])[] = [
    [1, "Cannot use the fault: expected an object"],
    [{ on, outcom: "x" }, 'unknown key "outcom"; did you mean "outcome"?'],
    [{ outcome }, "Cannot use on of the fault: it is missing"],
    [{ on: "mail/wed", outcome }, 'unknown provider "mail/wed"; did you mean "mail/web"?'],
    [{ on, outcome: "rate_limits" }, 'unknown outcome of mail/web "rate_limits"; did you mean'],
    [
      { on, outcome, phase: "captur" },
      'unknown phase of mail/web "captur"; did you mean "capture"?',
    ],
    [{ on, outcome: [] }, "expected an outcome, or a list of 1 to 1000"],
    [{ on }, "Cannot use outcome of the fault: it is missing, and there is no delay"],
    [{ on, outcome, with: { retry_aftr: 1 } }, "unknown parameter of unavailable"],
    [
      { on, outcome: "rate_limit", with: { retry_aftr: 1 } },
      'unknown parameter of rate_limit "retry_aftr"; did you mean "retry_after"?',
    ],
    [
      { on, outcome: "rate_limit", with: { retry_after: 61 } },
      "Cannot use with.retry_after of the fault: expected an integer from 0 to 60, not 61",
    ],
    [{ on, outcome, delay: "11m" }, "Cannot use delay of the fault: expected at most 10m"],
    [{ on, outcome, delay: 5 }, "Cannot use delay of the fault: expected a duration"],
    [{ on, outcome, chance: 2 }, "expected a number above 0 and up to 1, not 2"],
    [{ on, outcome, seed: "a" }, "it has no effect without chance"],
    [{ on, outcome, times: 0 }, "Cannot use times of the fault: expected an integer from 1"],
    [{ on, delay: "1s", after: true }, "Cannot use after of the fault: there is no outcome"],
    [{ on, outcome, match: { "a..b": 1 } }, 'Cannot read path "a..b"'],
    [{ on, outcome, match: { a: { equal: 1 } } }, 'unknown operator "equal"; did you mean equals?'],
    [
      { on: "mail/line", outcome: "no_mailbox", phase: "data" },
      'no provider has no_mailbox in phase "data"; phases with any of it are rcpt',
    ],
    [
      { on: "mail/line", outcome: "no_mailbox", after: true },
      'nothing is captured in phase "rcpt", only in "data"',
    ],
    [{ on, outcome, name: "x".repeat(201) }, "at most 200 characters are allowed"],
    [
      {
        on,
        outcome,
        match: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`a[${at}]`, 1])),
      },
      "expected at most 200 conditions, not 201",
    ],
    [{ on, outcome, match: { a: "x".repeat(20_000) } }, "at most 16384 characters are allowed"],
  ];
  for (const [rule, words] of refused) {
    assertThrows(() => read(rule), RangeError, words, JSON.stringify(rule).slice(0, 200));
  }
});

Deno.test("at most a thousand rules are held, and a call adds all of its rules or none", async () => {
  const faults = open();
  const rule = read({ on: "mail/web", outcome: "unavailable" });
  await faults.add(Array.from({ length: MAX_RULES - 1 }, () => rule), "api");
  await assertRejects(() => faults.add([rule, rule], "api"), RangeError, "at most 1000 are held");
  assertEquals(faults.list().length, MAX_RULES - 1);
  const large = read({ ...rule.rule, match: { a: Array(5000).fill([]) } });
  const roomy = open();
  await assertRejects(
    () => roomy.add(Array.from({ length: 100 }, () => large), "api"),
    RangeError,
    "bytes of memory",
  );
  await roomy.add(Array.from({ length: 20 }, () => large), "api");
  const pattern = { on: "mail/web", outcome: "unavailable", match: { a: { regex: "b" } } };
  const patterned = open();
  await patterned.add(Array.from({ length: MAX_PATTERN_RULES }, () => read(pattern)), "api");
  await assertRejects(() => patterned.add([read(pattern)], "api"), RangeError, 'with "regex"');
  await patterned.add([rule], "api");
  const odd = read({ on: "mail/web", outcome: "unavailable", match: { a: { regex: "(" } } });
  await assertRejects(() => faults.add([odd], "api"), RangeError, 'match["a"] of fault');
});
