import { assertEquals } from "@std/assert";
import { toAssets, toServed } from "./library.ts";

const CASES: readonly (readonly [text: string, served: string])[] = [
  ['import { h } from "preact";', 'import { h } from "/ui/assets/library/preact.js";'],
  [
    "import{useId as a}from'preact/hooks';",
    "import{useId as a}from'/ui/assets/library/hooks.js';",
  ],
  ['export*from"@preact/signals-core"', 'export*from"/ui/assets/library/signals-core.js"'],
  ['import "htm";', 'import "/ui/assets/library/htm.js";'],
  ['import { a } from "./preact.js";', 'import { a } from "./preact.js";'],
  ['import a from "unknown";', 'import a from "unknown";'],
  ['const from = "preact";', 'const from = "preact";'],
  ["x;\n//# sourceMappingURL=x.js.map\n", "x;\n\n"],
];

for (const [text, served] of CASES) {
  Deno.test(`${text.trim()} is served as ${served.trim()}`, () => {
    assertEquals(toServed("a.js", text), served);
  });
}

Deno.test("a file other than a module is served unchanged", () => {
  assertEquals(toServed("a.css", 'from "preact"'), 'from "preact"');
});

Deno.test("the shell names early modules before the one that needs them", () => {
  const shell = '<head>\n    <script type="module" src="/ui/assets/app.js"></script>\n</head>';
  const assets = toAssets([["index.html", shell], ["a.js", "1"]], ["lib/a.js", "b.js"]);
  assertEquals(assets.get("a.js"), "1");
  assertEquals(
    assets.get("index.html"),
    `<head>
    <link rel="modulepreload" href="/ui/assets/lib/a.js">
    <link rel="modulepreload" href="/ui/assets/b.js">
    <script type="module" src="/ui/assets/app.js"></script>
</head>`,
  );
});
