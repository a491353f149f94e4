import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ToolError } from "./api.ts";
import { answerWith, checkArguments, READS, type Tool } from "./tool.ts";

const tool: Tool = {
  name: "look",
  title: "Look",
  description: "Looks",
  annotations: READS,
  properties: {
    id: { type: "string" },
    limit: { type: "integer" },
    all: { type: "boolean" },
    chance: { type: "number" },
    filters: { type: "object" },
    level: { type: "string", enum: ["error", "warning"] },
    anything: {},
  },
  required: ["id"],
  call: () => Promise.resolve(answerWith({})),
};

Deno.test("arguments of the right names and types pass", () => {
  const args = {
    id: 1_769_860_800_000,
    limit: 0,
    all: false,
    chance: 0.5,
    filters: {},
    level: "error",
    anything: null,
  };
  assertEquals(checkArguments(args, tool), args);
  assertEquals(checkArguments({ id: "a", more: 1 }, { ...tool, isOpen: true }), {
    id: "a",
    more: 1,
  });
});

Deno.test("the first wrong argument is named", () => {
  const cases: readonly [args: unknown, words: string][] = [
    [[], "expected an object"],
    [undefined, "without id"],
    [{}, "without id"],
    [{ id: "a", limt: 1 }, 'unknown argument "limt"; did you mean "limit"?'],
    [{ id: "a", subject: "x" }, "belong in filters"],
    [JSON.parse('{"id": "a", "__proto__": 1}'), 'unknown argument "__proto__"'],
    [{ id: {} }, "id: expected text"],
    [{ id: "a", limit: -1 }, "limit: expected a whole number"],
    [{ id: "a", limit: "1" }, "limit: expected a whole number"],
    [{ id: "a", all: "yes" }, "all: expected true or false"],
    [{ id: "a", chance: "1" }, "chance: expected a number"],
    [{ id: "a", filters: [] }, "filters: expected an object"],
    [{ id: "a", level: "eror" }, "did you mean error?"],
  ];
  for (const [args, words] of cases) {
    const { message } = assertThrows(() => checkArguments(args, tool), ToolError);
    assertStringIncludes(message, words);
  }
});
