import { assertEquals } from "@std/assert";
import { FEATURE_USES, NOT_HTML, pageOf } from "../../../../tests/support/html_features.ts";
import { findFeatures } from "./compatibility.ts";
import { readDocument } from "./document.ts";
import { loadSupport } from "./support.ts";

function runToEnd<T>(steps: Generator<unknown, T>): T {
  for (let step = steps.next();; step = steps.next()) if (step.done === true) return step.value;
}

async function featuresIn(html: string): Promise<ReadonlySet<string>> {
  const document = runToEnd(readDocument(html));
  return new Set(runToEnd(findFeatures(document, await loadSupport())).map(({ id }) => id));
}

Deno.test("every feature of HTML and CSS that caniemail.com knows is found where it is used", async () => {
  const missed: string[] = [];
  for (const use of FEATURE_USES) {
    if (!(await featuresIn(pageOf(use))).has(use.feature)) {
      missed.push(`${use.feature}: ${use.html}`);
    }
  }
  assertEquals(missed, []);
});

Deno.test("the uses cover every feature of the data", async () => {
  const covered = new Set([
    ...FEATURE_USES.map(({ feature }) => feature),
    ...Object.keys(NOT_HTML),
  ]);
  const { features } = await loadSupport();
  assertEquals(Object.keys(features).filter((feature) => !covered.has(feature)), []);
  assertEquals([...covered].filter((feature) => !Object.hasOwn(features, feature)), []);
});
