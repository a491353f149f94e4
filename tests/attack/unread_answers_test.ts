/** Answers full of long mails that nobody reads: each holds no more than a piece of them. */
import { assert, assertEquals } from "@std/assert";
import { writeAll } from "../../core/net/socket.ts";
import { mib, residentBytes, startTarget, type Target } from "../support/under_attack.ts";

const MAILS = 11;
const MAIL_BYTES = 20 * 1024 * 1024;
const READERS = 100;
/** One of them whole for each reader would be two thousand MiB. */
const MAX_GROWTH_BYTES = 500 * 1024 ** 2;
/** How long the program may go on making answers. */
const WATCH_MS = 1500;

const encoder = new TextEncoder();

async function sendMails(target: Target): Promise<string> {
  const text = "x".repeat(MAIL_BYTES);
  for (let i = 0; i < MAILS; i++) {
    const response = await fetch(`${target.urls.ingress}/v3/mail/send`, {
      method: "POST",
      headers: { authorization: "Bearer SG.x", "content-type": "application/json" },
      body: JSON.stringify({
        personalizations: [{ to: [{ email: "to@example.com" }] }],
        from: { email: "from@example.com" },
        subject: `Long ${i}`,
        content: [{ type: "text/plain", value: text }],
      }),
    });
    assertEquals(response.status, 202, await response.text());
  }
  const list = await fetch(`${target.urls.api}/api/v1/events?limit=1&include_payload=false`);
  return (await list.json())[0].id;
}

/** Connections that have asked for something, and read nothing of it. */
async function ask(target: Target, path: string): Promise<Deno.TcpConn[]> {
  const port = Number(new URL(target.urls.api!).port);
  return await Promise.all(Array.from({ length: READERS }, async () => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    await writeAll(conn, encoder.encode(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
    return conn;
  }));
}

Deno.test("answers that nobody reads hold no more than a piece of what they tell", async (t) => {
  await using target = await startTarget();
  const id = await sendMails(target);
  const paths = [
    "/events",
    "/events?include_raw=1",
    `/events/${id}`,
    "/mail/messages",
    `/mail/messages/${id}`,
    `/mail/messages/${id}/raw`,
    "/export?format=har",
    "/export",
    "/events/stream?include_raw=1&after=0",
  ];
  for (const path of paths) {
    await t.step(path, async () => {
      const restBytes = await residentBytes(target.pid);
      const unread = await ask(target, `/api/v1${path}`);
      let peak = 0;
      for (const endMs = performance.now() + WATCH_MS; performance.now() < endMs;) {
        peak = Math.max(peak, await residentBytes(target.pid));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const health = await fetch(`${target.urls.api}/api/v1/health`);
      assertEquals(health.status, 200, await health.text());
      for (const conn of unread) conn.close();
      const growth = peak - restBytes;
      assert(growth < MAX_GROWTH_BYTES, `Grew by ${mib(growth)}`);
    });
  }
});
