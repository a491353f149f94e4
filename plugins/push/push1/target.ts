/**
 * The target of a message: exactly one of `token`, `fid`, `topic` and `condition`
 * (https://firebase.google.com/docs/cloud-messaging/send-topic-messages).
 */
import type { PushTarget, PushTargetKind } from "../model.ts";
import type { JsonObject, Violations } from "../../../core/codec/json_fields.ts";
import { spellingIn } from "./proto_json.ts";

const SOURCES = ["token", "fid", "topic", "condition"] as const;
type Source = typeof SOURCES[number];

const KINDS: Readonly<Record<Source, PushTargetKind>> = {
  token: "device",
  fid: "device",
  topic: "topic",
  condition: "condition",
};

const TOPIC = /^[a-zA-Z0-9-_.~%]+$/;
/** Maximum number of topics that one condition may name. */
const MAX_TOPICS = 5;

/** Reads the target of a message. The order of `sent`, the message as sent, decides which target is one too many. */
export function readTarget(
  message: JsonObject,
  about: { readonly sent: JsonObject; readonly violations: Violations },
): PushTarget | undefined {
  const { sent, violations } = about;
  const order = Object.keys(sent);
  const sources = SOURCES.filter((name) => spellingIn(sent, name) !== undefined)
    .sort((a, b) => order.indexOf(a) - order.indexOf(b));
  for (const name of sources.slice(1)) {
    violations.add(
      "message",
      `Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set '${name}'`,
    );
  }
  const [source] = sources;
  const given = source === undefined ? "" : message[source];
  if (source !== undefined && given === undefined) return undefined; // reported as a wrong type
  if (source === undefined || given === "") {
    return violations.add("message", "Recipient of the message is not set.");
  }
  const text = String(given);
  const value = source === "topic" ? text.replace(/^\/topics\//, "") : text;
  if (source === "topic" && !TOPIC.test(value)) {
    violations.add("message.topic", "Invalid topic name provided.");
  }
  if (source === "condition" && !isCondition(value)) {
    violations.add("message.condition", "Invalid condition expression provided.");
  }
  return { kind: KINDS[source], value, source };
}

/** Returns whether a value names a topic, with or without its prefix. */
export function isTopicName(value: unknown): boolean {
  return typeof value === "string" && TOPIC.test(value.replace(/^\/topics\//, ""));
}

const TOKEN = /\s*(?:(\(|\)|!|&&|\|\|)|(?:'([^']*)'|"([^"]*)")\s+in\s+topics(?![\w-]))/y;

/**
 * Returns whether a text is an expression over topics: `'a' in topics`, joined by `&&` and `||`, with `!` and
 * parentheses, and at most five topics.
 */
export function isCondition(text: string): boolean {
  const end = text.trimEnd().length;
  let depth = 0;
  let topics = 0;
  let expectsOperand = true;
  TOKEN.lastIndex = 0;
  for (let at = 0; at < end; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (match === null) return false;
    const [, symbol, single, double] = match;
    const topic = single ?? double;
    const opens = topic !== undefined || symbol === "(" || symbol === "!";
    if (opens !== expectsOperand) return false;
    if (symbol === "(") depth++;
    else if (symbol === ")" && --depth < 0) return false;
    if (topic !== undefined) {
      if (!TOPIC.test(topic) || ++topics > MAX_TOPICS) return false;
      expectsOperand = false;
    } else if (symbol === "&&" || symbol === "||") expectsOperand = true;
  }
  return topics > 0 && depth === 0 && !expectsOperand;
}
