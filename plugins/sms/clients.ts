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
  {
    provider: "sms2",
    client: "@aws-sdk/client-sns (Node)",
    code: ({ url }) => `new SNSClient({ endpoint: "${url}" })`,
    environment: "AWS_ENDPOINT_URL_SNS",
  },
  {
    provider: "sms2",
    client: "boto3 (Python)",
    code: ({ url }) => `boto3.client("sns", endpoint_url="${url}")`,
    environment: "AWS_ENDPOINT_URL_SNS",
  },
  {
    provider: "sms2",
    client: "AWS SDK (Java)",
    code: ({ url }) => `SnsClient.builder().endpointOverride(URI.create("${url}"))`,
    environment: "AWS_ENDPOINT_URL_SNS",
  },
  {
    provider: "sms3",
    client: "@vonage/server-sdk (Node)",
    code: ({ url }) => `new Vonage(auth, { restHost: "${url}", apiHost: "${url}" })`,
    environment: "on Node 24: NODE_USE_ENV_PROXY=1, HTTPS_PROXY and CA",
  },
];
