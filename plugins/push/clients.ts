import type { ClientSetting } from "../../core/plugin.ts";

/** Clients of the push providers. */
export const CLIENTS: readonly ClientSetting[] = [
  {
    provider: "push1",
    client: "firebase-admin (Node)",
    environment: "the name fcm.googleapis.com resolved to Standin, and CA; httpAgent for send",
  },
  {
    provider: "push1",
    client: "firebase_admin (Python)",
    environment: "HTTPS_PROXY and REQUESTS_CA_BUNDLE",
  },
  {
    provider: "push2",
    client: "@parse/node-apn (Node)",
    code: ({ hostname, port }) => `address: "${hostname}", port: ${port}, and CA`,
    environment: "option proxy: { host, port }, and CA",
  },
  {
    provider: "push2",
    client: "aioapns (Python)",
    code: ({ hostname, port }) =>
      `APNS_SERVER = "${hostname}" and APNS_PORT = ${port} of its protocol`,
  },
  {
    provider: "push3",
    client: "web-push (Node)",
    code: ({ hostname, port }) =>
      `agent: a https.Agent whose createConnection is net.connect(${port}, "${hostname}")`,
    environment: "option proxy, and CA",
  },
  {
    provider: "push3",
    client: "pywebpush (Python)",
    environment: "HTTPS_PROXY and REQUESTS_CA_BUNDLE",
  },
];
