import { assertEquals, assertThrows } from "@std/assert";
import { ShortAnswer, toResponse } from "./answer.ts";

Deno.test("a short answer equals the response built from it", async () => {
  const answer = new ShortAnswer(202, [["x-a", "1"], ["x-b", "2"]]);
  answer.headers.append("X-A", "3");
  answer.headers.set("X-B", "4");
  answer.headers.set("X-C", "5");
  const response = toResponse(answer);
  for (const { headers } of [answer, response]) {
    assertEquals(["X-A", "x-b", "x-c", "x-d"].map((name) => headers.get(name)), [
      "1, 3",
      "4",
      "5",
      null,
    ]);
    assertEquals([headers.has("X-C"), headers.has("x-d")], [true, false]);
  }
  assertEquals([response.status, await response.text()], [202, ""]);
  assertEquals(toResponse(response), response);
});

Deno.test("a field with a line break is not sent", () => {
  const { headers } = new ShortAnswer(202, []);
  assertThrows(() => headers.append("x-a", "1\r\nx-b: 2"), TypeError);
  assertThrows(() => headers.set("x-a", "1\nx-b: 2"), TypeError);
});
