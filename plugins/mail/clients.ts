import type { ClientSetting } from "../../core/plugin.ts";

const ENVIRONMENT = "HTTPS_PROXY and CA";
const PYTHON = "HTTPS_PROXY and REQUESTS_CA_BUNDLE";
const JAVA = "-Dhttps.proxyHost, -Dhttps.proxyPort and a trust store";

/** Clients of the mail providers. */
export const CLIENTS: readonly ClientSetting[] = [
  {
    provider: "mail1",
    client: "node-mailjet (Node)",
    code: ({ hostname, port }) => `config: { host: "${hostname}:${port}", protocol: "http:" }`,
    environment: "HTTPS_PROXY",
  },
  {
    provider: "mail1",
    client: "mailjet_rest (Python)",
    code: ({ url }) => `api_url="${url}/"`,
    environment: PYTHON,
  },
  {
    provider: "mail1",
    client: "mailjet-client (Java)",
    code: ({ url }) => `ClientOptions.builder().baseUrl("${url}")`,
    environment: JAVA,
  },
  {
    provider: "mail2",
    client: "@sendgrid/mail (Node)",
    code: ({ url }) => `client.setDefaultRequest("baseUrl", "${url}")`,
    environment: ENVIRONMENT,
  },
  {
    provider: "mail2",
    client: "sendgrid (Python)",
    code: ({ url }) => `host="${url}"`,
    environment: "HTTPS_PROXY and SSL_CERT_FILE",
  },
  {
    provider: "mail2",
    client: "sendgrid-java",
    code: ({ hostname, port }) => `new SendGrid(key, true), setHost("${hostname}:${port}")`,
    environment: `${JAVA}, with new Client(HttpClients.createSystem())`,
  },
  {
    provider: "mail3",
    client: "resend (Node)",
    code: ({ url }) => `baseUrl: "${url}"`,
    environment: `on Node 24: NODE_USE_ENV_PROXY=1, ${ENVIRONMENT}`,
  },
  {
    provider: "mail3",
    client: "resend (Python)",
    code: ({ url }) => `resend.api_url = "${url}"`,
    environment: PYTHON,
  },
  { provider: "mail3", client: "resend-java", environment: JAVA },
  {
    provider: "mail4",
    client: "postmark (Node)",
    code: ({ hostname, port }) => `{ requestHost: "${hostname}:${port}", useHttps: false }`,
    environment: `on Node 24: NODE_USE_ENV_PROXY=1, ${ENVIRONMENT}`,
  },
  {
    provider: "mail4",
    client: "postmark-python",
    code: ({ url }) => `base_url="${url}"`,
    environment: "HTTPS_PROXY and SSL_CERT_FILE",
  },
  {
    provider: "mail4",
    client: "postmark (Java)",
    code: ({ hostname, port }) => `Postmark.getApiClient(token, false, "${hostname}:${port}")`,
    environment: JAVA,
  },
  {
    provider: "mail5",
    client: "mailgun.js (Node)",
    code: ({ url }) => `url: "${url}"`,
    environment: ENVIRONMENT,
  },
  {
    provider: "mail5",
    client: "mailgun (Python)",
    code: ({ url }) => `api_url="${url}"`,
    environment: PYTHON,
  },
  {
    provider: "mail5",
    client: "mailgun-java",
    code: ({ url }) => `MailgunClient.config("${url}", key)`,
    environment: JAVA,
  },
  {
    provider: "mail6",
    client: "@aws-sdk/client-sesv2 (Node)",
    code: ({ url }) => `endpoint: "${url}"`,
    environment: "AWS_ENDPOINT_URL_SESV2",
  },
  {
    provider: "mail6",
    client: "boto3, aws CLI",
    code: ({ url }) => `endpoint_url="${url}"`,
    environment: "AWS_ENDPOINT_URL_SESV2, and AWS_ENDPOINT_URL_SES for version 1",
  },
  {
    provider: "mail6",
    client: "AWS SDK for Java",
    code: ({ url }) => `endpointOverride(URI.create("${url}"))`,
    environment: "AWS_ENDPOINT_URL_SESV2",
  },
  {
    provider: "mail7",
    client: "@getbrevo/brevo (Node)",
    code: ({ url }) => `baseUrl: "${url}/v3"`,
    environment: `on Node 24: NODE_USE_ENV_PROXY=1, ${ENVIRONMENT}`,
  },
  {
    provider: "mail7",
    client: "brevo-python",
    code: ({ url }) => `base_url="${url}/v3"`,
    environment: "HTTPS_PROXY and SSL_CERT_FILE",
  },
  {
    provider: "mail7",
    client: "brevo (Java)",
    code: ({ url }) => `setBasePath("${url}/v3")`,
    environment: JAVA,
  },
  {
    provider: "smtp",
    client: "any SMTP client",
    code: ({ hostname, port }) => `host ${hostname}, port ${port}, no TLS unless starttls is on`,
  },
];
