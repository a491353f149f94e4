import type { Endpoint, Snippet } from "../../../core/plugin.ts";
import { encodeBase64Url } from "./base64url.ts";
import { decodeToken, encodeToken, makeKeys, type SubscriptionKeys } from "./subscription.ts";

/** Token of the subscription in the snippets and the demo; always the same. */
export const DEMO_TOKEN: string = encodeToken(
  makeKeys((purpose) => new TextEncoder().encode(`standin demo ${purpose}`)),
);

/** Runnable snippets: to a fixed subscription, with any VAPID key. */
export function snippets(at: Endpoint): readonly Snippet[] {
  const { publicKey, auth } = decodeToken(DEMO_TOKEN) as SubscriptionKeys;
  const p256dh = encodeBase64Url(publicKey);
  const subscription = { p256dh, auth: encodeBase64Url(auth) };
  return [
    {
      title: "Send one push without a payload with curl",
      lang: "sh",
      code: `curl -sS -i -X POST ${at.url}/wpush/v1/${DEMO_TOKEN} \\
  -H 'TTL: 3600' -H 'Urgency: high'`,
    },
    { title: "Point the Node library here", lang: "js", code: node(at, subscription) },
    { title: "Point the Python library here", lang: "python", code: python(at, subscription) },
  ];
}

interface Keys {
  readonly p256dh: string;
  readonly auth: string;
}

function node(at: Endpoint, { p256dh, auth }: Keys): string {
  return `import https from "node:https";
import net from "node:net";
import webpush from "web-push";

// POST /api/v1/push/subscriptions creates others.
const subscription = {
  endpoint: "${at.url}/wpush/v1/${DEMO_TOKEN}",
  keys: { p256dh: "${p256dh}", auth: "${auth}" },
};
// The library only supports TLS: an agent redirects its connections to Standin, in cleartext.
class LocalAgent extends https.Agent {
  createConnection() {
    return net.connect(${at.port}, "${at.hostname}");
  }
}
const { publicKey, privateKey } = webpush.generateVAPIDKeys();
webpush.setVapidDetails("mailto:ada@example.org", publicKey, privateKey);
const { statusCode } = await webpush.sendNotification(
  subscription,
  JSON.stringify({ title: "Hello", body: "Hello from Node" }),
  { agent: new LocalAgent() },
);
console.log(statusCode);`;
}

function python(at: Endpoint, { p256dh, auth }: Keys): string {
  return `import json

from py_vapid import Vapid
from pywebpush import webpush

# POST /api/v1/push/subscriptions creates others.
subscription = {
    "endpoint": "${at.url}/wpush/v1/${DEMO_TOKEN}",
    "keys": {"p256dh": "${p256dh}", "auth": "${auth}"},
}
key = Vapid()
key.generate_keys()
answer = webpush(
    subscription,
    json.dumps({"title": "Hello", "body": "Hello from Python"}),
    vapid_private_key=key,
    vapid_claims={"sub": "mailto:ada@example.org"},
    ttl=3600,
)
print(answer.status_code)`;
}
