import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import type { CapturedEvent } from "./event.ts";
import { matcherOf, matches } from "./query.ts";

const word = fc.constantFrom("ada", "Bob", "order", "Ömer", "");
const event = fc.record({
  type: fc.constantFrom("mail.message", "sms.message"),
  summary: word,
  summary_parts: fc.record(
    { from: word, to: fc.array(word, { maxLength: 2 }), title: word, snippet: word },
    { requiredKeys: [] },
  ),
}).map((parts) => parts as unknown as CapturedEvent);
const filter = fc.record(
  { type: fc.constant("sms.message"), search: fc.constantFrom("A", "ORDER", "öm", "message", "x") },
  { requiredKeys: [] },
);

Deno.test("a matcher gives the same result for one event or many", () => {
  fc.assert(fc.property(fc.array(event, { maxLength: 20 }), filter, (events, filter) => {
    const fits = matcherOf(filter);
    assertEquals(events.map(fits), events.map((event) => matches(event, filter)));
  }));
});
