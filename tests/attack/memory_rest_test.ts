/** Memory of an idle program: garbage is collected and returned to the system. */
import { assertLess } from "@std/assert";
import { listening } from "../support/program.ts";
import { FLOODS, sendMails } from "../support/floods.ts";
import {
  mib,
  reset,
  REST_BYTES,
  restedBytes,
  startTarget,
  type Target,
} from "../support/under_attack.ts";

async function untilAtRest({ pid }: Target, what: string): Promise<void> {
  const bytes = await restedBytes(pid, REST_BYTES);
  assertLess(bytes, REST_BYTES, `${mib(bytes)} resident ${what}`);
}

Deno.test("12 500 mails leave the program small", async () => {
  await using target = await startTarget();
  const { port } = (await listening(target)).endpoint("smtp");
  await sendMails(port, { bytes: 100_000, count: 500 });
  await sendMails(port, { bytes: 1000, count: 12_000 });
  await untilAtRest(target, "after 12 500 mails");
});

Deno.test("a reset frees hundreds of megabytes of files", async () => {
  await using target = await startTarget();
  await FLOODS.uploads!({ program: target, ms: 4000, limitBytes: 512 * 1024 * 1024 });
  await reset(target);
  await untilAtRest(target, "after a reset");
});
