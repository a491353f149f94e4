/** Messages in the chat channels of a shop. */
import { jsonRequest, settingOr } from "../../core/demo.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";

const SLACK_HOOK = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";
const TEAMS_HOOK =
  "/webhookb2/11111111-1111-1111-1111-111111111111@22222222-2222-2222-2222-222222222222" +
  "/IncomingWebhook/0123456789abcdef0123456789abcdef/33333333-3333-3333-3333-333333333333";

/** Webhooks, a thread, and cards of both generations. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "chat1",
    what: "A deployment, told by a webhook in blocks",
    send: (to) => post(to, SLACK_HOOK, deployment()),
  },
  {
    provider: "chat1",
    what: "A question by the Web API, with two answers in its thread",
    send: thread,
  },
  {
    provider: "chat2",
    what: "An order as an Adaptive Card",
    send: (to) => post(to, TEAMS_HOOK, orderCard()),
  },
  {
    provider: "chat2",
    what: "An alert as a MessageCard",
    send: (to) => post(to, TEAMS_HOOK, alertCard()),
  },
];

async function post(to: DemoTarget, path: string, message: unknown): Promise<void> {
  await to.request(path, jsonRequest(message));
}

function deployment(): unknown {
  return {
    channel: "#deployments",
    username: "deploy",
    icon_emoji: ":rocket:",
    text: "shop 4.2.0 is live",
    blocks: [
      { type: "header", text: { type: "plain_text", text: "shop 4.2.0 is live" } },
      {
        type: "section",
        fields: [
          { type: "mrkdwn", text: "*Environment*\nproduction" },
          { type: "mrkdwn", text: "*Took*\n2 min 14 s" },
        ],
      },
      {
        type: "section",
        text: { type: "mrkdwn", text: "• faster search\n• ~broken~ repaired `checkout`" },
      },
      { type: "divider" },
      {
        type: "actions",
        elements: [
          {
            type: "button",
            text: { type: "plain_text", text: "Roll back" },
            style: "danger",
            value: "4.1.9",
            action_id: "roll_back",
          },
        ],
      },
    ],
  };
}

async function thread(to: DemoTarget): Promise<void> {
  const headers = { authorization: `Bearer ${settingOr(to, "bot_token", "xoxb-demo")}` };
  const post = async (message: Readonly<Record<string, unknown>>): Promise<string> => {
    const { body } = await to.request("/api/chat.postMessage", jsonRequest(message, headers));
    const said: unknown = JSON.parse(new TextDecoder().decode(body));
    // The Web API answers 200 to everything.
    if (!isPosted(said)) throw new Error(`it answered ${JSON.stringify(said)}`);
    return said.ts;
  };
  const channel = "#support";
  const ts = await post({ channel, text: "*New ticket #881*: page 42 is missing :book:" });
  await post({ channel, thread_ts: ts, text: "Taken by <@U024BE7LH>" });
  const text = "Solved: a new copy is on its way";
  await post({ channel, thread_ts: ts, text, reply_broadcast: true });
}

function isPosted(said: unknown): said is { readonly ts: string } {
  return typeof said === "object" && said !== null && "ts" in said && typeof said.ts === "string";
}

function orderCard(): unknown {
  return {
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [
          { type: "TextBlock", size: "Large", weight: "Bolder", text: "Order 2026-0417" },
          { type: "TextBlock", text: "Ada Lovelace, London", isSubtle: true, wrap: true },
          {
            type: "FactSet",
            facts: [
              { title: "Items", value: "1" },
              { title: "Total", value: "24.90 €" },
              { title: "Delivery", value: "by post" },
            ],
          },
        ],
        actions: [
          {
            type: "Action.OpenUrl",
            title: "Open the order",
            url: "https://lovelace-books.example/orders/2026-0417",
          },
        ],
      },
    }],
  };
}

function alertCard(): unknown {
  return {
    "@type": "MessageCard",
    "@context": "https://schema.org/extensions",
    summary: "db-1: disk nearly full",
    themeColor: "D83B01",
    title: "db-1: disk nearly full",
    sections: [{
      activityTitle: "Monitoring",
      activitySubtitle: "production",
      facts: [{ name: "/var", value: "98 %" }, { name: "since", value: "06:12" }],
      markdown: true,
    }],
  };
}
