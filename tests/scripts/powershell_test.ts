/** PowerShell files are valid, checked with a grammar because PowerShell may not be installed. */
import { assertEquals } from "@std/assert";
import { Language, Parser } from "npm:web-tree-sitter@0.27.1";
import grammar from "npm:tree-sitter-powershell@0.26.4/tree-sitter-powershell.wasm" with {
  type: "bytes",
};
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";

const SCRIPT = new URL("../../scripts/release/install.ps1", import.meta.url);

await Parser.init();
const POWERSHELL = await Language.load(grammar);

/** Returns the lines, from 1, that the grammar cannot parse. */
function faultsIn(text: string): readonly number[] {
  const parser = new Parser();
  parser.setLanguage(POWERSHELL);
  const tree = parser.parse(text);
  const faults: number[] = [];
  const nodes = tree === null ? [] : [tree.rootNode];
  for (const node of nodes) {
    if (node.isError || node.isMissing) faults.push(node.startPosition.row + 1);
    nodes.push(...node.children.filter((child) => child !== null));
  }
  tree?.delete();
  parser.delete();
  return faults;
}

Deno.test("install.ps1 is PowerShell", async () => {
  assertEquals(faultsIn(await Deno.readTextFile(SCRIPT)), []);
});

Deno.test("the completions for PowerShell are PowerShell", async () => {
  const { stdout } = await runToEnd(["completions", "powershell"], { plugins: STANDARD_PLUGINS });
  assertEquals(faultsIn(stdout), []);
});

Deno.test("invalid PowerShell is found", async () => {
  const text = await Deno.readTextFile(SCRIPT);
  assertEquals(faultsIn(text.replace("try {", "try (")).length > 0, true);
  assertEquals(faultsIn(text.slice(0, text.lastIndexOf("}"))).length > 0, true);
});
