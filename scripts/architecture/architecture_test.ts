import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import type { Edge } from "./graph.ts";
import { BOX_HEIGHT, layOut } from "./layout.ts";
import { toSvg } from "./svg.ts";
import { structureOf, unitOf } from "./units.ts";

function edge(from: string, to: string, typeOnly = false): Edge {
  return { from, to, typeOnly };
}

const EDGES: readonly Edge[] = [
  edge("main.ts", "core/cli/run.ts"),
  edge("main.ts", "plugins/standard.ts"),
  edge("main.ts", "plugins/mail/mod.ts"),
  edge("plugins/standard.ts", "plugins/mail/mod.ts"),
  edge("core/cli/run.ts", "core/net/tcp.ts"),
  edge("core/cli/run.ts", "core/bytes/text.ts"),
  edge("core/cli/run.ts", "core/events/store.ts", true),
  edge("core/net/tcp.ts", "core/net/listen.ts"),
  edge("core/net/tcp.ts", "core/net/transport.ts"),
  edge("core/net/tcp.ts", "core/errors.ts"),
  edge("core/net/tcp.ts", "core/bytes/text.ts"),
  edge("core/net/tcp.ts", "node:net"),
  edge("plugins/mail/mod.ts", "plugins/mail/smtp/codec/line.ts"),
  edge("plugins/mail/smtp/codec/line.ts", "core/bytes/text.ts"),
  edge("plugins/mail/mod.ts", "core/plugin.ts"),
];

Deno.test("a file belongs to its folder, unless its layer is another", () => {
  assertEquals(unitOf("core/http/server/http1/h1.ts"), {
    name: "core/http/server",
    layer: "world",
  });
  assertEquals(unitOf("core/http/list.ts"), { name: "core/http", layer: "values" });
  assertEquals(unitOf("core/net/transport.ts"), { name: "core/net/transport.ts", layer: "values" });
  assertEquals(unitOf("plugins/mail/smtp/codec/line.ts").name, "plugins/*/codec");
  assertEquals(unitOf("plugins/standard.ts"), { name: "plugins/standard.ts", layer: "edge" });
});

Deno.test("an arrow that a longer way implies, or that only types need, is left out", () => {
  const { arrows, unlinked, plugins } = structureOf(EDGES);
  assertEquals(arrows.map(({ from, to }) => `${from} > ${to}`), [
    "core/cli > core/net",
    "core/net > core/bytes",
    "main.ts > core/cli",
    "main.ts > plugins/standard.ts",
    "plugins/* > core/plugin.ts",
    "plugins/* > plugins/*/codec",
    "plugins/*/codec > core/bytes",
    "plugins/standard.ts > plugins/*",
  ]);
  assertEquals(unlinked, ["core/errors.ts", "core/events", "core/net/transport.ts"]);
  assertEquals(plugins, ["mail"]);
});

Deno.test("every arrow points down, and no box covers another", () => {
  const { boxes, ways, width, height } = layOut(structureOf(EDGES), () => 120);
  for (const way of ways) {
    const [first, last] = [way[0], way.at(-1)];
    assert(first !== undefined && last !== undefined && first.y < last.y);
  }
  for (const a of boxes) {
    assert(a.x - a.width / 2 >= 0 && a.x + a.width / 2 <= width && a.y + BOX_HEIGHT <= height);
    for (const b of boxes) {
      if (a !== b && a.y === b.y) {
        assert(Math.abs(a.x - b.x) >= 120, `${a.unit.name}, ${b.unit.name}`);
      }
    }
  }
});

Deno.test("the picture names what it draws, as text", () => {
  const picture = toSvg(structureOf([...EDGES, edge("main.ts", "core/a&b/x.ts")]));
  assertMatch(picture, /plugins\/\{mail\}/);
  assertMatch(picture, /core\/a&amp;b/);
  assertNotMatch(picture, /a&b/);
});
