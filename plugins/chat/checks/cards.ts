import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { checkObject, hasType, isAdded } from "./card_schema.ts";
import { type Placed, walkObjects } from "./walk.ts";

const CARDS =
  "https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-reference";
const LIMITS =
  "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook";
const EXPLORER = "https://adaptivecards.io/explorer";
const MESSAGE_CARD =
  "https://learn.microsoft.com/outlook/actionable-messages/message-card-reference#card-fields";

/** Newest schema version that the host supports. */
const NEWEST = [1, 5] as const;
/** Maximum bytes of a message to a webhook. */
const MAX_BYTES = 28 * 1024;

/** Checks of Adaptive Cards for the host. */
export const cardsTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.card_version",
      level: "error",
      about: "The card states no version, or one that the host does not support",
      source: CARDS,
    },
    {
      id: "chat.card_element",
      level: "error",
      about: "An element or action of the card has a type that is not in its schema",
      source: EXPLORER,
    },
    {
      id: "chat.card_required",
      level: "error",
      about: "An element or action of the card lacks a member that its schema requires",
      source: EXPLORER,
    },
    {
      id: "chat.card_member",
      level: "info",
      about:
        "An element or action of the card has a member that is not in its schema, which hosts ignore; " +
        "a warning if its name is close to a known one",
      source: EXPLORER,
    },
    {
      id: "chat.card_value",
      level: "error",
      about:
        "A member of the card has a value of the wrong type, or a word that is not in its schema",
      source: EXPLORER,
    },
    {
      id: "chat.card_newer",
      level: "warning",
      about:
        "The card has a member of a newer version of the schema than it states: hosts may ignore it",
      source: EXPLORER,
    },
    {
      id: "chat.card_submit",
      level: "warning",
      about:
        "The card has Action.Submit or Action.Execute, which do nothing in a webhook's message",
      source: LIMITS,
    },
    {
      id: "chat.card_size",
      level: "error",
      about: "The message is larger than the 28 KB that the host's webhooks accept",
      source: LIMITS,
    },
    {
      id: "chat.card_summary",
      level: "error",
      about: "The MessageCard has neither a summary nor a text, and connectors require one of them",
      source: MESSAGE_CARD,
    },
    {
      id: "chat.card_alt",
      level: "info",
      about: "An image of the card has no altText",
      source: `${EXPLORER}/Image.html`,
    },
  ],
  *find({ payload: { contents = [] }, raw }) {
    const cards = contents.filter(({ format }) => format === "chat2.adaptivecard");
    const isCard = contents.some(({ format }) => format.startsWith("chat2."));
    if (isCard && raw.body.length > MAX_BYTES) {
      yield {
        id: "chat.card_size",
        message: `The message has ${raw.body.length} bytes; at most ${MAX_BYTES}`,
      };
    }
    for (const { format, json } of contents) {
      if (format === "chat2.messagecard") yield* summary(json);
    }
    for (const { json } of cards) {
      yield* version(json);
      for (const placed of walkObjects(json, "card")) {
        yield undefined;
        yield* ofElement(placed, (json as { version?: unknown } | null)?.version);
      }
    }
  },
};

function* summary(json: unknown): Generator<Found> {
  const card = isJsonObject(json) ? json : {};
  const hasOne = [card.summary, card.text].some((one) => typeof one === "string" && one.trim());
  if (hasOne) return;
  yield {
    id: "chat.card_summary",
    message: "The card has neither a summary nor a text",
    where: { part: "card", path: "card" },
  };
}

function* version(json: unknown): Generator<Found> {
  const stated = (json as { version?: unknown } | null)?.version;
  const where = { part: "card", path: "card.version" };
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(String(stated ?? "")) ?? [];
  if (major === undefined || minor === undefined) {
    yield {
      id: "chat.card_version",
      message: `The version is ${JSON.stringify(stated) ?? "missing"}; expected "1.5" or lower`,
      where,
    };
  } else if (
    Number(major) > NEWEST[0] || (Number(major) === NEWEST[0] && Number(minor) > NEWEST[1])
  ) {
    yield {
      id: "chat.card_version",
      message: `The host shows cards up to version ${NEWEST.join(".")}, not ${stated}`,
      where,
    };
  }
}

function* ofElement({ value, path }: Placed, version: unknown): Generator<Found> {
  const { type } = value;
  // Data of actions and choices has no type, or a custom one.
  if (typeof type !== "string" || /\.(data|\$data|msteams)(\.|\[|$)/.test(path)) return;
  if (isAdded(type)) return;
  const where = { part: "card", path };
  if (!hasType(type)) {
    yield {
      id: "chat.card_element",
      message: `The schema has no ${JSON.stringify(type.slice(0, 100))}`,
      where,
    };
    return;
  }
  yield* checkObject(value, { type, path, version: String(version ?? "") });
  if (type === "Action.Submit" || type === "Action.Execute") {
    yield { id: "chat.card_submit", message: `${type} needs a bot; use Action.OpenUrl`, where };
  }
  if (type === "Image" && !value.altText) {
    yield { id: "chat.card_alt", message: "The image has no altText", where };
  }
}
