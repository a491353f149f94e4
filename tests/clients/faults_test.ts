/**
 * Reactions of vendors' clients to faults, with the messages that they extract from the responses.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { Client } from "npm:@sendgrid/client@8.1.6";
import { MailService } from "npm:@sendgrid/mail@8.1.6";
import { LogLevel, WebClient } from "npm:@slack/web-api@8.2.0";
import { IncomingWebhook } from "npm:@slack/webhook@8.0.2";
import { IncomingWebhook as TeamsWebhook } from "npm:ms-teams-webhook@2.2.2";
import mailjetSdk from "npm:node-mailjet@6.0.11";
import { Resend } from "npm:resend@6.38.0";
import twilio from "npm:twilio@6.2.0";
import { requireNode, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

// By default, the SDK always uses TLS.
Object.assign(mailjetSdk.Request, { protocol: "http://" });

/** Runs `send` once for each outcome, and returns the results by outcome. */
async function each<T>(
  service: TestService,
  on: string,
  { outcomes, send }: { outcomes: readonly string[]; send: () => Promise<T> },
): Promise<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const outcome of outcomes) {
    using fault = await service.fault({ on, outcome: [outcome] });
    found[outcome] = await send();
    assertEquals(fault.hits, 1, outcome);
  }
  return found;
}

/** The rejection of a promise. */
async function failure(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  return await assertRejects(() => promise) as Error & Record<string, unknown>;
}

const MAIL = { from: "shop@example.com", to: "ada@example.org", subject: "Hi", text: "Hi" };

Deno.test("SendGrid's client reads status and message of every outcome", async () => {
  await using service = await startService();
  const client = new Client();
  const sendgrid = new MailService();
  sendgrid.setClient(client);
  sendgrid.setApiKey("SG.any");
  client.setDefaultRequest("baseUrl", service.ingress.url);
  const outcomes = ["rate_limit", "unauthorized", "forbidden", "server_error", "unavailable"];
  const found = await each(service, "mail/mail2", {
    outcomes,
    send: async () => {
      const { code, response } = await failure(sendgrid.send(MAIL)) as {
        code: number;
        response: { body: { errors: { message: string }[] } };
      };
      return [code, response.body.errors[0]?.message];
    },
  });
  assertEquals(found, {
    rate_limit: [429, "too many requests"],
    unauthorized: [401, "The provided authorization grant is invalid, expired, or revoked"],
    forbidden: [403, "access forbidden"],
    server_error: [500, "internal server exception"],
    unavailable: [503, "The SendGrid v3 Web API is not available."],
  });
  {
    // After a kept-alive connection closes, it retries on a new one, which closes as well.
    using _ = await service.fault({ on: "mail/mail2", outcome: "close" });
    assertEquals((await failure(sendgrid.send(MAIL))).code, "ECONNRESET");
  }
  assertEquals((await sendgrid.send(MAIL))[0].statusCode, 202);
});

Deno.test("Mailjet's client reads status and message of every outcome", async () => {
  await using service = await startService();
  const { hostname, port } = service.ingress;
  const mailjet = new mailjetSdk.Client({
    apiKey: "key",
    apiSecret: "secret",
    config: { host: `${hostname}:${port}` },
  });
  const message = { From: { Email: MAIL.from }, To: [{ Email: MAIL.to }], TextPart: "Hi" };
  const send = () =>
    mailjet.post("send", { version: "v3.1" }).request({ Messages: [message, message] });
  const found = await each(service, "mail/mail1", {
    outcomes: ["rate_limit", "unauthorized", "forbidden", "server_error", "unavailable"],
    send: async () => {
      const { statusCode, ErrorMessage } = await failure(send());
      return [statusCode, String(ErrorMessage).slice(0, 40)];
    },
  });
  assertEquals(Object.values(found).map(([status]) => status), [429, 401, 403, 500, 503]);
  assertEquals(found.forbidden?.[1], "You are not authorized to access this re");
  assertEquals(found.server_error?.[1], "Ouch! Something went wrong on our side a");
  using _ = await service.fault({ on: "mail/mail1", outcome: ["item_error"] });
  const { response, body } = await send();
  const { Messages } = body as unknown as {
    Messages: { Status: string; Errors?: { ErrorCode: string; ErrorMessage: string }[] }[];
  };
  assertEquals(response.status, 200);
  assertEquals(Messages.map(({ Status }) => Status), ["error", "success"]);
  const { ErrorCode, ErrorMessage } = Messages[0]?.Errors?.[0] ?? {};
  assertEquals([ErrorCode, ErrorMessage], [
    "send-0008",
    '"shop@example.com" is not an authorized sender email address for your account.',
  ]);
  const faults = () => service.list("mail.message").map(({ meta }) => meta.fault);
  assertEquals(faults(), ["item_error"]);
  assertEquals(service.rejected.list()[0]?.reason, 'fault "item_error": item_error');
  {
    const match = { subject: "Second" };
    using _ = await service.fault({
      ...{ on: "mail/mail1", outcome: ["item_error"], name: "late", after: true, match },
    });
    const Messages = [message, { ...message, Subject: "Second" }];
    const { body } = await mailjet.post("send", { version: "v3.1" }).request({ Messages });
    const { Messages: answered } = body as unknown as { Messages: { Status: string }[] };
    assertEquals(answered.map(({ Status }) => Status), ["success", "error"]);
    assertEquals(faults(), ["late", "late", "item_error"]);
  }
  using limit = await service.fault({ on: "mail/mail1", phase: "read", outcome: ["forbidden"] });
  const read = await fetch(`${service.ingress.url}/v3/REST/message/1`);
  assertEquals([read.status, await read.json(), limit.hits], [403, {
    ErrorInfo: "",
    ErrorMessage: "You are not authorized to access this resource.",
    StatusCode: 403,
  }, 1]);
});

Deno.test("Resend's client reads the name of every outcome", async () => {
  await using service = await startService();
  const resend = new Resend("re_test", { baseUrl: service.ingress.url });
  const messages: (string | undefined)[] = [];
  const found = await each(service, "mail/mail3", {
    outcomes: [
      ...["rate_limit", "daily_quota", "monthly_quota", "unauthorized", "forbidden"],
      ...["server_error", "unavailable"],
    ],
    send: async () => {
      const { error, headers } = await resend.emails.send(MAIL);
      messages.push(error?.message);
      return [error?.statusCode, error?.name, headers?.["retry-after"]];
    },
  });
  assertEquals(found, {
    rate_limit: [429, "rate_limit_exceeded", "1"],
    daily_quota: [429, "daily_quota_exceeded", undefined],
    monthly_quota: [429, "monthly_quota_exceeded", undefined],
    unauthorized: [401, "missing_api_key", undefined],
    forbidden: [403, "invalid_api_key", undefined],
    server_error: [500, "application_error", undefined],
    unavailable: [503, "application_error", undefined],
  });
  assertEquals(messages.slice(1, 3), [
    "You have reached your daily email sending quota.",
    "You have reached your monthly email sending quota.",
  ]);
  assertEquals(service.events.count("mail"), 0);
  using _ = await service.fault({ on: "mail/mail3", phase: "read", outcome: ["forbidden"] });
  assertEquals((await resend.emails.send(MAIL)).error, null);
  assertEquals((await resend.emails.list()).error?.name, "invalid_api_key");
});

Deno.test("Twilio's client reads the code of every outcome, and an undelivered message later", async () => {
  await using service = await startService();
  const client = twilio(`AC${"0".repeat(32)}`, "token");
  client.api.baseUrl = service.ingress.url;
  const text = { to: "+15558675310", from: "+15017122661", body: "Hi" };
  const found = await each(service, "sms/sms1", {
    outcomes: ["rate_limit", "unauthorized", "unsubscribed", "not_mobile", "server_error"],
    send: async () => {
      const { status, code, message } = await failure(client.messages.create(text));
      return [status, code, message];
    },
  });
  assertEquals(found, {
    rate_limit: [429, 20429, "Too many requests"],
    unauthorized: [401, 20003, "Authenticate"],
    unsubscribed: [400, 21610, "Attempt to send to unsubscribed recipient"],
    not_mobile: [400, 21614, "To number: +15558675310, is not a mobile number"],
    server_error: [500, 20500, "An internal server error has occurred"],
  });
  const match = { to: text.to };
  const outcome = { outcome: ["undelivered"], with: { error_code: 30005 } };
  using _ = await service.fault({ on: "sms/sms1", ...outcome, match });
  const sent = await client.messages.create(text);
  assertEquals([sent.status, sent.errorCode], ["queued", null]);
  const later = await client.messages(sent.sid).fetch();
  assertEquals([later.status, later.errorCode], ["undelivered", 30005]);
});

Deno.test("Slack's clients read the error of each API", async () => {
  await using service = await startService();
  const silent = {
    ...{ debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, setName() {} },
    getLevel: () => LogLevel.ERROR,
  };
  const web = new WebClient("xoxb-any", {
    slackApiUrl: `${service.ingress.url}/api/`,
    retryConfig: { retries: 0 },
    logger: silent,
  });
  const url = `${service.ingress.url}/services/T1/B1/token`;
  const hook = new IncomingWebhook(url);
  const outcomes = ["channel_archived", "no_service", "invalid_token", "server_error"];
  const api = await each(service, "chat/chat1", {
    outcomes,
    send: async () => {
      const { data } = await failure(web.chat.postMessage({ channel: "#a", text: "Hi" }));
      return (data as { error: string }).error;
    },
  });
  assertEquals(api, {
    channel_archived: "is_archived",
    no_service: "account_inactive",
    invalid_token: "invalid_auth",
    server_error: "internal_error",
  });
  const hooks = await each(service, "chat/chat1", {
    outcomes,
    send: async () => {
      const { statusCode, body } = await failure(hook.send("Hi"));
      return `${statusCode} ${body}`;
    },
  });
  assertEquals(hooks, {
    channel_archived: "410 channel_is_archived",
    no_service: "404 no_service",
    invalid_token: "403 invalid_token",
    server_error: "500 rollup_error",
  });
  {
    using _ = await service.fault({ on: "chat/chat1", outcome: "invalid_token" });
    const refused = await fetch(url, { method: "POST", body: "{}" });
    assertEquals(refused.headers.get("content-type"), "text/html");
    assertEquals(await refused.text(), "invalid_token");
  }
  const match = { "channel.name": "#b", text: { contains: "busy" } };
  using limit = await service.fault({
    ...{ on: "chat/chat1", outcome: ["rate_limit"], with: { retry_after: 7 }, match },
  });
  await web.chat.postMessage({ channel: "#b", text: "Hi" });
  const posted = { method: "POST", body: '{"channel":"#b","text":"I am busy"}' };
  const limited = await fetch(`${service.ingress.url}/api/chat.postMessage`, posted);
  assertEquals([limited.status, limited.headers.get("retry-after")], [429, "7"]);
  assertEquals([await limited.json(), limit.hits], [{ ok: false, error: "ratelimited" }, 1]);
});

const SLACK = `
import { WebClient } from "@slack/web-api";
const web = new WebClient("xoxb-any", { slackApiUrl: process.env.API, logLevel: "error" });
const waited = [];
web.on("rate_limited", (seconds) => waited.push(seconds));
const { ok } = await web.chat.postMessage({ channel: "#a", text: "Hi" });
console.log(JSON.stringify([ok, waited]));
`;

Deno.test("@slack/web-api waits as long as Retry-After says, and succeeds", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService();
  using fault = await service.fault({ on: "chat/chat1", outcome: ["rate_limit", "rate_limit"] });
  const { stdout } = await runOk(project.node, ["--input-type=module", "--eval", SLACK], {
    cwd: project.folder,
    env: { API: `${service.ingress.url}/api/` },
    timeoutMs: 60_000,
  });
  assertEquals([JSON.parse(stdout), fault.hits], [[true, [1, 1]], 2]);
  assertEquals(service.events.count("chat"), 1);
});

Deno.test("a Teams client sees a failure only in the text of a successful answer", async () => {
  await using service = await startService();
  const id = "00000000-0000-4000-8000-000000000000";
  const hook = new TeamsWebhook(
    `${service.ingress.url}/webhookb2/${id}@${id}/IncomingWebhook/a/${id}`,
  );
  for (const [outcome, status] of [["rate_limit", 429], ["server_error", 500]] as const) {
    const match = { text: "Hi" };
    using fault = await service.fault({ on: "chat/chat2", outcome: [outcome], match });
    assertEquals(
      String(await hook.send({ text: "Hi" })),
      "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error " +
        `${status} with ContextId tcid=0,server=standin,cv=standin.0..`,
    );
    assertEquals(fault.hits, 1);
  }
});

const FCM = `
import https from "node:https";
import net from "node:net";
import { initializeApp } from "firebase-admin/app";
import { getMessaging } from "firebase-admin/messaging";
const { port, count } = JSON.parse(process.env.STANDIN_TEST);
class LocalAgent extends https.Agent {
  createConnection() {
    return net.connect(port, "127.0.0.1");
  }
}
const credential = { getAccessToken: async () => ({ access_token: "any", expires_in: 3600 }) };
const messaging = getMessaging(
  initializeApp({ projectId: "demo", credential, httpAgent: new LocalAgent() }),
);
messaging.enableLegacyHttpTransport();
const seen = [];
for (let n = 0; n < count; n++) {
  seen.push(await messaging.send({ token: "t" + n }).then(() => "sent", ({ code }) => code));
}
console.log(JSON.stringify(seen));
`;

Deno.test("firebase-admin names every outcome", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService();
  const outcomes = [
    ...["unregistered", "sender_mismatch", "third_party_auth", "server_error", "quota"],
  ];
  // It retries after 503, and succeeds.
  const turns = [...outcomes, "unavailable"];
  for (const [n, outcome] of turns.entries()) {
    const match = { "target.value": `t${n}` };
    await service.fault({ on: "push/push1", outcome: [outcome], match });
  }
  const { stdout } = await runOk(project.node, ["--input-type=module", "--eval", FCM], {
    cwd: project.folder,
    env: { STANDIN_TEST: JSON.stringify({ port: service.ingress.port, count: turns.length }) },
    timeoutMs: 60_000,
  });
  assertEquals(JSON.parse(stdout), [
    "messaging/registration-token-not-registered",
    "messaging/mismatched-credential",
    "messaging/third-party-auth-error",
    "messaging/internal-error",
    "messaging/message-rate-exceeded",
    "sent",
  ]);
});

Deno.test("FCM's errors have the messages quoted in public bug reports", async () => {
  await using service = await startService();
  const found = await each(service, "push/push1", {
    outcomes: ["quota", "unavailable", "server_error", "third_party_auth"],
    send: async () => {
      const response = await fetch(`${service.ingress.url}/v1/projects/demo/messages:send`, {
        method: "POST",
        body: JSON.stringify({ message: { token: "t" } }),
      });
      const { error } = await response.json();
      return [error.code, error.message, error.status, error.details[0].errorCode];
    },
  });
  assertEquals(found, {
    quota: [429, "Topic quota exceeded.", "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"],
    unavailable: [503, "The service is currently unavailable.", "UNAVAILABLE", "UNAVAILABLE"],
    server_error: [500, "Internal error encountered.", "INTERNAL", "INTERNAL"],
    third_party_auth: [
      401,
      "Auth error from APNS or Web Push Service",
      "UNAUTHENTICATED",
      "THIRD_PARTY_AUTH_ERROR",
    ],
  });
});

const APNS = `
import crypto from "node:crypto";
import net from "node:net";
import apn from "@parse/node-apn";
const port = Number(process.env.PORT);
const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
const provider = new apn.Provider({
  token: {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    keyId: "ABC123DEFG",
    teamId: "TEAM123456",
  },
  address: "127.0.0.1",
  port,
  createConnection: () => net.connect(port, "127.0.0.1"),
});
const seen = [];
for (let n = 0; n < 7; n++) {
  const note = new apn.Notification({ topic: "com.example.app", alert: "Hi" });
  const { failed } = await provider.send(note, "d" + n);
  seen.push(failed.map(({ status, response }) => [status, response?.reason, typeof response?.timestamp]));
}
provider.shutdown();
console.log(JSON.stringify(seen));
`;

Deno.test("node-apn lists the token of each outcome under failed, with its status and reason", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService();
  const outcomes = [
    ...["unregistered", "bad_device_token", "expired_token", "rate_limit", "server_error"],
    "shutdown",
  ];
  const faults = [];
  for (const [n, outcome] of outcomes.entries()) {
    const match = { "target.value": `d${n}` };
    faults.push(await service.fault({ on: "push/push2", outcome, match }));
  }
  const { stdout } = await runOk(project.node, ["--input-type=module", "--eval", APNS], {
    cwd: project.folder,
    env: { PORT: String(service.ingress.port) },
    timeoutMs: 60_000,
  });
  assertEquals(JSON.parse(stdout), [
    [[410, "Unregistered", "number"]],
    [[400, "BadDeviceToken", "undefined"]],
    // It retries these, and then reports no reason.
    [[403, null, "undefined"]],
    [[429, "TooManyRequests", "undefined"]],
    [[500, null, "undefined"]],
    [[503, "Shutdown", "undefined"]],
    [],
  ]);
  assertEquals(faults.map(({ hits }) => hits > 1), [false, false, true, true, true, true]);
});
