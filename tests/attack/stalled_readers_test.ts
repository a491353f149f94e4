/** Readers of a stream that never read: capturing goes on as if they were not there. */
import { assert } from "@std/assert";
import { writeAll } from "../../core/net/socket.ts";
import { mib, residentBytes, startTarget, type Target } from "../support/under_attack.ts";

const READERS = 1000;
const SENDERS = 8;
/** How long is captured with and without them, in turns. */
const ROUND_MS = 2000;
const ROUNDS = 2;
/** Others use the machine, too: a thousandth of it without bounds, and nine tenths with them on a quiet machine. */
const MIN_SHARE = 0.4;
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

/** Sends mails for a while. Returns how many were taken in a second. */
async function capture(target: Target): Promise<number> {
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
  return count * 1000 / ROUND_MS;
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
    let [alone, among] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      alone += await capture(target);
      const stalled = await openStalled(target, path);
      among += await capture(target);
      const grown = await residentBytes(target.pid) - restBytes;
      for (const conn of stalled) conn.close();
      assert(grown < READERS * MAX_BYTES_A_READER, `Grew by ${mib(grown)}`);
    }
    const share = among / alone;
    assert(share >= MIN_SHARE, `${Math.round(among)} instead of ${Math.round(alone)} a second`);
  });
}
