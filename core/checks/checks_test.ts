import { assertEquals } from "@std/assert";
import { findingsOf } from "../../tests/support/checks.ts";
import { pluginChecks } from "./check.ts";
import { placeIn } from "./place.ts";
import { findPlaceholders } from "./placeholders.ts";
import { privateHostOf } from "./private_host.ts";

Deno.test("a place has its line, its column and a shortened excerpt", () => {
  const source = `first\n${"a".repeat(100)}<b>${"c".repeat(100)}\nlast`;
  assertEquals(placeIn("html", source, { start: 106, end: 109 }), {
    part: "html",
    line: 2,
    column: 101,
    before: `…${"a".repeat(60)}`,
    marked: "<b>",
    after: `${"c".repeat(60)}…`,
  });
  assertEquals(placeIn("text", "ab", { start: 0, end: 2 }), {
    part: "text",
    line: 1,
    column: 1,
    before: "",
    marked: "ab",
    after: "",
  });
});

for (
  const [text, expected] of [
    ["{{name}} {{{raw}}} {% if x %} <%= name %> *|FNAME|* ${name} %(name)s %FIRST_NAME%", 8],
    ["[[name]] [object Object] {{ user.first_name | default: 'x' }}", 3],
    ["Hi undefined, dear null: total: NaN", 3],
    ['<a style="text-decoration:none; border: none" href="/orders/undefined">', 1],
    ["{name} 100% sure %of it% $5 [1] <%> {{}} undefined behaviour", 0],
  ] as const
) {
  Deno.test(`${expected} placeholders are found in ${text}`, () => {
    assertEquals(findPlaceholders(text).length, expected);
  });
}

Deno.test("placeholders in hostile text are looked for in linear time", () => {
  for (const piece of ["{{a", "%A_", "<%=a", "[[a", "{% a", "hi ", "*|A"]) {
    assertEquals(findPlaceholders(piece.repeat(100_000)).length, 0, piece);
  }
});

Deno.test("hosts known only to one machine or network are private", () => {
  for (
    const host of [
      ...["localhost", "app.test", "db.internal", "printer.local", "web", "127.0.0.1", "10.1.2.3"],
      ...[
        "192.168.0.1",
        "172.16.0.1",
        "169.254.1.1",
        "100.64.0.1",
        "[::1]",
        "[fd00::1]",
        "[fe80::1]",
      ],
    ]
  ) {
    assertEquals(privateHostOf(`http://${host}:80/x`), host, host);
  }
  for (
    const host of ["example.com", "8.8.8.8", "172.32.0.1", "[2001:db8::1]", "localhost.example.com"]
  ) {
    assertEquals(privateHostOf(`https://${host}/`), undefined, host);
  }
  for (const link of ["mailto:a@localhost", "tel:1", "/x", "http://["]) {
    assertEquals(privateHostOf(link), undefined, link);
  }
});

Deno.test("findings are sorted worst first, and limited to ten per check plus a count", async () => {
  const checks = pluginChecks<unknown>({
    read: () => undefined,
    topics: [{
      checks: [
        { id: "toy.hint", level: "info", about: "A hint", source: "https://example.com/hint" },
        { id: "toy.bad", level: "error", about: "Bad" },
      ],
      *find() {
        for (let i = 0; i < 12; i++) yield { id: "toy.hint", message: `${i}` };
        yield undefined;
        yield { id: "toy.bad", message: "b".repeat(2000), level: "warning" };
      },
    }],
  });
  const found = await findingsOf(checks, { payload: {} });
  assertEquals(found.length, 12);
  assertEquals([found[0]!.id, found[0]!.level, found[0]!.message.length], [
    "toy.bad",
    "warning",
    1001,
  ]);
  assertEquals(found[11], {
    id: "toy.hint",
    level: "info",
    message: "2 more of the same kind",
    source: "https://example.com/hint",
  });
});
