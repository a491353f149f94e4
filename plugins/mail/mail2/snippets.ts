import type { Endpoint, Snippet, Values } from "../../../core/plugin.ts";
import type { OPTIONS } from "./options.ts";

/** Runnable snippets; any key works unless one is pinned. */
export function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const key = values.api_key === undefined ? "SG.any-key" : "<api_key>";
  return [
    {
      title: "Send one message with curl",
      lang: "sh",
      code: `curl -sS -i ${at.url}/v3/mail/send \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"personalizations":[{"to":[{"email":"passenger@example.com"}]}],"from":{"email":"pilot@example.com"},"subject":"Hello","content":[{"type":"text/plain","value":"Hello from curl"}]}'`,
    },
    {
      title: "Point the Node SDK here",
      lang: "js",
      code: `import sendgrid from "@sendgrid/mail";
import client from "@sendgrid/client";

sendgrid.setClient(client);
sendgrid.setApiKey("${key}");
client.setDefaultRequest("baseUrl", "${at.url}"); // after setApiKey, which resets it
await sendgrid.send({
  to: "passenger@example.com",
  from: "pilot@example.com",
  subject: "Hello",
  text: "Hello from Node",
});`,
    },
    {
      title: "Point the Python SDK here",
      lang: "python",
      code: `from sendgrid import SendGridAPIClient
from sendgrid.helpers.mail import Mail

SendGridAPIClient("${key}", host="${at.url}").send(Mail(
    from_email="pilot@example.com",
    to_emails="passenger@example.com",
    subject="Hello",
    plain_text_content="Hello from Python",
))`,
    },
  ];
}
