/** Reports of the mail vendors, verified by the vendors' libraries, and inbound mails. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { EventWebhook } from "npm:@sendgrid/eventwebhook@8.0.0";
import { MailService } from "npm:@sendgrid/mail@8.1.6";
import { Client } from "npm:@sendgrid/client@8.1.6";
import { Resend } from "npm:resend@6.38.0";
import { Webhook } from "npm:svix@2.5.0";
import { connect } from "../../plugins/client.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

function start(app: Receiver): Promise<TestService> {
  const all = (name: string) => ({
    mail1: `http://ada:secret@${new URL(app.url).host}/mail1/${name}`,
    mail2: `${app.url}/mail2/${name}`,
    mail3: `${app.url}/mail3/${name}`,
  });
  return startService({
    plugins: [mail],
    config: { callbacks: { enabled: true, webhooks: all("events"), inbound: all("inbound") } },
  });
}

interface Providers {
  readonly providers: readonly { on: string; keys: readonly { name: string; value: string }[] }[];
}

async function keyOf(service: TestService, on: string): Promise<string> {
  const { providers } = await service.getJson<Providers>("/callbacks/providers");
  return providers.find((one) => one.on === on)!.keys[0]!.value;
}

Deno.test("@sendgrid/eventwebhook verifies SendGrid's reports, and Inbound Parse has the mail", async () => {
  await using app = startReceiver();
  await using service = await start(app);
  const client = new Client();
  client.setApiKey("SG.any");
  client.setDefaultRequest("baseUrl", service.ingress.url);
  const sender = new MailService();
  sender.setClient(client);
  const [{ headers }] = await sender.send({
    to: ["ada@example.org", "bob@example.org"],
    from: "shop@example.com",
    subject: "Hello",
    text: "Hello",
    categories: ["welcome"],
    customArgs: { order: "7" },
  });
  const event = await service.waitFor("mail.message");
  await connect(service.api.url).callbacks(event);
  await service.callback(event, "bounced", { recipient: "bob@example.org" });
  await service.callback(event, "clicked", { url: "https://example.com/x" });
  const verifier = new EventWebhook();
  const publicKey = verifier.convertPublicKeyToECDSA(await keyOf(service, "mail/mail2"));
  for (const { headers, body } of app.received) {
    const signature = headers.get("x-twilio-email-event-webhook-signature")!;
    const timestamp = headers.get("x-twilio-email-event-webhook-timestamp")!;
    assert(verifier.verifySignature(publicKey, body, signature, timestamp));
    assert(!verifier.verifySignature(publicKey, `${body} `, signature, timestamp));
  }
  const batches = app.received.map(({ body }) => JSON.parse(body));
  assertEquals(batches.map((batch) => batch.map(({ event }: { event: string }) => event)), [
    ["processed", "processed"],
    ["delivered", "delivered"],
    ["bounce"],
    ["click", "click"],
  ]);
  const [bounce] = batches[2];
  assertEquals([bounce.email, bounce.status, bounce.order, bounce.category], [
    "bob@example.org",
    "5.1.1",
    "7",
    ["welcome"],
  ]);
  assert(bounce.sg_message_id.startsWith(`${headers["x-message-id"]}.`));
  const attachments = [{
    filename: "a.txt",
    content_type: "text/plain",
    content_id: "a@shop",
    content: btoa("Hi"),
  }];
  await service.inbound("mail2", {
    from: "Ada <ada@example.org>",
    to: "help@example.com",
    subject: "Grüße",
    text: "Where?",
    attachments,
  });
  const { headers: sent, body } = app.received.at(-1)!;
  const form = await new Response(body, { headers: sent }).formData();
  assertEquals([form.get("subject"), form.get("text"), form.get("attachments")], [
    "Grüße",
    "Where?",
    "1",
  ]);
  assertEquals(JSON.parse(String(form.get("envelope"))), {
    to: ["help@example.com"],
    from: "ada@example.org",
  });
  assertEquals(await (form.get("attachment1") as File).text(), "Hi");
  assertEquals(JSON.parse(String(form.get("content-ids"))), { "a@shop": "attachment1" });
});

Deno.test("svix verifies Resend's reports, and an email is read with its last state", async () => {
  await using app = startReceiver((_request, count) =>
    new Response(null, { status: count === 1 ? 500 : 200 })
  );
  await using service = await start(app);
  const resend = new Resend("re_123", { baseUrl: service.ingress.url });
  const { data } = await resend.emails.send({
    from: "Shop <shop@example.com>",
    to: "ada@example.org",
    subject: "Hello",
    html: "<p>Hello</p>",
    tags: [{ name: "kind", value: "welcome" }],
  });
  const event = await service.waitFor("mail.message");
  await connect(service.api.url).callbacks(event);
  assertEquals((await resend.emails.get(data!.id)).data?.last_event, "delivered");
  await service.callback(event, "bounced");
  assertEquals((await resend.emails.get(data!.id)).data?.last_event, "bounced");
  await service.callback(event, "reply", { body: "Thanks" });
  const webhook = new Webhook(await keyOf(service, "mail/mail3"));
  const verified = app.received.map(({ headers, body }) => {
    webhook.verify(body, Object.fromEntries(headers));
    return JSON.parse(body) as { type: string; data: Json };
  });
  assertEquals(verified.map(({ type }) => type), [
    "email.sent",
    "email.sent",
    "email.delivered",
    "email.bounced",
    "email.received",
  ]);
  const [first, again] = app.received;
  assertEquals(first?.headers.get("svix-id"), again?.headers.get("svix-id"));
  assertThrows(() => webhook.verify("{}", Object.fromEntries(first!.headers)));
  const { data: bounced } = verified[3]!;
  assertEquals([bounced.email_id, bounced.to, bounced.tags], [data!.id, ["ada@example.org"], {
    kind: "welcome",
  }]);
  assertEquals((bounced.bounce as Json).type, "Permanent");
  assertEquals(verified[4]?.data.subject, "Re: Hello");
});
type Json = Record<string, unknown>;

Deno.test("the resend package reads, downloads and forwards an inbound mail", async () => {
  await using app = startReceiver();
  await using service = await start(app);
  const resend = new Resend("re_123", { baseUrl: service.ingress.url });
  const { receiving } = resend.emails;
  const pixel = "iVBORw0KGgo=";
  const attachments = [
    { filename: "a.txt", content_type: "text/plain", content: btoa("Hi") },
    { filename: "p.png", content_type: "image/png", content_id: "<p1@shop>", content: pixel },
  ];
  const html = '<p>Where?</p><img src="cid:p1@shop"><img src="cid:other">';
  const from = "Ada <ada@example.org>";
  const mail = { from, to: "help@example.com", subject: "Grüße", text: "Where?", html };
  for (const subject of ["first", "second"]) {
    await service.inbound("mail3", { from, to: "help@example.com", subject });
  }
  await service.inbound("mail3", { ...mail, attachments });

  const { headers, body } = app.received.at(-1)!;
  const told = resend.webhooks.verify({
    payload: body,
    headers: {
      id: headers.get("svix-id")!,
      timestamp: headers.get("svix-timestamp")!,
      signature: headers.get("svix-signature")!,
    },
    webhookSecret: await keyOf(service, "mail/mail3"),
  });
  assert(told.type === "email.received");
  const id = told.data.email_id;
  assertEquals([told.data.from, told.data.to, told.data.received_for], [
    from,
    ["help@example.com"],
    ["help@example.com"],
  ]);
  assertEquals(
    told.data.attachments.map((one) => [one.content_disposition, one.content_id]),
    [["attachment", null], ["inline", "p1@shop"]],
  );

  const { data: read } = await receiving.get(id);
  assertEquals([read?.from, read?.subject, read?.text, read?.message_id], [
    from,
    "Grüße",
    "Where?",
    told.data.message_id,
  ]);
  const shown = `<p>Where?</p><img src="data:image/png;base64,${pixel}"><img src="cid:other">`;
  assertEquals(read?.html, shown);
  assertEquals((await receiving.get(id, { html_format: "cid" })).data?.html, html);
  assertEquals(read?.headers?.subject, "Grüße");
  assertEquals(read?.attachments.map(({ filename, size }) => [filename, size]), [
    ["a.txt", 2],
    ["p.png", 8],
  ]);

  const { data: page } = await receiving.list({ limit: 2 });
  assertEquals([page?.has_more, page?.data.map(({ subject }) => subject)], [true, [
    "Grüße",
    "second",
  ]]);
  const { data: rest } = await receiving.list({ after: page!.data[1]!.id });
  assertEquals([rest?.has_more, rest?.data.map(({ subject }) => subject)], [false, ["first"]]);

  const { data: list } = await receiving.attachments.list({ emailId: id });
  const [text, picture] = list!.data;
  assertEquals(await (await fetch(text!.download_url)).text(), "Hi");
  const { data: one } = await receiving.attachments.get({ emailId: id, id: picture!.id });
  assertEquals([one?.content_id, one?.content_disposition], ["p1@shop", "inline"]);
  assertEquals(btoa(await textOf(one!.download_url)), pixel);

  const missing = await receiving.get("56761188-7520-42d8-8898-ff6fc54ce618");
  assertEquals([missing.error?.name, missing.error?.statusCode], ["not_found", 404]);
  const wrong = await receiving.get("42");
  assertEquals(wrong.error?.statusCode, 422);

  const forwarded = await receiving.forward({
    emailId: id,
    to: "bob@example.com",
    from: "help@example.com",
  });
  assertEquals(forwarded.error, null);
  const event = await service.waitFor("mail.message");
  const sent = event.payload as { subject: string; text: string; attachments: Json[] };
  assertEquals([sent.subject, sent.text.trim()], ["Grüße", "Where?"]);
  assertEquals(sent.attachments.map(({ filename, size }) => [filename, size]), [
    ["p.png", 8],
    ["a.txt", 2],
  ]);

  await service.reset();
  assertEquals((await receiving.list()).data?.data, []);
});

/** Bytes as the characters that `btoa` takes. */
async function textOf(url: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  return String.fromCharCode(...bytes);
}

Deno.test("Mailjet reports the recipients of a mail together, to an address with a password", async () => {
  await using app = startReceiver();
  await using service = await start(app);
  const response = await fetch(`${service.ingress.url}/v3.1/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Basic ${btoa("a:b")}` },
    body: JSON.stringify({
      Messages: [{
        From: { Email: "shop@example.com" },
        To: [{ Email: "ada@example.org" }, { Email: "bob@example.org" }],
        Subject: "Hello",
        TextPart: "Hello",
        CustomID: "order-7",
      }],
    }),
  });
  const { Messages: [{ To }] } = await response.json();
  const event = await service.waitFor("mail.message");
  await connect(service.api.url).callbacks(event);
  await service.callback(event, "bounced", { recipient: "bob@example.org" });
  await service.inbound("mail1", { from: "ada@example.org", to: "help@example.com", text: "Hi" });
  const [sent, bounce, received] = app.received.map(({ body }) => JSON.parse(body));
  assertEquals(
    sent.map(({ event, email, MessageID, CustomID }: Json) => [event, email, MessageID, CustomID]),
    [
      ["sent", "ada@example.org", To[0].MessageID, "order-7"],
      ["sent", "bob@example.org", To[1].MessageID, "order-7"],
    ],
  );
  assertEquals([bounce.length, bounce[0].event, bounce[0].hard_bounce], [1, "bounce", true]);
  assertEquals([received.Recipient, received["Text-part"]], ["help@example.com", "Hi"]);
  assertEquals(app.received[0]?.headers.get("authorization"), `Basic ${btoa("ada:secret")}`);
});
