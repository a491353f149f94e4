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
    client: "any webhook or workflow",
    code: ({ url }) => `the address, with ${url} in place of its host`,
    environment: "HTTPS_PROXY and the CA, with the vendor's own address",
  },
  {
    provider: "chat3",
    client: "discord.js",
    code: ({ url }) => `new WebhookClient({ id, token }, { rest: { api: "${url}/api" } })`,
  },
  {
    provider: "chat3",
    client: "discord.py",
    code: ({ url }) => `discord.http.Route.BASE = "${url}/api/v10"`,
    environment: "HTTPS_PROXY and REQUESTS_CA_BUNDLE, for webhooks",
  },
  {
    provider: "chat3",
    client: "any webhook",
    code: ({ url }) => `the address of the webhook, with ${url} in place of its host`,
    environment: "HTTPS_PROXY and the CA, with the vendor's own address",
  },
  {
    provider: "chat4",
    client: "grammY",
    code: ({ url }) => `new Bot(token, { client: { apiRoot: "${url}" } })`,
  },
  {
    provider: "chat4",
    client: "Telegraf",
    code: ({ url }) => `new Telegraf(token, { telegram: { apiRoot: "${url}" } })`,
  },
  {
    provider: "chat4",
    client: "python-telegram-bot",
    code: ({ url }) => `Bot(token, base_url="${url}/bot", base_file_url="${url}/file/bot")`,
    environment: "HTTPS_PROXY and SSL_CERT_FILE",
  },
  {
    provider: "chat4",
    client: "aiogram",
    code: ({ url }) =>
      `Bot(token, session=AiohttpSession(api=TelegramAPIServer.from_base("${url}")))`,
  },
  {
    provider: "chat4",
    client: "telegram-bot-api (Go)",
    code: ({ url }) => `tgbotapi.NewBotAPIWithAPIEndpoint(token, "${url}/bot%s/%s")`,
    environment: "HTTPS_PROXY and SSL_CERT_FILE",
  },
];
