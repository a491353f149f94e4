import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Runnable snippets; any key works unless one is pinned. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl ${at.url}/v3/smtp/email \\
  -H 'api-key: any' \\
  -H 'Content-Type: application/json' \\
  -d '{"sender":{"email":"hello@example.com"},"to":[{"email":"ada@example.com"}],"subject":"Welcome","textContent":"Hello from curl"}'`,
    },
    {
      title: "Node.js (@getbrevo/brevo)",
      lang: "js",
      code: `import { BrevoClient } from "@getbrevo/brevo";

const brevo = new BrevoClient({ apiKey: "any", baseUrl: "${at.url}/v3" });
console.log(await brevo.transactionalEmails.sendTransacEmail({
  sender: { email: "hello@example.com" },
  to: [{ email: "ada@example.com" }],
  subject: "Welcome",
  textContent: "Hello from Node",
}));`,
    },
    {
      title: "Python (brevo-python)",
      lang: "python",
      code: `from brevo import Brevo

client = Brevo(api_key="any", base_url="${at.url}/v3")
print(client.transactional_emails.send_transac_email(
    sender={"email": "hello@example.com"},
    to=[{"email": "ada@example.com"}],
    subject="Welcome",
    text_content="Hello from Python",
))`,
    },
  ];
}
