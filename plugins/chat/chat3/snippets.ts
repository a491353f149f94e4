import type { Endpoint, Snippet } from "../../../core/plugin.ts";

const HOOK = "/api/webhooks/1234567890123456789/any-token";

/** A post in the vendor's form. */
export const EXAMPLE = {
  username: "deploy",
  content: "Hello from curl",
  embeds: [{ title: "shop 4.2.0", description: "is **live**", color: 0x2e7d32 }],
};

/** Runnable snippets; any numeric id and any token work. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "Post with curl",
      lang: "sh",
      code: `curl -sS '${at.url}${HOOK}?wait=true' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(EXAMPLE)}'`,
    },
    {
      title: "Point discord.js here",
      lang: "js",
      code: `import { WebhookClient } from "discord.js";

const webhook = new WebhookClient(
  { id: "1234567890123456789", token: "any-token" },
  { rest: { api: "${at.url}/api" } },
);
const message = await webhook.send("Hello from Node");
console.log(message.id);`,
    },
    {
      title: "Point discord-webhook for Python here",
      lang: "python",
      code: `from discord_webhook import DiscordWebhook

DiscordWebhook(url="${at.url}${HOOK}", content="Hello from Python").execute()`,
    },
  ];
}
