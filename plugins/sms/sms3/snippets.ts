import type { Endpoint, Snippet, Values } from "../../../core/plugin.ts";
import type { OPTIONS } from "./options.ts";

/** A message as clients send it. Snippets and tests use it. */
export const EXAMPLE = { from: "LOVELACE", to: "447700900123", text: "Hello from Vonage" };

/** Runnable snippets; any key works unless one is pinned. */
export function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const key = values.api_key ?? "any-key";
  const secret = values.api_secret === undefined ? "any-secret" : "<api_secret>";
  const { from, to } = EXAMPLE;
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl -sS ${at.url}/sms/json \\
  -d api_key=${key} -d api_secret=${secret} \\
  -d from=${from} -d to=${to} \\
  --data-urlencode 'text=Hello from curl'`,
    },
    {
      title: "Node.js (@vonage/server-sdk)",
      lang: "js",
      code: `import { Auth } from "@vonage/auth";
import { Vonage } from "@vonage/server-sdk";

const vonage = new Vonage(
  new Auth({ apiKey: "${key}", apiSecret: "${secret}" }),
  { restHost: "${at.url}", apiHost: "${at.url}" },
);
console.log(await vonage.sms.send({ from: "${from}", to: "${to}", text: "Hello from Node" }));`,
    },
  ];
}
