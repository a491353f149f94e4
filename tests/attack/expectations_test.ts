/** Many expectations of many patterns: other clients are answered while these are compiled. */
import { assertEquals, assertLess } from "@std/assert";
import { startTarget } from "../support/under_attack.ts";

/** Far above one time slice, far below the time that all of them take together. */
const MAX_WAIT_MS = 1500;
const EXPECTATIONS = 600;
const PATTERNS = 100;

Deno.test("other clients are answered while very many expectations are compiled", async () => {
  await using target = await startTarget();
  // Each watches for nothing, so it is decided as soon as it is compiled.
  const body = JSON.stringify({
    order: Array.from({ length: PATTERNS }, (_, i) => ({
      type: "mail.message",
      match: { subject: { regex: `^(a|b)*never${i}$` } },
    })),
    timeout: 0,
  });
  const expect = async (): Promise<number> => {
    const response = await fetch(`${target.urls.api}/api/v1/expect`, { method: "POST", body });
    await response.body?.cancel();
    return response.status;
  };
  const { longestWaitMs } = await target.measure(async () => {
    const statuses = await Promise.all(Array.from({ length: EXPECTATIONS }, expect));
    assertEquals(new Set(statuses), new Set([409]));
  });
  const waited = `another client waited for ${Math.round(longestWaitMs)} ms of work`;
  assertLess(longestWaitMs, MAX_WAIT_MS, waited);
});
