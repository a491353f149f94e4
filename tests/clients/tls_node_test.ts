/**
 * Node SDKs over TLS, and through the tunnel for those with a built-in host; only the environment
 * is changed.
 */
import { assertEquals } from "@std/assert";
import { requireNode, runOk } from "../support/clients.ts";
import { startTrusted, type TrustedService } from "../support/tls.ts";

/** Runs a module that prints one line of JSON. */
async function run(
  t: Deno.TestContext,
  { script, env }: { script: string; env: Readonly<Record<string, string>> },
): Promise<unknown> {
  const project = await requireNode(t);
  if (project === undefined) return undefined;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await runOk(project.node, args, {
    cwd: project.folder,
    env,
    timeoutMs: 60_000,
  });
  return JSON.parse(stdout);
}

/** Summaries of the captures with their HTTP version, oldest first. */
function captured({ service }: TrustedService): (readonly [string, string | undefined])[] {
  return service.events.list({}).toReversed()
    .map(({ provider, raw }) => [provider, raw.http_version] as const);
}

/** Only the CA, for clients with our address. */
function direct({ caFile, url }: TrustedService): Readonly<Record<string, string>> {
  return { NODE_EXTRA_CA_CERTS: caFile, URL: url, NO_PROXY: "*", no_proxy: "*" };
}

const SEND_MAILJET = `
const result = await mailjet.post("send", { version: "v3.1" }).request({ Messages: [{
  From: { Email: "a@example.com" }, To: [{ Email: "b@example.org" }],
  Subject: "Over TLS", TextPart: "Hello",
}] });
console.log(JSON.stringify(result.body.Messages[0].Status));`;

Deno.test("node-mailjet reaches the ingress by its host option, over TLS", async (t) => {
  await using trusted = await startTrusted();
  const seen = await run(t, {
    script: `
    import Mailjet from "node-mailjet";
    const { host } = new URL(process.env.URL);
    const mailjet = new Mailjet({ apiKey: "key", apiSecret: "secret", config: { host } });
    ${SEND_MAILJET}`,
    env: direct(trusted),
  });
  if (seen === undefined) return;
  assertEquals([seen, captured(trusted)], ["success", [["mail1", "1.1"]]]);
});

Deno.test("node-mailjet reaches the ingress as its proxy, without a line of code", async (t) => {
  await using trusted = await startTrusted();
  const seen = await run(t, {
    script: `
    import Mailjet from "node-mailjet";
    const mailjet = new Mailjet({ apiKey: "key", apiSecret: "secret" });
    ${SEND_MAILJET}`,
    env: trusted.proxied,
  });
  if (seen === undefined) return;
  assertEquals([seen, captured(trusted)], ["success", [["mail1", "1.1"]]]);
});

Deno.test("@sendgrid/mail reaches the ingress as its proxy, without a line of code", async (t) => {
  await using trusted = await startTrusted();
  const seen = await run(t, {
    script: `
    import sendgrid from "@sendgrid/mail";
    sendgrid.setApiKey("SG.any");
    const [response] = await sendgrid.send({
      from: "a@example.com", to: "b@example.org", subject: "Over TLS", text: "Hello",
    });
    console.log(JSON.stringify(response.statusCode));`,
    env: trusted.proxied,
  });
  if (seen === undefined) return;
  assertEquals([seen, captured(trusted)], [202, [["mail2", "1.1"]]]);
});

Deno.test("twilio reaches the ingress as its proxy, without a line of code", async (t) => {
  await using trusted = await startTrusted();
  const seen = await run(t, {
    script: `
    import twilio from "twilio";
    const client = twilio("AC" + "0".repeat(32), "token");
    const sent = await client.messages.create({
      from: "+15017122661", to: "+15558675310", body: "Hello",
    });
    const fetched = await client.messages(sent.sid).fetch();
    console.log(JSON.stringify([sent.status, fetched.body]));`,
    env: trusted.proxied,
  });
  if (seen === undefined) return;
  assertEquals([seen, captured(trusted)], [["queued", "Hello"], [["sms1", "1.1"]]]);
});

Deno.test("resend and Slack's client reach the ingress through an https URL", async (t) => {
  await using trusted = await startTrusted();
  const seen = await run(t, {
    script: `
    import { Resend } from "resend";
    const resend = new Resend("re_any", { baseUrl: process.env.URL });
    const { data, error } = await resend.emails.send({
      from: "a@example.com", to: "b@example.org", subject: "Over TLS", text: "Hello",
    });
    console.log(JSON.stringify([typeof data?.id, error]));`,
    env: direct(trusted),
  });
  const posted = await run(t, {
    script: `
    import { WebClient } from "@slack/web-api";
    const slack = new WebClient("xoxb-any", { slackApiUrl: process.env.URL + "/api/" });
    const { ok } = await slack.chat.postMessage({ channel: "C1", text: "Hello" });
    console.log(JSON.stringify(ok));`,
    env: direct(trusted),
  });
  if (seen === undefined || posted === undefined) return;
  assertEquals([seen, posted], [["string", null], true]);
  assertEquals(captured(trusted).map(([provider]) => provider), ["mail3", "chat1"]);
});

const APNS_KEY = `
import crypto from "node:crypto";
const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = privateKey.export({ type: "pkcs8", format: "pem" });`;

Deno.test("node-apn pushes over TLS, to the ingress and through the tunnel", async (t) => {
  await using trusted = await startTrusted();
  const { hostname, port } = trusted.service.ingress;
  const seen = await run(t, {
    script: `${APNS_KEY}
    import apn from "@parse/node-apn";
    const ways = [
      { address: "localhost", port: ${port} },
      { production: true, proxy: { host: "${hostname}", port: ${port} } },
    ];
    const results = [];
    for (const way of ways) {
      const provider = new apn.Provider({ token: { key, keyId: "K", teamId: "T" }, ...way });
      const push = new apn.Notification({ topic: "com.example.app", alert: "Hello" });
      const { sent, failed } = await provider.send(push, ["d1", "d2"]);
      results.push([sent.length, failed]);
      provider.shutdown();
    }
    console.log(JSON.stringify(results));`,
    env: direct(trusted),
  });
  if (seen === undefined) return;
  assertEquals(seen, [[2, []], [2, []]]);
  assertEquals(captured(trusted), Array(4).fill(["push2", "2"]));
});

Deno.test("apns2 pushes over TLS to the vendor's host, redirected by its connector", async (t) => {
  await using trusted = await startTrusted();
  const { hostname, port } = trusted.service.ingress;
  const seen = await run(t, {
    script: `${APNS_KEY}
    import { ApnsClient, Notification } from "apns2";
    import { ProxyAgent } from "undici";
    const client = new ApnsClient({
      team: "T", keyId: "K", signingKey: key, defaultTopic: "com.example.app", keepAlive: false,
    });
    const agent = new ProxyAgent({
      uri: "http://${hostname}:${port}", requestTls: { allowH2: true }, allowH2: true,
    });
    const request = agent.request.bind(agent);
    client.client = {
      request: (options) => request({ ...options, origin: "https://api.push.apple.com" }),
      close: () => agent.close(),
      destroy: () => agent.destroy(),
    };
    const results = [];
    for (const topic of ["com.example.app", ""]) {
      const push = new Notification("d1", { alert: "Hello", topic });
      results.push(await client.send(push).then(() => "sent", ({ reason }) => reason));
    }
    await agent.close();
    console.log(JSON.stringify(results));`,
    env: direct(trusted),
  });
  if (seen === undefined) return;
  assertEquals(seen, ["sent", "MissingTopic"]);
  assertEquals(captured(trusted), [["push2", "2"]]);
});
