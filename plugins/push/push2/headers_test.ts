import { assertEquals } from "@std/assert";
import type { HeaderPairs } from "../../../core/events/event.ts";
import { checkHeaders, familyHeaders, readHeaders, requestId, toDelivery } from "./headers.ts";

const ID = "123e4567-e89b-12d3-a456-42661417400A";

Deno.test("headers are read under either name, in any case", () => {
  const headers = {
    id: ID,
    topic: "com.example.app",
    "push-type": "alert",
    expiration: "0",
    priority: "10",
    "collapse-id": "a, b",
  };
  for (const prefix of ["apns-", "push2-", "APNS-"]) {
    const pairs = Object.entries(headers).map(([name, value]) => [prefix + name, value] as const);
    assertEquals(readHeaders(pairs), headers);
  }
});

Deno.test("both names may carry the same value, but not different ones", () => {
  const both = (second: string): HeaderPairs => [["apns-topic", "a"], ["push2-topic", second]];
  assertEquals(readHeaders(both("a")), { topic: "a" });
  assertEquals(readHeaders(both("")), { topic: "a" });
  assertEquals(readHeaders(both("b")), "duplicate");
});

Deno.test("a header sent twice is refused, also when HTTP/2 has joined the two", () => {
  assertEquals(readHeaders([["apns-id", ID], ["Apns-Id", ID]]), "duplicate");
  assertEquals(readHeaders([["apns-priority", "10, 10"]]), "duplicate");
});

Deno.test("a malformed header is refused with its reason", () => {
  const table = [
    [{ id: "ABC" }, "BadMessageId"],
    [{ id: ID }, undefined],
    [{ expiration: "soon" }, "BadExpirationDate"],
    [{ expiration: "-1" }, "BadExpirationDate"],
    [{ expiration: "1.5" }, "BadExpirationDate"],
    [{ expiration: "1700000000" }, undefined],
    [{ priority: "9" }, "BadPriority"],
    [{ priority: "constructor" }, "BadPriority"],
    [{ priority: "1" }, undefined],
    [{ "push-type": "Alert" }, "InvalidPushType"],
    [{ "push-type": "liveactivity" }, undefined],
    [{ "collapse-id": "x".repeat(64) }, undefined],
    [{ "collapse-id": "x".repeat(65) }, "BadCollapseId"],
    [{ "collapse-id": "é".repeat(33) }, "BadCollapseId"],
  ] as const;
  for (const [headers, reason] of table) {
    assertEquals(checkHeaders(headers), reason, JSON.stringify(headers));
  }
});

Deno.test("priority, collapse id and expiry are normalised, and stored as sent", () => {
  assertEquals(toDelivery({}), {});
  const level = (priority: string) => toDelivery({ priority }).priority;
  assertEquals([level("10"), level("5"), level("1")], ["high", "normal", "low"]);
  assertEquals(toDelivery({ expiration: "1700000000", "collapse-id": "c" }), {
    collapse_key: "c",
    expiry: { at: "2023-11-14T22:13:20.000Z", immediate: false, raw: "1700000000" },
  });
  assertEquals(toDelivery({ expiration: "0" }).expiry, { immediate: true, raw: "0" });
  // Milliseconds sent by mistake are beyond the year 9999.
  const late = { immediate: false, raw: "1700000000000" };
  assertEquals(toDelivery({ expiration: "1700000000000" }).expiry, late);
});

Deno.test("the id of a request is known even when the request is refused", () => {
  assertEquals(requestId([["apns-id", "not a uuid"]]), "not a uuid");
  assertEquals(requestId([["push2-id", ID]]), ID);
  assertEquals(requestId([["apns-id", "é"]]), undefined);
  assertEquals(requestId([]), undefined);
});

Deno.test("every header of the family is noted, and no other", () => {
  const pairs: HeaderPairs = [["Apns-Topic", "t"], ["apns-channel-id", "c"], ["user-agent", "u"]];
  assertEquals(familyHeaders(pairs), { "apns-topic": "t", "apns-channel-id": "c" });
});
