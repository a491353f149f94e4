/** Ready-made calls for APNs clients; cleartext HTTP/2 with prior knowledge. */
import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** What snippets need of the settings. */
export interface SnippetValues {
  readonly topic: string | undefined;
  readonly key_id: string | undefined;
}

const DEVICE = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/** Snippets that run as they are. */
export function snippets(at: Endpoint, { topic, key_id }: SnippetValues): readonly Snippet[] {
  const app = topic ?? "com.example.app";
  const kid = key_id ?? "ABC123DEFG";
  const { hostname, port } = new URL(at.url);
  // A pinned key id needs a token that names it; the signature is not looked at.
  const token = key_id === undefined ? "" : `
  -H 'authorization: bearer ${unsigned(kid)}' \\`;
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

function unsigned(kid: string): string {
  const encode = (value: unknown): string =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${encode({ alg: "ES256", kid })}.${encode({ iss: "TEAM123456" })}.unsigned`;
}
