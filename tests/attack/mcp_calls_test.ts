/** Tool calls of agents about long events: many at a time, whatever their arguments. */
import { assertEquals, assertLess } from "@std/assert";
import { noise } from "../support/files.ts";
import { FREE_PORTS } from "../support/program.ts";
import { BESIDE_BYTES, mib, startTarget, type Target } from "../support/under_attack.ts";

const MAILS = 8;
const MAIL_BYTES = 4 * 1024 * 1024;
const LIMIT_BYTES = 128_000_000;
const ARGS = ["serve", ...FREE_PORTS, `--memory-limit=${LIMIT_BYTES}`];
const CALLS = 60;

async function sendMails({ urls }: Target): Promise<string> {
  for (let i = 0; i < MAILS; i++) {
    const response = await fetch(`${urls.ingress}/v3/mail/send`, {
      method: "POST",
      headers: { authorization: "Bearer SG.x", "content-type": "application/json" },
      body: JSON.stringify({
        personalizations: [{ to: [{ email: "to@example.com" }] }],
        from: { email: "from@example.com" },
        subject: `Long ${i}`,
        content: [{ type: "text/plain", value: noise(MAIL_BYTES / 2).toHex() }],
      }),
    });
    assertEquals(response.status, 202, await response.text());
  }
  const list = await fetch(`${urls.api}/api/v1/events?limit=1&include_payload=false`);
  return (await list.json())[0].id;
}

/** Statuses of responses, each short or temporary. */
async function call({ urls }: Target, name: string, args: unknown): Promise<number> {
  const response = await fetch(`${urls.ui}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    }),
  });
  const text = await response.text();
  assertLess(text.length, 100_000, text.slice(0, 200));
  return response.status;
}

Deno.test("many tool calls about long events stay within the memory limit", async (t) => {
  await using target = await startTarget({ args: ARGS });
  const id = await sendMails(target);
  const calls: readonly (readonly [string, unknown])[] = [
    ["get_event", { id }],
    ["get_event", { id, path: "payload.text", offset: 8_000_000 }],
    ["get_event", { id, path: "raw.body_text" }],
    ["get_event", { id, path: `payload${"[*]".repeat(31)}` }],
    ["list_events", { limit: 100 }],
    ["list_events", { search: "x".repeat(16_000) }],
    ["list_events", { search: "x".repeat(500_000) }],
    ["list_events", { filters: Array.from({ length: 250_000 }, () => []) }],
    ["extract", { id }],
    ["check_event", { id }],
    ["expect_events", { match: { "raw.body_text": { contains: "nowhere" } }, timeout: 0 }],
    ["expect_events", { match: { "payload.text": { contains: "x".repeat(900_000) } }, timeout: 0 }],
  ];
  for (const [name, args] of calls) {
    await t.step(`${name} ${JSON.stringify(args).slice(0, 80)}`, async () => {
      const { peakBytes } = await target.measure(async () => {
        await Promise.all(Array.from({ length: CALLS }, () => call(target, name, args)));
      });
      assertLess(peakBytes, LIMIT_BYTES + BESIDE_BYTES, `${mib(peakBytes)} resident at most`);
    });
  }
});
