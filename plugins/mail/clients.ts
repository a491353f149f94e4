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
    provider: "smtp",
    client: "any SMTP client",
    code: ({ hostname, port }) => `host ${hostname}, port ${port}, no TLS unless starttls is on`,
  },
];
