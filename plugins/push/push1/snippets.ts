import type { Endpoint, Snippet, Values } from "../../../core/plugin.ts";
import type { OPTIONS } from "./options.ts";

/** Runnable snippets; any token works unless one is pinned. */
export function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const token = values.bearer_token === undefined ? "any-token" : "<bearer_token>";
  return [
    {
      title: "Send one push with curl",
      lang: "sh",
      code: `curl -sS -i ${at.url}/v1/projects/demo/messages:send \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"message":{"token":"device-1","notification":{"title":"Hello","body":"Hello from curl"}}}'`,
    },
    {
      title: "Point the Node API client here",
      lang: "js",
      code: `import { fcm } from "@googleapis/fcm";

const client = fcm({
  version: "v1",
  rootUrl: "${at.url}/",
  headers: { Authorization: "Bearer ${token}" },
});
const { data } = await client.projects.messages.send({
  parent: "projects/demo",
  requestBody: {
    message: { token: "device-1", notification: { title: "Hello", body: "Hello from Node" } },
  },
});
console.log(data.name);`,
    },
    { title: "Point the Node admin SDK here", lang: "js", code: nodeAdmin(at, token) },
    { title: "Point the Python admin SDK here", lang: "python", code: pythonAdmin(at, token) },
  ];
}

function nodeAdmin(at: Endpoint, token: string): string {
  return `import https from "node:https";
import net from "node:net";
import { initializeApp } from "firebase-admin/app";
import { getMessaging } from "firebase-admin/messaging";

// The SDK has its host built in: an agent redirects its connections to Standin, in cleartext.
class LocalAgent extends https.Agent {
  createConnection() {
    return net.connect(${at.port}, "${at.hostname}");
  }
}
const app = initializeApp({
  projectId: "demo",
  credential: {
    getAccessToken: async () => ({ access_token: "${token}", expires_in: 3600 }),
  },
  httpAgent: new LocalAgent(),
});
const messaging = getMessaging(app);
messaging.enableLegacyHttpTransport(); // sendEach: HTTP/1.1, so that the agent is used
console.log(
  await messaging.send({
    token: "device-1",
    notification: { title: "Hello", body: "Hello from Node" },
  }),
);`;
}

function pythonAdmin(at: Endpoint, token: string): string {
  return `import datetime

import firebase_admin
from firebase_admin import credentials, messaging
from google.oauth2.credentials import Credentials


class AnyToken(credentials.Base):
    def get_credential(self):
        later = datetime.datetime.utcnow() + datetime.timedelta(hours=1)
        return Credentials("${token}", expiry=later)


messaging._MessagingService.FCM_URL = "${at.url}/v1/projects/{0}/messages:send"
firebase_admin.initialize_app(AnyToken(), {"projectId": "demo"})
print(messaging.send(messaging.Message(
    token="device-1",
    notification=messaging.Notification(title="Hello", body="Hello from Python"),
)))`;
}
