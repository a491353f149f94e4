import type { Endpoint, Snippet } from "../../../core/plugin.ts";

const HOOK = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";

/** Runnable snippets; any path parts and any token work. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "Post to a webhook with curl",
      lang: "sh",
      code: `curl -sS ${at.url}${HOOK} \\
  -H 'Content-Type: application/json' \\
  -d '{"channel":"#general","username":"deploy","text":"Hello from curl"}'`,
    },
    {
      title: "Point the Node Web API client here",
      lang: "js",
      code: `import { WebClient } from "@slack/web-api";

const client = new WebClient("xoxb-any", { slackApiUrl: "${at.url}/api/" }); // with the slash
const { ts } = await client.chat.postMessage({ channel: "#general", text: "Hello from Node" });
console.log(ts);`,
    },
    {
      title: "Point the Node webhook client here",
      lang: "js",
      code: `import { IncomingWebhook } from "@slack/webhook";

await new IncomingWebhook("${at.url}${HOOK}").send({ text: "Hello from Node" });`,
    },
    {
      title: "Point the Python client here",
      lang: "python",
      code: `from slack_sdk import WebClient

client = WebClient(token="xoxb-any", base_url="${at.url}/api/")
print(client.chat_postMessage(channel="#general", text="Hello from Python")["ts"])`,
    },
  ];
}
