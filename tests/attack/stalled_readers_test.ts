/** Stream clients that never read: capture is not affected. */
import { assert } from "@std/assert";
import { writeAll } from "../../core/net/socket.ts";
import { mib, residentBytes, startTarget, type Target, workedMs } from "../support/under_attack.ts";

const READERS = 1000;
const SENDERS = 8;
/**
 * Duration of capturing with and without them, and maximum number of attempts: on a busy machine
 * readers may still be starting.
 */
const ROUND_MS = 2000;
const ROUNDS = 3;
/** Allowed increase of work per capture: without limits it is a thousandfold, with them a tenth. */
const MAX_FACTOR = 2.5;
const MAX_BYTES_A_READER = 1024 ** 2;

const BODY = JSON.stringify({
  personalizations: [{ to: [{ email: "to@example.com" }] }],
  from: { email: "from@example.com" },
  subject: "Many",
  content: [{ type: "text/plain", value: "x".repeat(500) }],
});
const MAIL = new TextEncoder().encode(
  "POST /v3/mail/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer SG.x\r\n" +
    `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
);

function portOf(target: Target, name: string): number {
  return Number(new URL(target.urls[name]!).port);
}

/** Sends mails for a while. Returns how long the main thread worked for each, in milliseconds. */
async function capture(target: Target): Promise<number> {
  const begunMs = await workedMs(target.pid);
  const endMs = performance.now() + ROUND_MS;
  let count = 0;
  await Promise.all(Array.from({ length: SENDERS }, async () => {
    using conn = await Deno.connect({ hostname: "127.0.0.1", port: portOf(target, "ingress") });
    const buffer = new Uint8Array(4096);
    while (performance.now() < endMs) {
      await writeAll(conn, MAIL);
      assert(await conn.read(buffer) !== null);
      count++;
    }
  }));
  return (await workedMs(target.pid) - begunMs) / count;
}

async function openStalled(target: Target, path: string): Promise<Deno.TcpConn[]> {
  const head = new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const conns: Deno.TcpConn[] = [];
  for (let i = 0; i < READERS; i++) {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: portOf(target, "api") });
    await writeAll(conn, head);
    conns.push(conn);
  }
  return conns;
}

for (const path of ["/api/v1/events/stream", "/ui/stream"]) {
  Deno.test(`a thousand readers of ${path} that never read do not slow captures down`, async () => {
    await using target = await startTarget();
    await capture(target);
    const restBytes = await residentBytes(target.pid);
    let factor = Infinity;
    for (let round = 0; round < ROUNDS && factor >= MAX_FACTOR; round++) {
      const alone = await capture(target);
      const stalled = await openStalled(target, path);
      factor = Math.min(factor, await capture(target) / alone);
      const grown = await residentBytes(target.pid) - restBytes;
      for (const conn of stalled) conn.close();
      assert(grown < READERS * MAX_BYTES_A_READER, `Grew by ${mib(grown)}`);
    }
    assert(factor < MAX_FACTOR, `A capture is ${factor.toFixed(1)} times as much work`);
  });
}
