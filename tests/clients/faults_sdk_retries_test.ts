/** The vendors' SDKs under faults: what they try again, and that every attempt is visible. */
import { assertEquals } from "@std/assert";
import { SendEmailCommand, SESv2Client } from "npm:@aws-sdk/client-sesv2@3.1169.0";
import { PublishCommand, SNSClient } from "npm:@aws-sdk/client-sns@3.1169.0";
import twilio from "npm:twilio@6.2.0";
import { requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const AWS = {
  region: "eu-west-1",
  credentials: { accessKeyId: "AKIAANY", secretAccessKey: "secret" },
};

/**
 * Sends once for each row of outcomes. Returns, by row: whether it succeeded, the number of captures, and the faults in the
 * journal.
 */
async function attempts(
  service: TestService,
  on: string,
  { rows, send }: { rows: readonly (readonly string[])[]; send: () => Promise<unknown> },
): Promise<Record<string, readonly unknown[]>> {
  const found: Record<string, readonly unknown[]> = {};
  for (const outcome of rows) {
    using rule = await service.fault({ on, outcome: [...outcome], name: "f" });
    const before = [service.events.count(), service.rejected.list().length] as const;
    const isSent = await send().then(() => true, () => false);
    const journal = service.rejected.list();
    const reasons = journal.slice(0, journal.length - before[1]).map(({ reason }) => reason);
    found[outcome.join()] = [isSent, service.events.count() - before[0], rule.hits];
    const refused = outcome.filter((one) => one !== "truncate").slice(0, rule.hits);
    assertEquals(reasons.toReversed(), refused.map((one) => `fault "f": ${one}`));
  }
  return found;
}

Deno.test("the AWS SDK tries again after throttling and faults of the server, not after refusals", async () => {
  await using service = await startService();
  const endpoint = service.ingress.url;
  const ses = new SESv2Client({ ...AWS, endpoint });
  const mail = {
    FromEmailAddress: "a@example.com",
    Destination: { ToAddresses: ["b@example.com"] },
    Content: { Simple: { Subject: { Data: "Hi" }, Body: { Text: { Data: "Hello" } } } },
  };
  const rows = [["rate_limit", "unavailable"], ["daily_quota"], ["server_error"], ["unauthorized"]];
  const sending = { rows, send: () => ses.send(new SendEmailCommand(mail)) };
  assertEquals(await attempts(service, "mail/mail6", sending), {
    "rate_limit,unavailable": [true, 1, 2],
    // Its code is one of those that the SDK counts as throttling.
    daily_quota: [true, 1, 1],
    server_error: [true, 1, 1],
    unauthorized: [false, 0, 1],
  });
  const exhausted = { rows: [["server_error", "server_error", "server_error"]] };
  assertEquals(await attempts(service, "mail/mail6", { ...sending, ...exhausted }), {
    "server_error,server_error,server_error": [false, 0, 3],
  });
  ses.destroy();
  const sns = new SNSClient({ ...AWS, endpoint });
  const text = new PublishCommand({ PhoneNumber: "+447700900123", Message: "Hi" });
  const publishing = {
    rows: [["rate_limit", "server_error"], ["opted_out"], ["truncate"]],
    send: () => sns.send(text),
  };
  assertEquals(await attempts(service, "sms/sms2", publishing), {
    "rate_limit,server_error": [true, 1, 2],
    opted_out: [false, 0, 1],
    // The first one was sent, but its answer was cut off.
    truncate: [true, 2, 1],
  });
  sns.destroy();
});

Deno.test("Twilio's client retries after 429 with autoRetry", async () => {
  await using service = await startService();
  const client = twilio(`AC${"0".repeat(32)}`, "token", { autoRetry: true, maxRetries: 3 });
  client.api.baseUrl = service.ingress.url;
  const text = { to: "+15558675310", from: "+15017122661", body: "Hi" };
  const texting = {
    rows: [["rate_limit", "rate_limit"], ["server_error"]],
    send: () => client.messages.create(text),
  };
  assertEquals(await attempts(service, "sms/sms1", texting), {
    "rate_limit,rate_limit": [true, 1, 2],
    server_error: [false, 0, 1],
  });
});

const CLIENTS = { mail4: "postmark", mail5: "mailgun", mail7: "brevo" };

Deno.test("the Python clients of Postmark, Mailgun and Brevo try again", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService();
  const script = new URL("python/retry_calls.py", import.meta.url).pathname;
  const send = async (vendor: string) => {
    const args = [script, service.ingress.url, vendor];
    const { stdout } = await runOk(python, args, { env: { NO_PROXY: "*" } });
    if (stdout.trim() !== "sent") throw new Error(stdout);
  };
  const rows = [["rate_limit", "unavailable"]];
  for (const [on, vendor] of Object.entries(CLIENTS)) {
    assertEquals(await attempts(service, `mail/${on}`, { rows, send: () => send(vendor) }), {
      "rate_limit,unavailable": [true, 1, 2],
    });
  }
});
