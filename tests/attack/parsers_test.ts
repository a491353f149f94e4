/** The worst that each parser can be sent, at the size its listener takes: others are answered meanwhile. */
import { assert } from "@std/assert";
import { HOSTILE_INPUTS } from "../support/hostile_inputs.ts";
import { startTarget } from "../support/under_attack.ts";

/** Far above the time of a slice and a busy machine's pauses, far below what each of these once took. */
const MAX_WAIT_MS = 1500;

for (const { name, prepare } of HOSTILE_INPUTS) {
  Deno.test(`others are answered while ${name}`, async () => {
    await using target = await startTarget();
    // Made before the clock runs: the other client lives in this process.
    const attack = await prepare(target);
    const { longestWaitMs } = await target.measure(attack);
    const waited = `another client waited ${Math.round(longestWaitMs)} ms`;
    assert(longestWaitMs < MAX_WAIT_MS, waited);
  });
}
