import type { Endpoint, Snippet, Values } from "../../../core/plugin.ts";
import { unsignedToken } from "./jwt.ts";
import type { OPTIONS } from "./options.ts";

const DEVICE = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/** Runnable snippets, over cleartext HTTP/2 with prior knowledge. */
export function snippets(
  at: Endpoint,
  { topic, key_id }: Values<typeof OPTIONS>,
): readonly Snippet[] {
  const app = topic ?? "com.example.app";
  const kid = key_id ?? "ABC123DEFG";
  const { hostname, port } = new URL(at.url);
  const token = key_id === undefined ? "" : `
  -H 'authorization: bearer ${unsignedToken(kid, { iss: "TEAM123456" })}' \\`;
  return [
    {
      title: "Send one push with curl",
      lang: "sh",
      code: `curl -sS -i --http2-prior-knowledge ${at.url}/3/device/${DEVICE} \\${token}
  -H 'apns-topic: ${app}' -H 'apns-push-type: alert' \\
  -d '{"aps":{"alert":{"title":"Hello","body":"Hello from curl"},"badge":1}}'`,
    },
    {
      title: "Point the Node client here",
      lang: "js",
      code: `import crypto from "node:crypto";
import net from "node:net";
import apn from "@parse/node-apn";

const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
const provider = new apn.Provider({
  token: {
    key: privateKey.export({ type: "pkcs8", format: "pem" }), // any key will do
    keyId: "${kid}",
    teamId: "TEAM123456",
  },
  address: "${hostname}",
  port: ${port},
  createConnection: () => net.connect(${port}, "${hostname}"), // cleartext HTTP/2
});
const result = await provider.send(
  new apn.Notification({
    topic: "${app}",
    pushType: "alert",
    alert: { title: "Hello", body: "Hello from Node" },
  }),
  "${DEVICE}",
);
console.log(JSON.stringify(result));
provider.shutdown();`,
    },
  ];
}
