/** Reports of Postmark, Mailgun and Brevo, taken and verified by django-anymail. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { BrevoClient } from "npm:@getbrevo/brevo@6.0.3";
import Mailgun from "npm:mailgun.js@14.0.1";
import { ServerClient } from "npm:postmark@5.1.0";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython } from "../support/clients.ts";
import { freePort } from "../support/free_port.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

/** What the receiver said of a request. */
interface Seen {
  readonly vendor: string;
  readonly type: string;
  readonly [name: string]: unknown;
}

const ATTACHMENTS = [
  { filename: "a.txt", content_type: "text/plain", content: btoa("Hi") },
  { filename: "p.png", content_type: "image/png", content_id: "p@shop", content: btoa("png") },
];

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of stream) {
    const lines = (text + decoder.decode(piece, { stream: true })).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}

/** Runs with a Django application that the vendor's reports go to. */
async function withDjango(
  t: Deno.TestContext,
  { provider, vendor, key, wrong }: {
    provider: string;
    vendor: string;
    /** Setting for the key of the signatures. */
    key?: string;
    /** Another key than that of the service. */
    wrong?: string;
  },
  run: (service: TestService, next: () => Promise<Seen>) => Promise<void>,
): Promise<void> {
  const python = await requirePython(t);
  if (python === undefined) return;
  const port = freePort();
  const base = `http://ada:secret@127.0.0.1:${port}/anymail/${vendor}`;
  await using service = await startService({
    plugins: [mail],
    config: {
      callbacks: {
        enabled: true,
        speed: 1e6,
        webhooks: { [provider]: `${base}/tracking/` },
        inbound: { [provider]: `${base}/inbound/` },
      },
    },
  });
  const { providers } = await service.getJson<Providers>("/callbacks/providers");
  const secret = providers.find(({ on }) => on === `mail/${provider}`)!.keys[0]?.value;
  const settings = {
    WEBHOOK_SECRET: "ada:secret",
    BREVO_API_KEY: "any",
    ...(key !== undefined && { [key]: wrong ?? secret }),
  };
  const script = new URL("python/anymail_webhooks.py", import.meta.url).pathname;
  const child = new Deno.Command(python, {
    args: [script, String(port), JSON.stringify(settings)],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const lines = linesOf(child.stdout);
  const next = async (): Promise<Seen> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The receiver ended: ${await stderr}`);
    return JSON.parse(value);
  };
  try {
    assertEquals((await next()).type, "started");
    await run(service, next);
  } finally {
    child.kill("SIGKILL");
    await lines.return();
    await Promise.all([child.status, stderr]);
  }
}

interface Providers {
  readonly providers: readonly { on: string; keys: readonly { value: string }[] }[];
}

/** Requests each callback, and returns what the receiver made of it: its type, and what came with it. */
async function report(
  service: TestService,
  next: () => Promise<Seen>,
  rows: readonly (readonly [name: string, params?: Record<string, unknown>])[],
): Promise<readonly unknown[]> {
  const event = await service.waitFor("mail.message");
  const seen: unknown[] = [];
  for (const [name, params = {}] of rows) {
    const calls = await service.callback(event, name, params);
    assertEquals(calls.map(({ state }) => state), ["done"], name);
    const { type, why, response, url } = await next();
    seen.push([name, type, why, name === "bounced" ? response : url]);
  }
  return seen;
}

/** The mail that comes in, as the receiver reads it. */
async function receive(
  service: TestService,
  next: () => Promise<Seen>,
  { provider, attachments = ATTACHMENTS }: { provider: string; attachments?: object[] },
): Promise<void> {
  const about = { from: "Ada Lovelace <ada@example.org>", to: "help@example.com" };
  const { calls } = await service.inbound(provider, {
    ...about,
    subject: "Grüße",
    text: "Where is it?",
    attachments,
  });
  assertEquals(calls.map(({ state }) => state), ["done"]);
  const { vendor: _vendor, ...seen } = await next();
  assertEquals(seen, {
    type: "inbound",
    sender: about.from,
    to: [about.to],
    subject: "Grüße",
    text: "Where is it?",
    files: attachments.length === 0 ? [] : [["a.txt", "Hi"]],
    inline: attachments.length === 0 ? [] : ["p@shop"],
  });
}

const LINK = "https://example.com/x";

Deno.test("django-anymail accepts Postmark's reports and inbound mails", async (t) => {
  await withDjango(t, { provider: "mail4", vendor: "postmark" }, async (service, next) => {
    const client = new ServerClient("any", {
      requestHost: new URL(service.ingress.url).host,
      useHttps: false,
    });
    const { MessageID } = await client.sendEmail({
      From: "shop@example.com",
      To: "ada@example.org, bob@example.org",
      Subject: "Hello",
      TextBody: "Hello",
      Tag: "welcome",
      Metadata: { order: "7" },
    });
    // Calls about one event are made in order.
    for (const to of ["ada@example.org", "bob@example.org"]) {
      const { id, type, tags, metadata, ...seen } = await next();
      assertEquals([type, seen.to, id, tags, metadata], [
        "delivered",
        to,
        MessageID,
        ["welcome"],
        { order: "7" },
      ]);
    }
    const recipient = "bob@example.org";
    const reason = "smtp;550 5.1.1 No such user";
    assertEquals(
      await report(service, next, [
        ["bounced", { recipient, reason }],
        ["opened", { recipient }],
        ["clicked", { recipient, url: LINK }],
        ["spam_report", { recipient }],
        ["unsubscribed", { recipient }],
      ]),
      [
        ["bounced", "bounced", "bounced", reason],
        ["opened", "opened", null, null],
        ["clicked", "clicked", null, LINK],
        ["spam_report", "complained", "spam", null],
        ["unsubscribed", "unsubscribed", "unsubscribed", null],
      ],
    );
    await receive(service, next, { provider: "postmark" });
  });
});

Deno.test("django-anymail verifies Mailgun's reports and inbound mails", async (t) => {
  const about = {
    provider: "mail5",
    vendor: "mailgun",
    key: "MAILGUN_WEBHOOK_SIGNING_KEY",
  };
  await withDjango(t, about, async (service, next) => {
    const mailgun = new Mailgun.default(FormData).client({
      username: "api",
      key: "any",
      url: service.ingress.url,
    });
    const { id } = await mailgun.messages.create("mg.example.com", {
      from: "shop@example.com",
      to: ["ada@example.org"],
      subject: "Hello",
      text: "Hello",
      "o:tag": ["welcome"],
      "v:order": "7",
    });
    const first = [await next(), await next()];
    assertEquals(
      first.map(({ type, to, tags, metadata, ...seen }) => [
        type,
        to,
        seen.id,
        tags,
        metadata,
      ]),
      [
        ["queued", "ada@example.org", id, ["welcome"], { order: "7" }],
        ["delivered", "ada@example.org", id, ["welcome"], { order: "7" }],
      ],
    );
    const reason = "5.1.1 No such user";
    assertEquals(
      await report(service, next, [
        ["bounced", { reason }],
        ["deferred"],
        ["opened"],
        ["clicked", { url: LINK }],
        ["spam_report"],
        ["unsubscribed"],
      ]),
      [
        ["bounced", "bounced", "bounced", reason],
        ["deferred", "deferred", "other", null],
        ["opened", "opened", null, null],
        ["clicked", "clicked", null, LINK],
        ["spam_report", "complained", null, null],
        ["unsubscribed", "unsubscribed", null, null],
      ],
    );
    await receive(service, next, { provider: "mail5" });
    await receive(service, next, { provider: "mail5", attachments: [] });
  });
});

Deno.test("a Mailgun report with a wrong signature is refused, and retried unless it is about a delivery", async (t) => {
  const about = { provider: "mail5", vendor: "mailgun", key: "MAILGUN_WEBHOOK_SIGNING_KEY" };
  await withDjango(t, { ...about, wrong: "another" }, async (service) => {
    assertEquals(await attemptsOf(service), [
      ["accepted", [400, 400, 400, 400, 400, 400, 400]],
      ["delivered", [400]],
    ]);
  });
  await using app = startReceiver(() => new Response(null, { status: 406 }));
  await using service = await startService({
    plugins: [mail],
    config: { callbacks: { enabled: true, webhooks: { mail5: app.url } } },
  });
  assertEquals(await attemptsOf(service), [["accepted", [406]], ["delivered", [406]]]);
});

/** Sends a message, and returns the responses to each call about it. */
async function attemptsOf(service: TestService): Promise<readonly unknown[]> {
  const sent = await fetch(`${service.ingress.url}/v3/mg.example.com/messages`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("api:any")}` },
    body: new URLSearchParams({ from: "s@example.com", to: "a@example.org", text: "x" }),
  });
  await sent.body?.cancel();
  const event = await service.waitFor("mail.message");
  const { calls } = await service.getJson<Calls>(`/events/${event.id}/callbacks?wait=true`);
  assertEquals(calls.map(({ state }) => state), ["failed", "failed"]);
  return calls.map(({ name, attempts }) => [name, attempts.map(({ status }) => status)]);
}

interface Calls {
  readonly calls: readonly {
    readonly name: string;
    readonly state: string;
    readonly attempts: readonly { readonly status: number }[];
  }[];
}

Deno.test("django-anymail accepts Brevo's reports and inbound mails", async (t) => {
  await withDjango(t, { provider: "mail7", vendor: "brevo" }, async (service, next) => {
    const brevo = new BrevoClient({ apiKey: "any", baseUrl: `${service.ingress.url}/v3` });
    const { messageId } = await brevo.transactionalEmails.sendTransacEmail({
      sender: { email: "shop@example.com" },
      to: [{ email: "ada@example.org" }],
      subject: "Hello",
      textContent: "Hello",
      tags: ["welcome"],
      headers: { "X-Mailin-custom": '{"order":"7"}' },
    });
    const first = [await next(), await next()];
    assertEquals(first.map(({ type, to, tags, metadata, id }) => [type, to, id, tags, metadata]), [
      ["queued", "ada@example.org", messageId, ["welcome"], { order: "7" }],
      ["delivered", "ada@example.org", messageId, ["welcome"], { order: "7" }],
    ]);
    const reason = "550 5.1.1 No such user";
    assertEquals(
      await report(service, next, [
        ["bounced", { reason }],
        ["soft_bounce"],
        ["deferred"],
        ["blocked"],
        ["opened"],
        ["clicked", { url: LINK }],
        ["spam_report"],
        ["unsubscribed"],
      ]),
      [
        ["bounced", "bounced", "bounced", reason],
        ["soft_bounce", "bounced", "bounced", null],
        ["deferred", "deferred", null, null],
        ["blocked", "rejected", "blocked", null],
        ["opened", "opened", null, null],
        ["clicked", "clicked", null, LINK],
        ["spam_report", "complained", "spam", null],
        ["unsubscribed", "unsubscribed", null, null],
      ],
    );
    await receive(service, next, { provider: "brevo", attachments: [] });
    const wrong = await assertRejects(() =>
      service.inbound("mail7", { from: "a@b.example", to: "c@d.example", attachments: ATTACHMENTS })
    );
    assertStringIncludes(String(wrong), "attachments of incoming emails are not covered for Brevo");
  });
});
