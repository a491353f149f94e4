import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Runnable snippets; any token works unless one is pinned. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl ${at.url}/email \\
  -H 'X-Postmark-Server-Token: any' \\
  -H 'Content-Type: application/json' \\
  -d '{"From":"Acme <hello@example.com>","To":"ada@example.com","Subject":"Welcome","TextBody":"Hello from curl"}'`,
    },
    {
      title: "Node.js (postmark)",
      lang: "js",
      code: `import { ServerClient } from "postmark";

const client = new ServerClient("any", { requestHost: "${at.hostname}:${at.port}", useHttps: false });
console.log(await client.sendEmail({
  From: "Acme <hello@example.com>",
  To: "ada@example.com",
  Subject: "Welcome",
  TextBody: "Hello from Node",
}));`,
    },
    {
      title: "Python (postmark-python)",
      lang: "python",
      code: `import asyncio
import postmark

async def main():
    async with postmark.ServerClient("any", base_url="${at.url}") as client:
        print(await client.outbound.send({
            "sender": "Acme <hello@example.com>",
            "to": "ada@example.com",
            "subject": "Welcome",
            "text_body": "Hello from Python",
        }))

asyncio.run(main())`,
    },
  ];
}
