import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Runnable snippets; any key works unless one is pinned. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl ${at.url}/v2/email/outbound-emails \\
  --user any:any --aws-sigv4 'aws:amz:eu-west-1:ses' \\
  -H 'Content-Type: application/json' \\
  -d '{"FromEmailAddress":"hello@example.com","Destination":{"ToAddresses":["ada@example.com"]},
    "Content":{"Simple":{"Subject":{"Data":"Welcome"},"Body":{"Text":{"Data":"Hello from curl"}}}}}'`,
    },
    {
      title: "Node.js (@aws-sdk/client-sesv2)",
      lang: "js",
      code: `import { SendEmailCommand, SESv2Client } from "@aws-sdk/client-sesv2";

const client = new SESv2Client({
  endpoint: "${at.url}",
  region: "eu-west-1",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});
console.log(await client.send(new SendEmailCommand({
  FromEmailAddress: "hello@example.com",
  Destination: { ToAddresses: ["ada@example.com"] },
  Content: { Simple: { Subject: { Data: "Welcome" }, Body: { Text: { Data: "Hello from Node" } } } },
})));`,
    },
    {
      title: "Python (boto3)",
      lang: "python",
      code: `import boto3

client = boto3.client(
    "sesv2",
    endpoint_url="${at.url}",
    region_name="eu-west-1",
    aws_access_key_id="any",
    aws_secret_access_key="any",
)
print(client.send_email(
    FromEmailAddress="hello@example.com",
    Destination={"ToAddresses": ["ada@example.com"]},
    Content={"Simple": {
        "Subject": {"Data": "Welcome"},
        "Body": {"Text": {"Data": "Hello from Python"}},
    }},
))`,
    },
  ];
}
