import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** A message as clients send it. Snippets and tests use it. */
export const EXAMPLE = { PhoneNumber: "+447700900123", Message: "Hello from Standin" };

/** Runnable snippets; any key works unless one is pinned. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl -sS ${at.url}/ \\
  --user any:any --aws-sigv4 'aws:amz:eu-west-1:sns' \\
  -d Action=Publish -d Version=2010-03-31 \\
  --data-urlencode 'PhoneNumber=${EXAMPLE.PhoneNumber}' \\
  --data-urlencode 'Message=Hello from curl'`,
    },
    {
      title: "Node.js (@aws-sdk/client-sns)",
      lang: "js",
      code: `import { PublishCommand, SNSClient } from "@aws-sdk/client-sns";

const client = new SNSClient({
  endpoint: "${at.url}",
  region: "eu-west-1",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});
console.log(await client.send(new PublishCommand({
  PhoneNumber: "${EXAMPLE.PhoneNumber}",
  Message: "Hello from Node",
})));`,
    },
    {
      title: "Python (boto3)",
      lang: "python",
      code: `import boto3

client = boto3.client(
    "sns",
    endpoint_url="${at.url}",
    region_name="eu-west-1",
    aws_access_key_id="any",
    aws_secret_access_key="any",
)
print(client.publish(PhoneNumber="${EXAMPLE.PhoneNumber}", Message="Hello from Python"))`,
    },
  ];
}
