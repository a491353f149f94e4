import type { Values } from "../../../core/options/spec.ts";
import type { Endpoint, Snippet } from "../../../core/plugin.ts";
import type { OPTIONS } from "./options.ts";

const ANY_SID = "AC00000000000000000000000000000000";

/**
 * Runnable snippets; any SID that begins with AC and any token work unless the settings pin them.
 */
export function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const sid = values.account_sid ?? ANY_SID;
  const token = values.auth_token === undefined ? "any-token" : "<auth_token>";
  return [
    {
      title: "Send one message with curl",
      lang: "sh",
      code: `curl -sS ${at.url}/2010-04-01/Accounts/${sid}/Messages.json \\
  -u '${sid}:${token}' \\
  --data-urlencode 'To=+15558675310' \\
  --data-urlencode 'From=+15017122661' \\
  --data-urlencode 'Body=Hello from curl'`,
    },
    {
      title: "Point the Node SDK here",
      lang: "js",
      code: `import twilio from "twilio";

const client = twilio("${sid}", "${token}");
client.api.baseUrl = "${at.url}";
const message = await client.messages.create({
  to: "+15558675310",
  from: "+15017122661",
  body: "Hello from Node",
});
console.log(message.sid, message.status);`,
    },
    {
      title: "Point the Python SDK here",
      lang: "python",
      code: `from twilio.rest import Client

client = Client("${sid}", "${token}")
client.api.base_url = "${at.url}"
message = client.messages.create(
    to="+15558675310",
    from_="+15017122661",
    body="Hello from Python",
)
print(message.sid, message.status)`,
    },
    ...verifySnippets(at.url, { sid, token }),
  ];
}

function verifySnippets(
  url: string,
  { sid, token }: { readonly sid: string; readonly token: string },
): readonly Snippet[] {
  return [
    {
      title: "Send a Verify code with curl",
      lang: "sh",
      code: `curl -sS ${url}/v2/Services/VA00000000000000000000000000000000/Verifications \\
  -u '${sid}:${token}' \\
  --data-urlencode 'To=+15558675310' \\
  --data-urlencode 'Channel=sms' \\
  --data-urlencode 'CustomFriendlyName=Hello Shop'`,
    },
    {
      title: "Point Verify and Lookup in the Node SDK here",
      lang: "js",
      code: `import twilio from "twilio";

const client = twilio("${sid}", "${token}");
client.verify.baseUrl = client.lookups.baseUrl = "${url}";
const service = client.verify.v2.services("VA00000000000000000000000000000000");
const sent = await service.verifications.create({
  to: "+15558675310",
  channel: "sms",
  customFriendlyName: "Hello Shop",
});
console.log(sent.status);`,
    },
  ];
}
