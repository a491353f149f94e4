import { assertEquals } from "@std/assert";
import { json, jsonList } from "./reply.ts";

const headersOf = (response: Response): string[][] => [...response.headers].sort();

for (
  const { name, count, size } of [
    { name: "an empty list", count: 0, size: 0 },
    { name: "a short list", count: 3, size: 10 },
    { name: "a list of one long item", count: 1, size: 3_000_000 },
    { name: "a list that is cut in pieces", count: 50, size: 100_000 },
    { name: "a list with a short end", count: 21, size: 50_000 },
  ]
) {
  Deno.test(`${name} is the JSON that it would be in one piece`, async () => {
    const items = Array.from({ length: count }, (_, at) => ({ at, text: "é".repeat(size) }));
    const response = jsonList(items, ({ at, text }) => ({ at, text, seen: true }));
    const whole = items.map((item) => ({ ...item, seen: true }));
    assertEquals(headersOf(response), headersOf(json(whole)));
    const text = await response.text();
    assertEquals(text.length, JSON.stringify(whole).length);
    assertEquals(JSON.parse(text), whole);
  });
}

Deno.test("a long list is built while it is read", async () => {
  let made = 0;
  const items = Array.from({ length: 1000 }, () => "x".repeat(100_000));
  const response = jsonList(items, (item) => {
    made++;
    return item;
  });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.read();
  assertEquals(made < 30, true, `${made}`);
  await reader.cancel();
});
