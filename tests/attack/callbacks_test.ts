import { assert, assertEquals, assertLess } from "@std/assert";
import { startReceiver } from "../support/receiver.ts";
import { FREE_PORTS } from "../support/program.ts";
import { BESIDE_BYTES, mib, startTarget } from "../support/under_attack.ts";

/** Messages; each has three callbacks. */
const MESSAGES = 3400;
const LIMIT_BYTES = 128_000_000;

Deno.test("ten thousand callbacks to a slow receiver take bounded memory, and all arrive", async () => {
  let active = 0;
  let most = 0;
  const last = new Map<string, string>();
  const disorder: string[] = [];
  const order = ["queued", "sent", "delivered"];
  const all = Promise.withResolvers<void>();
  let count = 0;
  await using app = startReceiver(async ({ body }) => {
    most = Math.max(most, ++active);
    const fields = new URLSearchParams(body);
    const [sid, status] = [fields.get("MessageSid")!, fields.get("MessageStatus")!];
    const before = last.get(sid);
    const expected = order[before === undefined ? 0 : order.indexOf(before) + 1];
    if (status !== expected) disorder.push(`${sid} ${status} after ${before}`);
    last.set(sid, status);
    await new Promise((resolve) => setTimeout(resolve, 2));
    active--;
    if (++count === 3 * MESSAGES) all.resolve();
    return new Response("x".repeat(100));
  });
  await using target = await startTarget({
    args: [
      "serve",
      ...FREE_PORTS,
      `--memory-limit=${LIMIT_BYTES}`,
      "--callbacks",
      `--callbacks-webhook-sms1=${app.url}`,
    ],
  });
  const send = async (): Promise<void> => {
    const path = "/2010-04-01/Accounts/AC1/Messages.json";
    const response = await fetch(`${target.urls.ingress}${path}`, {
      method: "POST",
      body: new URLSearchParams({
        To: "+15558675310",
        MessagingServiceSid: "MG00000000000000000000000000000000",
        Body: "Hi",
      }),
    });
    await response.body?.cancel();
  };
  const { peakBytes } = await target.measure(async () => {
    for (let sent = 0; sent < MESSAGES; sent += 10) {
      await Promise.all(Array.from({ length: 10 }, send));
    }
    await all.promise;
  });
  assertEquals(disorder, []);
  assertEquals(last.size, MESSAGES);
  assert(most > 1 && most <= 8, `eight calls go to one receiver at a time, not ${most}`);
  assertLess(peakBytes, LIMIT_BYTES + BESIDE_BYTES, `${mib(peakBytes)} resident at most`);
});
