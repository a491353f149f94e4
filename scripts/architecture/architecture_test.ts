import { assert, assertEquals } from "@std/assert";
import { toPage } from "./diagram.ts";
import type { Edge } from "./graph.ts";
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

Deno.test("a file belongs to its folder, unless its layer differs", () => {
  assertEquals(unitOf("core/http/server/http1/h1.ts"), {
    name: "core/http/server",
    layer: "world",
  });
  assertEquals(unitOf("core/http/list.ts"), { name: "core/http", layer: "values" });
  assertEquals(unitOf("core/net/transport.ts"), { name: "core/net/transport.ts", layer: "values" });
  assertEquals(unitOf("plugins/mail/smtp/codec/line.ts").name, "plugins/*/codec");
  assertEquals(unitOf("plugins/standard.ts"), { name: "plugins/standard.ts", layer: "edge" });
});

Deno.test("arrows implied by a longer path, or needed by types only, are omitted", () => {
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

Deno.test("every arrow points down, and every box is in the row of its layer", () => {
  const page = toPage(structureOf(EDGES));
  const boxes = [...page.matchAll(/^ {4}(\w+)\["(.+)"\]$/gm)];
  assertEquals(boxes.map(([, , label]) => label), [
    "main.ts",
    "plugins/standard.ts",
    "core/cli",
    "plugins/{mail}",
    "core/net",
    "core/plugin.ts",
    "core/bytes",
    "plugins/*/codec",
  ]);
  const rowOf = (id: string): number =>
    page.slice(0, page.indexOf(`    ${id}[`)).split("subgraph").length;
  const arrows = [...page.matchAll(/^ {2}(\w+) --> (\w+)$/gm)];
  assertEquals(arrows.length, 8);
  for (const [arrow, from = "", to = ""] of arrows) assert(rowOf(from) <= rowOf(to), arrow);
});
