import type { Endpoint, Snippet, Values } from "../../../core/plugin.ts";
import type { OPTIONS } from "./options.ts";

/** Runnable snippets; any key pair works unless one is pinned. */
export function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const user = values.api_key === undefined ? "key" : "<api_key>";
  const password = values.secret_key === undefined ? "secret" : "<secret_key>";
  return [
    {
      title: "Send one message with curl",
      lang: "sh",
      code: `curl -sS -u '${user}:${password}' ${at.url}/v3.1/send \\
  -H 'Content-Type: application/json' \\
  -d '{"Messages":[{"From":{"Email":"pilot@example.com"},"To":[{"Email":"passenger@example.com"}],"Subject":"Hello","TextPart":"Hello from curl"}]}'`,
    },
    {
      title: "Point the Node SDK here",
      lang: "js",
      code: `import Mailjet from "node-mailjet";

Mailjet.Request.protocol = "http://";
const mailjet = new Mailjet({
  apiKey: "${user}",
  apiSecret: "${password}",
  config: { host: "${new URL(at.url).host}" },
});
await mailjet.post("send", { version: "v3.1" }).request({
  Messages: [{
    From: { Email: "pilot@example.com" },
    To: [{ Email: "passenger@example.com" }],
    Subject: "Hello",
    TextPart: "Hello from Node",
  }],
});`,
    },
    {
      title: "Point the Python SDK here",
      lang: "python",
      code: `from mailjet_rest import Client

mailjet = Client(auth=("${user}", "${password}"), version="v3.1", api_url="${at.url}/")
mailjet.send.create(data={"Messages": [{
    "From": {"Email": "pilot@example.com"},
    "To": [{"Email": "passenger@example.com"}],
    "Subject": "Hello",
    "TextPart": "Hello from Python",
}]})`,
    },
  ];
}
