/** Messages in the chat channels of a shop. */
import { jsonRequest, settingOr } from "../../core/demo.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";

const SLACK_HOOK = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";
const TEAMS_HOOK =
  "/webhookb2/11111111-1111-1111-1111-111111111111@22222222-2222-2222-2222-222222222222" +
  "/IncomingWebhook/0123456789abcdef0123456789abcdef/33333333-3333-3333-3333-333333333333";

const DISCORD_HOOK = "/api/webhooks/1234567890123456789/demo-token";
const TELEGRAM_BOT = "/bot123456:demo-token";

/** Webhooks, a thread with an edit and a reaction, cards of both generations, embeds and a keyboard. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "chat1",
    what: "A deployment notice with blocks, by webhook",
    send: (to) => post(to, SLACK_HOOK, deployment()),
  },
  {
    provider: "chat1",
    what: "A question over the Web API, with two replies, an edit and a reaction",
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
  {
    provider: "chat3",
    what: "A build with an embed",
    send: (to) => post(to, DISCORD_HOOK, build()),
  },
  {
    provider: "chat4",
    what: "A reminder with a keyboard",
    send: (to) => post(to, `${TELEGRAM_BOT}/sendMessage`, reminder()),
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
  const call = async (
    method: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<Posted> => {
    const { body } = await to.request(`/api/${method}`, jsonRequest(given, headers));
    const said = JSON.parse(new TextDecoder().decode(body)) as Posted;
    // The Web API answers every call with 200.
    if (said.ok !== true) throw new Error(`it answered ${JSON.stringify(said)}`);
    return said;
  };
  const post = (message: Readonly<Record<string, unknown>>): Promise<Posted> =>
    call("chat.postMessage", { channel: "#support", ...message });
  const root = await post({ text: "*New ticket #881*: page 42 is missing :book:" });
  const { channel, ts } = root;
  await post({ thread_ts: ts, text: "Taken by <@U024BE7LH>" });
  await call("chat.update", { channel, ts, text: "*Ticket #881*: page 42 is missing :book:" });
  await post({ thread_ts: ts, text: "Solved: a new copy is on its way", reply_broadcast: true });
  await call("reactions.add", { channel, timestamp: ts, name: "white_check_mark" });
}

/** The used parts of a response. */
interface Posted {
  readonly ok: boolean;
  readonly channel: string;
  readonly ts: string;
}

function build(): unknown {
  return {
    username: "build",
    content: "**shop** #1204 passed",
    embeds: [{
      title: "shop #1204",
      url: "https://lovelace-books.example/builds/1204",
      description: "All 812 tests passed.",
      color: 0x2e7d32,
      fields: [{ name: "Branch", value: "`main`" }, { name: "Took", value: "3 min 40 s" }],
      footer: { text: "by Ada" },
    }],
  };
}

function reminder(): unknown {
  return {
    chat_id: 4242,
    text: "*Reminder*: the parcel of order 2026\\-0417 is ready",
    parse_mode: "MarkdownV2",
    reply_markup: {
      inline_keyboard: [[
        { text: "On my way", callback_data: "coming" },
        { text: "Open", url: "https://lovelace-books.example/orders/2026-0417" },
      ]],
    },
  };
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
