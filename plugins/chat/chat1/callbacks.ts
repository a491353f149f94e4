/** Requests to a Slack app: https://docs.slack.dev/apis/events-api and https://docs.slack.dev/interactivity */
import { createHmac } from "node:crypto";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { boolean, defineOptions, type OptionSpec, text } from "../../../core/options/spec.ts";
import { defineCallbacks, type OutgoingCall } from "../../../core/plugin.ts";
import { captureChat, type ChatState } from "../capture.ts";
import { valuesByElement } from "../value_options.ts";
import { type Context, eventCall, inboundCall, secretOf, tokenOf, USER } from "./app_calls.ts";
import { actionCall, closingCalls, type Given, submissionCall } from "./interactions.ts";
import { offersFor, QUERY_ABOUT, VALUE_ABOUT, VALUES_ABOUT } from "./offers.ts";
import type { OPTIONS } from "./options.ts";
import { channelIdOf, IDENTITY } from "./ids.ts";
import { type ChatEvent, tsOf } from "./shown.ts";
import type { Store } from "./store.ts";
import { suggestionCall, takeOptions } from "./suggestions.ts";
import { takeAnswer } from "./view_answers.ts";

const EVENTS = "https://docs.slack.dev/apis/events-api";
const INTERACTIVITY = "https://docs.slack.dev/reference/interaction-payloads/block_actions-payload";
const SUGGESTIONS =
  "https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload";
const VIEWS = "https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload";

/** One value, checked by the element. */
function anyValue(about: string): OptionSpec<unknown> {
  return {
    kind: "value",
    about,
    fallback: undefined,
    schema: {},
    parse: (value) => value,
    check: (value) => value,
  };
}

export const CALLBACKS = defineCallbacks<typeof OPTIONS, ChatState, Store>({
  // "nearly immediately, after 1 minute, after 5 minutes"
  schedule: {
    delaysMs: [0, 60_000, 300_000],
    timeoutMs: 3000,
    source: `${EVENTS}#retries`,
    again: (answer, { note }) =>
      note?.isEvent === true && answer?.headers["x-slack-no-retry"] !== "1",
    accepts({ status, body }, { note }) {
      if (status < 200 || status >= 300) return false;
      const challenge = note?.challenge;
      return typeof challenge !== "string" || new TextDecoder().decode(body).includes(challenge);
    },
  },
  kinds: {
    press: {
      label: "Press a button",
      about: "Sends block_actions, as when a user presses a button of the message",
      source: INTERACTIVITY,
      params: defineOptions({
        action_id: text("action_id of the button", ""),
        value: anyValue("Its value; by default that of the message"),
        values: valuesByElement(VALUES_ABOUT),
      }),
    },
    choose: {
      label: "Choose or enter",
      about: "Sends block_actions, as when a user chooses from a menu, ticks a box or enters text",
      source: INTERACTIVITY,
      params: defineOptions({
        action_id: text("action_id of the element", ""),
        value: anyValue(VALUE_ABOUT),
        values: valuesByElement(VALUES_ABOUT),
      }),
    },
    suggest: {
      label: "Look up in a menu",
      about: "Sends block_suggestion, as when a user types into a menu with external options",
      source: SUGGESTIONS,
      params: defineOptions({
        action_id: text("action_id of the menu", ""),
        value: anyValue(QUERY_ABOUT),
      }),
    },
    submit: {
      label: "Submit",
      about:
        "Sends view_submission, as when a user submits a modal, and applies the app's response",
      source: VIEWS,
      params: defineOptions({ values: valuesByElement(VALUES_ABOUT) }),
    },
    close: {
      label: "Close",
      about: "Closes the modal, and sends view_closed if it has notify_on_close",
      source: VIEWS,
      params: defineOptions({
        cleared: boolean("Whether the whole stack of modals is closed", false),
      }),
    },
    reply: {
      label: "Reply",
      about: "Sends a `message` event in the message's thread",
      source: "https://docs.slack.dev/reference/events/message",
      params: defineOptions({ text: text("Text of the reply", "Thanks") }),
    },
    reaction: {
      label: "React",
      about: "Sends a `reaction_added` event",
      source: "https://docs.slack.dev/reference/events/reaction_added",
      params: defineOptions({ reaction: text("Name of the emoji", "thumbsup") }),
    },
  },
  applies: (name, event) =>
    event.type === "chat.message" && (name === "reply" || name === "reaction"),
  presets: (event, context) => offersFor(event as ChatEvent, context),
  async make({ event: given, name, with: params }, context) {
    const event = given as ChatEvent;
    switch (name) {
      case "press":
      case "choose": {
        const about = { name, key: String(params.action_id), value: params.value } as const;
        return [actionCall(event, { ...about, values: params.values as Given }, context)];
      }
      case "suggest": {
        const about = { key: String(params.action_id), value: params.value ?? "" };
        return [suggestionCall(event, about, context)];
      }
      case "submit":
        return [await submissionCall(event, params.values as Given, context)];
      case "close":
        return closingCalls(event, { isCleared: params.cleared === true }, context);
      case "reply":
        return [reply(event, params.text, context)];
      default:
        return [react(event, params.reaction, context)];
    }
  },
  inbound: {
    about: "An event (`event`), a slash command (`command`), or `url_verification`",
    source: EVENTS,
    example: { type: "command", command: "/deploy", text: "now" },
    templates: [
      {
        label: "Event",
        payload: {
          type: "event",
          event: {
            type: "app_mention",
            user: USER.id,
            text: "Hello",
            channel: channelIdOf("general"),
          },
        },
      },
      { label: "URL verification", payload: { type: "url_verification" } },
    ],
    make: (payload, context) => ({ calls: [inboundCall(payload, context)] }),
  },
  sign({ body, note }, { now, attempt }, context) {
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const hmac = createHmac("sha256", secretOf(context)).update(`v0:${timestamp}:`).update(body);
    const retry = note?.isEvent === true && attempt > 1;
    return [
      ["X-Slack-Request-Timestamp", timestamp],
      ["X-Slack-Signature", `v0=${hmac.digest("hex")}`],
      ...(retry
        ? [
          ["X-Slack-Retry-Num", String(attempt - 1)] as const,
          ["X-Slack-Retry-Reason", "http_error"] as const,
        ]
        : []),
    ];
  },
  keys: (context) => [
    { name: "Signing secret", value: secretOf(context) },
    { name: "Verification token", value: tokenOf(context) },
  ],
  answered({ note }, { body, headers }, { env }) {
    if (typeof note?.submitted === "string") {
      const inputs = isJsonObject(note.inputs) ? note.inputs : {};
      return takeAnswer({ body, viewId: note.submitted, inputs }, env);
    }
    if (typeof note?.suggests === "string") {
      return takeOptions({ body, key: note.suggests }, env.store);
    }
    const channel = note?.channel;
    if (typeof channel !== "string" || body.length === 0) return [];
    const answer = new TextDecoder().decode(body);
    const isJson = /\bjson\b/.test(headers["content-type"] ?? "");
    const given: unknown = isJson ? JSON.parse(answer) : { text: answer };
    if (!isJsonObject(given)) return [];
    const blocks = Array.isArray(given.blocks) ? [given.blocks] : [];
    return [
      captureChat(env, {
        channel: { id: channel },
        author: { id: IDENTITY.bot_id, bot: true },
        text: typeof given.text === "string" ? given.text : "",
        contents: blocks.map((data) => ({ format: "chat1.blocks", json: JSON.stringify(data) })),
      }, {
        raw: { transport: "http", text: true, body },
        meta: {
          surface: "command_answer",
          response_type: given.response_type === "in_channel" ? "in_channel" : "ephemeral",
        },
      }),
    ];
  },
});

function reply(event: ChatEvent, text: unknown, context: Context): OutgoingCall {
  const channel = event.payload.channel.id;
  const thread_ts = tsOf(event);
  return eventCall({ type: "message", channel, user: USER.id, text, thread_ts }, context);
}

function react(event: ChatEvent, reaction: unknown, context: Context): OutgoingCall {
  return eventCall({
    type: "reaction_added",
    user: USER.id,
    reaction,
    item_user: IDENTITY.user_id,
    item: { type: "message", channel: event.payload.channel.id, ts: tsOf(event) },
  }, context);
}
