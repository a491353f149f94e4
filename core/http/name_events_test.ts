import { assert, assertEquals } from "@std/assert";
import { nameEvents } from "./answer.ts";

function named(count: number, host = "localhost") {
  const urls = Array.from(
    { length: count },
    (_, i) => `http://${host}:8811/ui/events/${String(i).padStart(24, "0")}`,
  );
  const headers = new Headers();
  nameEvents(headers, urls);
  return {
    urls,
    value: headers.get("x-service-event-url"),
    count: headers.get("x-service-event-count"),
  };
}

Deno.test("without an event no header field is set", () => {
  assertEquals([named(0).value, named(0).count], [null, null]);
});

Deno.test("a hundred events, the most of a batch, are all named", () => {
  for (const count of [1, 64, 65, 100]) {
    const { urls, value, count: told } = named(count);
    assertEquals([value, told], [urls.join(", "), null], `${count} events`);
  }
});

Deno.test("more than an answer can carry are counted", () => {
  const { urls, value, count } = named(1000);
  assert(value!.length < 7000 && urls.join(", ").startsWith(value!));
  assertEquals(count, "1000");
});

Deno.test("a long host name counts, and one event is always named", () => {
  const { value, count } = named(64, "h".repeat(200));
  assert(value!.length < 7000);
  assertEquals(count, "64");
  assertEquals(named(2, "h".repeat(9000)).value, named(1, "h".repeat(9000)).value);
});
