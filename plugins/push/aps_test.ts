import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { readAps } from "./aps.ts";

Deno.test("an alert of an aps dictionary reads in full", () => {
  const { alert, wakes, carries, meta } = readAps({
    aps: {
      alert: {
        title: "T",
        subtitle: "S",
        body: "B",
        "title-loc-key": "TK",
        "title-loc-args": ["a", 1],
        "subtitle-loc-key": "SK",
        "subtitle-loc-args": ["b"],
        "loc-key": "LK",
        "loc-args": ["c"],
        "launch-image": "l.png",
      },
      badge: 0,
      sound: { critical: 1, name: "alarm.aiff", volume: 0.5 },
      category: "cat",
      "thread-id": "th",
      "mutable-content": 1,
      "content-available": 1,
      "interruption-level": "critical",
      "relevance-score": 0.5,
      "target-content-id": "w",
    },
    own: true,
  });
  assertEquals(alert, {
    title: "T",
    subtitle: "S",
    body: "B",
    category: "cat",
    sound: "alarm.aiff",
    badge: 0,
    localization: {
      title_key: "TK",
      subtitle_key: "SK",
      body_key: "LK",
      title_args: ["a", "1"],
      subtitle_args: ["b"],
      body_args: ["c"],
    },
  });
  assertEquals([wakes, carries], [true, false]);
  assertEquals(meta, {
    aps_thread_id: "th",
    aps_interruption_level: "critical",
    aps_relevance_score: 0.5,
    aps_target_content_id: "w",
    aps_mutable_content: 1,
    aps_content_available: 1,
    aps_launch_image: "l.png",
    aps_critical_sound: true,
    aps_sound_volume: 0.5,
  });
});

Deno.test("an alert that is only text is its body", () => {
  assertEquals(readAps({ aps: { alert: "Hello" } }).alert, { body: "Hello" });
});

Deno.test("empty members and members of a wrong type are omitted from an alert", () => {
  const aps = { alert: { title: "", body: 5 }, badge: "3", sound: {}, category: null };
  assertEquals(readAps({ aps }).alert, undefined);
  assertEquals(readAps({ aps: { badge: 1.5 } }).alert, undefined);
  assertEquals(readAps({ aps: [] }), { wakes: false, carries: false, meta: {} });
  assertEquals(readAps("aps"), { wakes: false, carries: false, meta: {} });
});

Deno.test("the state of a Live Activity counts as data for the app", () => {
  const { carries, meta } = readAps({
    aps: { timestamp: 1, event: "update", "content-state": { a: 1 } },
  });
  assertEquals(carries, true);
  assertEquals(meta, { aps_timestamp: 1, aps_event: "update", aps_content_state: { a: 1 } });
});

Deno.test("any JSON is read without an error", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { alert } = readAps({ aps: value });
      if (alert !== undefined && Object.keys(alert).length === 0) throw new Error("Empty alert");
    }),
    fuzzed(300),
  );
});
