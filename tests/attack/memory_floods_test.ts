/** How much the program takes while it is sent as much as each protocol lets a client send, and after a reset. */
import { assertLess } from "@std/assert";
import { FLOODS } from "../support/floods.ts";
import { FREE_PORTS } from "../support/program.ts";
import { mib, restedBytes, startTarget } from "../support/under_attack.ts";

const LIMIT = "128MB";
const LIMIT_BYTES = 128_000_000;
/** What the program takes beside what it counts, as docs/security.md has it. */
const BESIDE_BYTES = 150 * 1024 * 1024;
/** How much later a busy machine collects garbage. */
const GARBAGE_BYTES = 50 * 1024 * 1024;
const REST_BYTES = 200 * 1024 * 1024;
const FLOOD_MS = 1500;

for (const [name, flood] of Object.entries(FLOODS)) {
  Deno.test(`a flood of ${name} takes no more than memory_limit and what the program needs`, async () => {
    const args = ["serve", ...FREE_PORTS, `--memory-limit=${LIMIT}`];
    await using target = await startTarget({ args });
    const { peakBytes } = await target.measure(() =>
      flood({ program: target, ms: FLOOD_MS, limitBytes: LIMIT_BYTES })
    );
    assertLess(
      peakBytes,
      LIMIT_BYTES + BESIDE_BYTES + GARBAGE_BYTES,
      `${mib(peakBytes)} resident at most`,
    );
    await (await fetch(`${target.urls.api}/api/v1/reset`, { method: "POST" })).body?.cancel();
    const rested = await restedBytes(target.pid, REST_BYTES);
    assertLess(rested, REST_BYTES, `${mib(rested)} resident after a reset`);
  });
}
