/**
 * Clients with nothing but a proxy and a CA in their environment talk to the vendors' own hosts, without a change of
 * code.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { requireClient, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startTunnel } from "../support/tunnel.ts";

const start = () => startTunnel([sms, chat]);

Deno.test("curl posts to hooks.slack.com through a tunnel that ends here", async (t) => {
  const curl = requireClient(t, "curl");
  if (curl === undefined) return;
  await using running = await start();
  const { stdout } = await runOk(curl, [
    "-sS",
    "--proxy",
    running.env.HTTPS_PROXY,
    "https://hooks.slack.com/services/T1/B1/X",
    "-d",
    '{"text":"through the tunnel"}',
  ], { env: running.env });
  assertEquals(stdout, "ok");
  const [event] = running.service.events.list({});
  assertStringIncludes(event!.summary, "through the tunnel");
});

for (
  const host of [
    "prod-05.westeurope.logic.azure.com:443",
    "0123456789.ab.environment.api.powerplatform.com:443",
  ]
) {
  Deno.test(`curl starts a workflow at ${host} through a tunnel that ends here`, async (t) => {
    const curl = requireClient(t, "curl");
    if (curl === undefined) return;
    await using running = await start();
    const path = "/workflows/0123456789abcdef/triggers/manual/paths/invoke?api-version=1&sig=s";
    const { stdout } = await runOk(curl, [
      ...["-sS", "--proxy", running.env.HTTPS_PROXY, "-w", "%{http_code}"],
      ...["-H", "content-type: application/json", "-d", '{"text":"through the tunnel"}'],
      `https://${host}${path}`,
    ], { env: running.env });
    assertEquals(stdout, "202");
    const [event] = running.service.events.list({ provider: "chat2" });
    assertEquals(event!.summary, "Teams workflow 01234567: through the tunnel");
  });
}

Deno.test("the Python packages for Discord and Telegram reach their vendors' hosts here", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using running = await start();
  const code = `
import asyncio
import discord
from discord_webhook import DiscordWebhook
from telegram import Bot

discord.SyncWebhook.partial(1234567890, "token").send("one")
DiscordWebhook(url="https://discord.com/api/webhooks/1234567890/token", content="two").execute()

async def main():
    async with Bot("123456:any") as bot:
        await bot.send_message(4242, "three")

asyncio.run(main())
`;
  await runOk(python, ["-c", code], { env: running.env });
  const texts = running.service.events.list({}).map(({ payload }) =>
    (payload as { text: string }).text
  );
  assertEquals(texts.toReversed(), ["one", "two", "three"]);
});

Deno.test("the Python packages for Twilio and Slack reach their vendors' hosts here", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using running = await start();
  const code = `
from twilio.rest import Client
from slack_sdk import WebClient
message = Client("AC00000000000000000000000000000000", "any").messages.create(
    to="+15558675310", from_="+15017122661", body="tunnel")
posted = WebClient(token="xoxb-any").chat_postMessage(channel="C123", text="tunnel")
print(message.status, posted["ok"])
`;
  const { stdout } = await runOk(python, ["-c", code], { env: running.env });
  assertEquals(stdout.trim(), "queued True");
  assertEquals(running.service.events.list({ search: "tunnel" }).length, 2);
});

Deno.test("the Node package for Twilio reaches its vendor's host here", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using running = await start();
  const code = `
import twilio from "twilio";
const client = twilio("AC00000000000000000000000000000000", "any");
const message = await client.messages.create({ to: "+15558675310", from: "+15017122661", body: "tunnel" });
console.log(message.status);
`;
  const { stdout } = await runOk(project.node, ["--input-type=module", "--eval", code], {
    cwd: project.folder,
    env: running.env,
  });
  assertEquals(stdout.trim(), "queued");
  assertEquals(running.service.events.count("sms"), 1);
});
