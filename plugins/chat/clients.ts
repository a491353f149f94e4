import type { ClientSetting } from "../../core/plugin.ts";

/** Clients of the chat providers. */
export const CLIENTS: readonly ClientSetting[] = [
  {
    provider: "chat1",
    client: "@slack/web-api (Node)",
    code: ({ url }) => `slackApiUrl: "${url}/api/"`,
    environment: "on Node 24: NODE_USE_ENV_PROXY=1, HTTPS_PROXY and CA",
  },
  {
    provider: "chat1",
    client: "slack_sdk (Python)",
    code: ({ url }) => `base_url="${url}/api/"`,
    environment: "HTTPS_PROXY and SSL_CERT_FILE",
  },
  {
    provider: "chat1",
    client: "slack-api-client (Java)",
    code: ({ url }) => `config.setMethodsEndpointUrlPrefix("${url}/api/")`,
    environment: "-Dhttps.proxyHost, -Dhttps.proxyPort and a trust store",
  },
  {
    provider: "chat2",
    client: "any webhook",
    code: ({ url }) => `the address of the webhook, with ${url} in place of its host`,
  },
];
