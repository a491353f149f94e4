/** The worst input for each parser, at its listener's size limit: other clients are answered meanwhile. */
import { assertLess } from "@std/assert";
import { HOSTILE_CHECKS } from "../support/hostile_checks.ts";
import { HOSTILE_INPUTS } from "../support/hostile_inputs.ts";
import { HOSTILE_RULES } from "../support/hostile_rules.ts";
import { HOSTILE_TEMPLATES } from "../support/hostile_templates.ts";
import { reset, startTarget } from "../support/under_attack.ts";

/** Far above one time slice, far below what each of these once took. */
const MAX_WAIT_MS = 1500;

Deno.test("other clients are answered while a parser reads its worst input", async (t) => {
  await using target = await startTarget();
  const all = [...HOSTILE_INPUTS, ...HOSTILE_CHECKS, ...HOSTILE_TEMPLATES, ...HOSTILE_RULES];
  for (const { name, prepare } of all) {
    await t.step(name, async () => {
      // Built before the clock starts: the other client shares this process.
      const attack = await prepare(target);
      const { longestWaitMs } = await target.measure(attack);
      const waited = `another client waited for ${Math.round(longestWaitMs)} ms of work`;
      assertLess(longestWaitMs, MAX_WAIT_MS, waited);
      await reset(target);
    });
  }
});
