/**
 * Memory used while each protocol is flooded with the maximum that a client may send, and after a
 * reset.
 */
import { assertGreater, assertLess } from "@std/assert";
import { FLOODS } from "../support/floods.ts";
import { freePorts } from "../support/free_port.ts";
import { FREE_PORTS } from "../support/program.ts";
import {
  BESIDE_BYTES,
  mib,
  reset,
  REST_BYTES,
  restedBytes,
  startTarget,
} from "../support/under_attack.ts";
import { namesFrom, numberFrom } from "../support/settings.ts";

const LIMIT = "128MB";
const LIMIT_BYTES = 128_000_000;
const MOST_BYTES = LIMIT_BYTES + BESIDE_BYTES;
/** `FLOOD_SECONDS=5 FLOODS=views,frames` floods some of them for longer. */
const FLOOD_MS = 1000 * numberFrom("FLOOD_SECONDS", 1);
const WANTED = namesFrom("FLOODS", Object.keys(FLOODS));
/** Programs that are flooded in turn while another one is idle. */
const PROGRAMS = 2;

/** Resident memory of a flood, in bytes. */
interface Outcome {
  readonly name: string;
  readonly peakBytes: number;
  readonly restedBytes: number;
}

Deno.test("floods take no more than memory_limit plus the program's own needs", async (t) => {
  const left = Object.entries(FLOODS).filter(([name]) => WANTED?.includes(name) ?? true);
  assertGreater(left.length, 0, `No flood is called ${WANTED}`);
  const outcomes: Outcome[] = [];
  let flooding = Promise.resolve();
  await Promise.all(
    freePorts(PROGRAMS).map(async (smtpsPort) => {
      const config = await Deno.makeTempFile({ suffix: ".toml" });
      await Deno.writeTextFile(
        config,
        `[plugins.mail.providers.smtp]\nstarttls = true\ntls_port = ${smtpsPort}\n`,
      );
      const args = [
        "serve",
        ...FREE_PORTS,
        `--memory-limit=${LIMIT}`,
        "--ftp-tls",
        `--config=${config}`,
      ];
      await using target = await startTarget({ args });
      await Deno.remove(config);
      for (let next; (next = left.shift()) !== undefined;) {
        const [name, flood] = next;
        const flooded = flooding.then(() =>
          target.measure(() =>
            flood({ program: target, ms: FLOOD_MS, limitBytes: LIMIT_BYTES, smtpsPort })
          )
        );
        flooding = flooded.then(() => {}, () => {});
        const { peakBytes } = await flooded;
        await reset(target);
        // A call that is still being answered goes on capturing; those events are reset as well.
        const rested = await restedBytes(target.pid, REST_BYTES, () => reset(target));
        outcomes.push({ name, peakBytes, restedBytes: rested });
      }
    }),
  );
  for (const { name, peakBytes, restedBytes } of outcomes) {
    await t.step(name, () => {
      if (WANTED !== undefined) console.log(`${name}: ${mib(peakBytes)}, then ${mib(restedBytes)}`);
      assertLess(peakBytes, MOST_BYTES, `${mib(peakBytes)} resident at most`);
      assertLess(restedBytes, REST_BYTES, `${mib(restedBytes)} resident after a reset`);
    });
  }
});
