import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Runnable snippets; any key works unless one is pinned. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl ${at.url}/emails \\
  -H 'Authorization: Bearer re_test' \\
  -H 'Content-Type: application/json' \\
  -d '{"from":"Acme <hello@example.com>","to":"ada@example.com","subject":"Welcome","text":"Hello"}'`,
    },
    {
      title: "Node.js (resend)",
      lang: "js",
      code: `import { Resend } from "resend";

const resend = new Resend("re_test", { baseUrl: "${at.url}" });
const { data, error } = await resend.emails.send({
  from: "Acme <hello@example.com>",
  to: "ada@example.com",
  subject: "Welcome",
  text: "Hello",
});
console.log(error ?? data);`,
    },
    {
      title: "Python (resend)",
      lang: "python",
      code: `import resend

resend.api_key = "re_test"
resend.api_url = "${at.url}"
print(resend.Emails.send({
    "from": "Acme <hello@example.com>",
    "to": "ada@example.com",
    "subject": "Welcome",
    "text": "Hello",
}))`,
    },
  ];
}
