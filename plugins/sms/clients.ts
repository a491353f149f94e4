import type { ClientSetting } from "../../core/plugin.ts";

/** Clients of the text message providers. */
export const CLIENTS: readonly ClientSetting[] = [
  {
    provider: "sms1",
    client: "twilio (Node)",
    code: ({ url }) => `client.api.baseUrl = "${url}"`,
    environment: "HTTP_PROXY and CA",
  },
  {
    provider: "sms1",
    client: "twilio (Python)",
    code: ({ url }) => `client.api.base_url = "${url}"`,
    environment: "HTTPS_PROXY and REQUESTS_CA_BUNDLE",
  },
  {
    provider: "sms1",
    client: "twilio (Java)",
    environment: "-Dhttps.proxyHost, -Dhttps.proxyPort and a trust store",
  },
];
