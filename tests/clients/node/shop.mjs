/**
 * A shop as its developer would write it, with the middleware and the packages of the vendors. It tells on standard output
 * when it listens, and at /seen what it was told.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { Client } from "@sendgrid/client";
import { EventWebhook, EventWebhookHeader } from "@sendgrid/eventwebhook";
import { MailService } from "@sendgrid/mail";
import express from "express";
import { Resend } from "resend";
import { Webhook } from "svix";
import twilio from "twilio";

const { CERT, KEY, PORT, STANDIN, ACCOUNT, TOKEN, SENDGRID_KEY, SVIX_SECRET } = process.env;
const shop = `https://localhost:${PORT}`;

const texts = twilio(ACCOUNT, TOKEN);
texts.api.baseUrl = STANDIN;
const client = new Client();
client.setApiKey("SG.any");
client.setDefaultRequest("baseUrl", STANDIN);
const mails = new MailService();
mails.setClient(client);
const resend = new Resend("re_any", { baseUrl: STANDIN });

const seen = [];
const app = express();
const form = express.urlencoded({ extended: false });
const raw = express.raw({ type: "*/*" });
const fromTwilio = twilio.webhook({ validate: true }, TOKEN);

app.post("/sms/status", form, fromTwilio, ({ body }, response) => {
  seen.push(["twilio", body.MessageStatus, body.MessageSid]);
  response.sendStatus(204);
});

app.post("/sms", form, fromTwilio, ({ body }, response) => {
  const answer = new twilio.twiml.MessagingResponse();
  answer.message(`You said: ${body.Body}`);
  response.type("text/xml").send(answer.toString());
});

app.post("/sendgrid", raw, ({ headers, body }, response) => {
  const webhook = new EventWebhook();
  const signature = headers[EventWebhookHeader.SIGNATURE().toLowerCase()];
  const timestamp = headers[EventWebhookHeader.TIMESTAMP().toLowerCase()];
  const key = webhook.convertPublicKeyToECDSA(SENDGRID_KEY);
  if (!webhook.verifySignature(key, body, signature ?? "", timestamp ?? "")) {
    return response.sendStatus(403);
  }
  for (const { event, email } of JSON.parse(body)) seen.push(["sendgrid", event, email]);
  response.sendStatus(204);
});

app.post("/resend", raw, async ({ headers, body }, response) => {
  try {
    new Webhook(SVIX_SECRET).verify(body, headers);
  } catch {
    return response.sendStatus(403);
  }
  const { type, data } = JSON.parse(body);
  seen.push(["resend", type, data.subject]);
  if (type === "email.received") {
    const { data: mail } = await resend.emails.receiving.get(data.email_id);
    await resend.emails.send({
      from: mail.to[0],
      to: mail.from,
      subject: `Re: ${mail.subject}`,
      text: `We have read: ${mail.text}`,
    });
  }
  response.sendStatus(204);
});

app.post("/orders", express.json(), async ({ body: { phone, mail } }, response) => {
  const { sid } = await texts.messages.create({
    to: phone,
    from: "+15017122661",
    body: "Your order is on its way.",
    statusCallback: `${shop}/sms/status`,
  });
  const order = { from: "shop@example.com", to: mail, subject: "Order", text: "It is on its way." };
  await mails.send(order);
  await resend.emails.send({ ...order, subject: "Invoice" });
  response.json({ sid });
});

app.get("/seen", (_request, response) => response.json(seen));

createServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }, app)
  .listen(Number(PORT), "127.0.0.1", () => console.log("listening"));
