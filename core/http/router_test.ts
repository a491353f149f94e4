import { assert, assertEquals } from "@std/assert";
import { createRouter, patternKey } from "./router.ts";

const router = createRouter([
  { method: "GET", path: "/events" },
  { method: "DELETE", path: "/events" },
  { method: "GET", path: "/events/stream" },
  { method: "GET", path: "/events/{id}" },
  { method: "GET", path: "/events/{id}/raw" },
  { method: "GET", path: "/content/{path...}" },
  { method: "POST", path: "/Accounts/{sid}/Messages.json" },
  { method: "GET", path: "/Messages/{sid}.json" },
  { method: "GET", path: "/Messages/{sid}" },
  { method: "POST", path: "/v1/{project}/messages:send" },
]);

const cases: readonly [method: string, path: string, found: string | undefined, params?: object][] =
  [
    ["GET", "/events", "/events"],
    ["HEAD", "/events", "/events"],
    ["GET", "/events/stream", "/events/stream"],
    ["GET", "/events/abc", "/events/{id}", { id: "abc" }],
    ["GET", "/events/a%2Fb", "/events/{id}", { id: "a/b" }],
    ["GET", "/events/%", "/events/{id}", { id: "%" }],
    ["GET", "/events/", "/events/{id}", { id: "" }],
    ["GET", "/events/a/raw", "/events/{id}/raw", { id: "a" }],
    ["GET", "/events/a/b/c", undefined],
    ["GET", "/content/a/../b//c%20d", "/content/{path...}", { path: "a/../b//c d" }],
    ["GET", "/content/", "/content/{path...}", { path: "" }],
    ["GET", "/content", undefined],
    ["POST", "/Accounts/AC1/Messages.json", "/Accounts/{sid}/Messages.json", { sid: "AC1" }],
    ["GET", "/Messages/SM1.json", "/Messages/{sid}.json", { sid: "SM1" }],
    ["GET", "/Messages/SM1", "/Messages/{sid}", { sid: "SM1" }],
    ["POST", "/v1/p/messages:send", "/v1/{project}/messages:send", { project: "p" }],
    ["GET", "/EVENTS", undefined],
    ["GET", "", undefined],
    ["GET", "/__proto__", undefined],
  ];

for (const [method, path, found, params = {}] of cases) {
  Deno.test(`the router matches ${method} ${path} to ${found ?? "nothing"}`, () => {
    const match = router.match(method, path);
    if (found === undefined) return assertEquals(match, undefined);
    assert(match !== undefined && "entry" in match);
    assertEquals(match.entry.path, found);
    assertEquals({ ...match.params }, params);
  });
}

Deno.test("the router names the allowed methods of a path", () => {
  assertEquals(router.match("PUT", "/events"), { allow: ["GET", "DELETE", "HEAD"] });
  assertEquals(router.match("GET", "/v1/p/messages:send"), { allow: ["POST"] });
});

Deno.test("two patterns that take the same requests have the same key", () => {
  assertEquals(patternKey("/a/{x}/b/{y...}"), patternKey("/a/{one}/b/{rest...}"));
  assert(patternKey("/a/{x}") !== patternKey("/a/{x...}"));
});
