import { assertEquals } from "@std/assert";
import { toServed } from "./library.ts";

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

Deno.test("a file that is no module is served as it is", () => {
  assertEquals(toServed("a.css", 'from "preact"'), 'from "preact"');
});
