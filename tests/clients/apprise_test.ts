/** Apprise reaches every vendor that it supports through the proxy, without a change of code. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startTunnel } from "../support/tunnel.ts";

const SID = `AC${"0".repeat(32)}`;
const BOT = "123456789:abcdefghijklmnopqrstuvwxyz123456789";
const DISCORD = "417429632418316298";

/** Addresses of Apprise, with the provider that each reaches, and the recipient in the event. */
const ROWS: readonly [provider: string, url: string, to: string][] = [
  ["mail/mail2", "sendgrid://abcd123:s@example.com/ada@example.org", "ada@example.org"],
  ["mail/mail3", "resend://abcd123:s@example.com/ada@example.org", "ada@example.org"],
  ["mail/mail4", "postmark://abcd-123:s@example.com/ada@example.org", "ada@example.org"],
  [
    "mail/mail5",
    `mailgun://s@mg.example.com/${"a".repeat(32)}-aaaaaaaa-bbbbbbbb/ada@example.org`,
    "ada@example.org",
  ],
  [
    "mail/mail6",
    "ses://s@example.com/AKIAIOSFODNN7EXAMPLE/secretsecretsecret/eu-west-1/ada@example.org",
    "ada@example.org",
  ],
  ["mail/mail7", "brevo://xkeysib-abcd123:s@example.com/ada@example.org", "ada@example.org"],
  ["sms/sms1", `twilio://${SID}:${"b".repeat(32)}@15017122661/15558675310`, "+15558675310"],
  [
    "sms/sms2",
    "sns://AKIAIOSFODNN7EXAMPLE/secretsecretsecret/eu-west-1/15558675310",
    "+15558675310",
  ],
  ["sms/sms3", "vonage://abcd1234:abcdefgh12345678@15017122661/15558675310", "15558675310"],
  ["chat/chat1", "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7Q2/#general", "general"],
  [
    "chat/chat2",
    "workflows://prod-161.westeurope.logic.azure.com:443/643e69f83c8944/KDmRkzTqTxMAfGHkaX8nyRiMqpsTvqqS",
    "",
  ],
  ["chat/chat3", `discord://${DISCORD}/${"t".repeat(68)}`, "Discord 316298"],
  ["chat/chat4", `tgram://${BOT}/12315544`, "12315544"],
];

Deno.test("Apprise notifies every vendor through the proxy, and reports the errors of each", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using running = await startTunnel([mail, sms, chat]);
  const { service, env } = running;
  const script = new URL("python/apprise_calls.py", import.meta.url).pathname;
  const notify = async (...urls: string[]): Promise<readonly boolean[]> => {
    const { stdout } = await runOk(python, [script, ...urls], { env, timeoutMs: 60_000 });
    return stdout.trim().split("\n").map((line) => JSON.parse(line));
  };
  const urls = ROWS.map(([, url]) => url);
  assertEquals(await notify(...urls), urls.map(() => true));
  for (const [on, , to] of ROWS) {
    const [plugin = "", provider] = on.split("/");
    const [event, ...others] = service.events.list({ provider: provider! });
    assertEquals([event?.plugin, others.length], [plugin, 0], on);
    assertStringIncludes(recipientOf(event!), to, on);
    assertStringIncludes(JSON.stringify(event!.payload), "Grüße: it is *green*", on);
  }
  const faults = await Promise.all(
    ROWS.map(([on]) => service.fault({ on, outcome: "server_error" })),
  );
  // Vonage answers errors with 200 and a status in the body, which Apprise does not read.
  const failing = ROWS.map(([on]) => on === "sms/sms3");
  assertEquals(await notify(...urls), failing);
  assertEquals(service.events.list({}).length, ROWS.length);
  assertEquals(faults.filter(({ hits }) => hits === 0), []);
});

/** Recipient of a mail or a text, or the channel of a message. */
function recipientOf({ payload }: CapturedEvent): string {
  const { to, channel } = payload as {
    to?: string | readonly { email: string }[];
    channel?: { id: string; name?: string };
  };
  if (typeof to === "string") return to;
  return to?.[0]?.email ?? `${channel?.name} ${channel?.id}`;
}
