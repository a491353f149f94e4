import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Runnable snippets; any key works unless one is pinned. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl ${at.url}/v3/mg.example.com/messages \\
  --user 'api:any' \\
  -F from='Acme <hello@example.com>' \\
  -F to=ada@example.com \\
  -F subject=Welcome \\
  -F text='Hello from curl'`,
    },
    {
      title: "Node.js (mailgun.js)",
      lang: "js",
      code: `import Mailgun from "mailgun.js";

const mailgun = new Mailgun(FormData).client({ username: "api", key: "any", url: "${at.url}" });
console.log(await mailgun.messages.create("mg.example.com", {
  from: "Acme <hello@example.com>",
  to: "ada@example.com",
  subject: "Welcome",
  text: "Hello from Node",
}));`,
    },
    {
      title: "Python (mailgun)",
      lang: "python",
      code: `from mailgun.client import Client

client = Client(auth=("api", "any"), api_url="${at.url}")
response = client.messages.create(domain="mg.example.com", data={
    "from": "Acme <hello@example.com>",
    "to": "ada@example.com",
    "subject": "Welcome",
    "text": "Hello from Python",
})
print(response.json())`,
    },
  ];
}
