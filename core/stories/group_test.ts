import { assert, assertEquals } from "@std/assert";
import { assertLinear } from "../../tests/support/growth.ts";
import { fc } from "../../tests/support/fast_check.ts";
import { StoryGroups } from "./group.ts";
import type { StoryKey } from "./key.ts";

const NEAR = { windowMs: 2000, recipientMs: 60_000 };

/** `t:` trace, `i:` id, `r:` recipient, `o:` object; a recipient may be `name=value`. */
function keyOf(text: string): StoryKey {
  const [letter, rest = ""] = text.split(":", 2);
  const kind = ({ t: "trace", i: "id", r: "recipient", o: "object" } as const)[letter!]!;
  const [name, value] = rest.includes("=") ? rest.split("=", 2) : [kind, rest];
  return { kind, name: name!, value: value! };
}

/** An event: its second, its keys, and its namespace. */
type Row = readonly [second: number, keys: string, namespace?: string];

function group(rows: readonly Row[], near = NEAR): StoryGroups {
  const groups = new StoryGroups(near);
  for (const [index, [second, keys, namespace]] of rows.entries()) {
    groups.add({
      id: String(index),
      seq: index + 1,
      ms: second * 1000,
      plugin: "p",
      namespace,
      keys: keys.split(" ").filter((key) => key !== "").map(keyOf),
    });
  }
  return groups;
}

/** Ids of the events of each story, the one with the first event first. */
const storiesOf = (groups: StoryGroups): string[] =>
  [...groups.newestFirst()].map(({ members }) => members.map(({ id }) => id).join(" ")).sort();

const rows: Readonly<Record<string, { rows: readonly Row[]; stories: readonly string[] }>> = {
  "a trace joins however far apart": {
    rows: [[0, "t:A"], [5000, "t:B"], [90_000, "t:A"]],
    stories: ["0 2", "1"],
  },
  "an id joins however far apart": {
    rows: [[0, "i:x r:ada"], [5000, "i:x r:bob"]],
    stories: ["0 1"],
  },
  "ids of different names differ": {
    rows: [[0, "i:one=1"], [100, "i:two=1"]],
    stories: ["0", "1"],
  },
  "a recipient joins what is near": {
    rows: [[0, "r:ada"], [50, "r:ada"], [109, "r:ada"], [170, "r:ada"]],
    stories: ["0 1 2", "3"],
  },
  "an object joins what is near": {
    rows: [[0, "o:f"], [60, "o:f"], [121, "o:f"]],
    stories: ["0 1", "2"],
  },
  "the time alone joins what is very near": {
    rows: [[0, ""], [2, ""], [4.5, ""]],
    stories: ["0 1", "2"],
  },
  "the time alone does not join two traces": {
    rows: [[0, "t:A"], [0, "t:B"], [1, ""]],
    stories: ["0", "1 2"],
  },
  "the time alone does not join two recipients of a kind": {
    rows: [[0, "r:mail=ada"], [0, "r:mail=bob"], [1, "r:phone=1"], [1, "r:mail=bob"]],
    stories: ["0", "1 2 3"],
  },
  "one common recipient is enough": {
    rows: [[0, "r:mail=ada r:mail=bob"], [30, "r:mail=bob r:mail=eve"]],
    stories: ["0 1"],
  },
  "a recipient does not join two traces": {
    rows: [[0, "t:A r:ada"], [1, "t:B r:ada"], [2, "r:ada"]],
    stories: ["0", "1 2"],
  },
  "an event without a trace does not join two traces either": {
    rows: [[0, "t:A r:ada"], [1, "t:B r:bob"], [2, "r:ada r:bob"]],
    stories: ["0 2", "1"],
  },
  "an id joins two traces, and all that was in them": {
    rows: [[0, "t:A"], [10, "t:B"], [20, "t:A i:x"], [30, "t:B i:x"]],
    stories: ["0 1 2 3"],
  },
  "a trace takes in what its recipient got before": {
    rows: [[0, "r:ada"], [20, "t:A"], [40, "t:A r:ada"]],
    stories: ["0 1 2"],
  },
  "namespaces stay apart": {
    rows: [[0, "t:A r:ada", "one"], [0, "t:A r:ada", "two"], [0, "t:A r:ada"], [1, "", "one"]],
    stories: ["0 3", "1", "2"],
  },
  "a namespace cannot be spelled by a key": {
    rows: [[0, "i:x", "a"], [100, "i:x", "a\0"]],
    stories: ["0", "1"],
  },
  "a clock that steps back joins what is near": {
    rows: [[10, "r:ada"], [9, "r:ada"]],
    stories: ["0 1"],
  },
};

for (const [title, { rows: given, stories }] of Object.entries(rows)) {
  Deno.test(title, () => assertEquals(storiesOf(group(given)), stories));
}

Deno.test("windows can be widened, and grouping by time alone turned off", () => {
  const given: readonly Row[] = [[0, ""], [9, ""], [100, "r:ada"], [200, "r:ada"]];
  assertEquals(storiesOf(group(given)), ["0", "1", "2", "3"]);
  assertEquals(storiesOf(group(given, { windowMs: 10_000, recipientMs: 60_000 })), [
    "0 1",
    "2",
    "3",
  ]);
  assertEquals(storiesOf(group(given, { windowMs: 0, recipientMs: 100_000 })), ["0", "1", "2 3"]);
  const none = { windowMs: 0, recipientMs: 0 };
  assertEquals(storiesOf(group([[0, "r:ada"], [0, "r:ada"]], none)), ["0", "1"]);
});

Deno.test("a story lists its links, strongest first, and the latest story is first", () => {
  const groups = group([[0, "r:ada"], [1, ""], [2, "r:ada t:A"], [3, "t:A"], [4, "r:eve"]]);
  const [first, second] = [...groups.newestFirst()];
  assertEquals(first?.members.map(({ id }) => id), ["4"]);
  assertEquals(first?.links, []);
  assertEquals(second?.links, [
    { by: "trace", name: "trace", value: "A" },
    { by: "recipient", name: "recipient", value: "ada" },
    { by: "time" },
  ]);
  assertEquals(groups.find(3), second);
  assertEquals(groups.find(99), undefined);
});

Deno.test("every event is in exactly one story, in order, whatever its keys", () => {
  const key = fc.constantFrom("t:A", "t:B", "i:x", "i:y", "r:ada", "r:bob", "o:f", "o:g");
  const row = fc.tuple(
    fc.integer({ min: 0, max: 90 }),
    fc.array(key, { maxLength: 3 }).map((keys) => keys.join(" ")),
    fc.constantFrom(undefined, "n"),
  );
  fc.assert(fc.property(fc.array(row, { maxLength: 40 }), (given) => {
    let second = 0;
    const timed = given.map(([step, keys, namespace]): Row =>
      namespace === undefined ? [second += step, keys] : [second += step, keys, namespace]
    );
    const groups = group(timed);
    const told = [...groups.newestFirst()];
    const ids = told.flatMap(({ members }) => members.map(({ id }) => Number(id)));
    assertEquals(ids.toSorted((a, b) => a - b), given.map((_, index) => index));
    const lasts = told.map(({ members }) => members.at(-1)!.seq);
    assertEquals(lasts, lasts.toSorted((a, b) => b - a));
    for (const { members } of told) {
      const seqs = members.map(({ seq }) => seq);
      assertEquals(seqs, seqs.toSorted((a, b) => a - b));
      assertEquals(new Set(members.map(({ id }) => timed[Number(id)]![2])).size, 1);
    }
    // Events of a namespace with the same trace are in one story.
    for (const [one, [, keys, namespace]] of timed.entries()) {
      for (const [other, [, others, where]] of timed.entries()) {
        const shared = keys.includes("t:A") && others.includes("t:A") && namespace === where;
        assert(!shared || groups.find(one + 1) === groups.find(other + 1));
      }
    }
  }));
});

Deno.test("the size of event keys is counted, each key once", () => {
  const text = "x".repeat(500);
  const keys = Array.from({ length: 64 }, (_, at) => `r:${at}${text}`).join(" ");
  const plain = group([[0, ""]]).bytes;
  const once = group([[0, keys]]).bytes;
  assert(once - plain > 64 * 500, `${once - plain} bytes for 64 keys of 500 characters`);
  assertEquals(group([[0, keys], [1, keys]]).bytes, once + plain);
  assertEquals(group([[0, keys], [1, keys, "t1"]]).bytes > 2 * (once - plain), true);
});

Deno.test("the work for an event does not grow with the traces of the stories that it could join", () => {
  // Two stories, each linked by an id across many traces, and events with the recipients of both.
  const rowsOf = (count: number): Row[] =>
    Array.from({ length: count }, (_, at): Row => {
      const side = at % 3;
      return [at / 1000, side === 2 ? "r:0 r:1" : `t:${at} i:${side} r:${side}`];
    });
  assertLinear((count) => {
    const groups = group(rowsOf(count), { windowMs: 0, recipientMs: 1e9 });
    assertEquals([...groups.newestFirst()].length, 2);
  }, 6000);
});
