/**
 * Actions of cards: `HttpPOST` of a MessageCard, the only one with which Teams calls an address.
 * https://learn.microsoft.com/outlook/actionable-messages/message-card-reference#httppost-action
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { defineOptions, text } from "../../../core/options/spec.ts";
import { textOf } from "../../../core/options/suggest.ts";
import { type CapturedEvent, defineCallbacks } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { ChatMessage } from "../model.ts";
import type { OPTIONS } from "./options.ts";

const PAGE =
  "https://learn.microsoft.com/outlook/actionable-messages/message-card-reference#httppost-action";

/** An action that is a request. */
interface PostAction {
  readonly name: string;
  readonly target: string;
  readonly body: string;
  readonly contentType: string;
}

/** Maximum number of actions that are offered. */
const MAX_ACTIONS = 25;

export const CALLBACKS = defineCallbacks<typeof OPTIONS, ChatState>({
  // The user sees a failure, and presses again.
  schedule: { delaysMs: [], timeoutMs: 10_000, source: PAGE },
  kinds: {
    press: {
      label: "Press a button",
      about: "The request of an HttpPOST action, without the vendor's token",
      source: PAGE,
      params: defineOptions({ name: text("Name of the action", "") }),
    },
  },
  applies: () => false,
  presets: (event) =>
    actionsOf(event).map(({ name }) => ({
      event: "press",
      label: `Press “${name}”`,
      with: { name },
    })),
  make({ event, with: { name } }) {
    const actions = actionsOf(event);
    const action = actions.find((one) => one.name === name);
    if (action === undefined) {
      const known = actions.map((one) => one.name).join(", ");
      throw new RangeError(
        known === ""
          ? "Cannot press a button: the card has no HttpPOST action"
          : `Cannot press "${name}": the HttpPOST actions of the card are ${known}`,
      );
    }
    return [{
      name: `press ${action.name}`,
      url: action.target,
      headers: [
        ["Content-Type", action.contentType],
        ["User-Agent", "Microsoft-Teams/1.0 (standin)"],
      ],
      body: new TextEncoder().encode(action.body),
    }];
  },
});

function actionsOf({ type, payload }: CapturedEvent): readonly PostAction[] {
  if (type !== "chat.message") return [];
  const { contents = [] } = payload as ChatMessage;
  return contents.filter(({ format }) => format === "chat2.messagecard")
    .flatMap(({ json }) => isJsonObject(json) ? postsIn(json.potentialAction) : [])
    .slice(0, MAX_ACTIONS);
}

/** Those of a list, and of the action cards in it. */
function postsIn(list: unknown): readonly PostAction[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap((action) => {
    if (action["@type"] === "ActionCard") {
      const inner: unknown = action.actions;
      return Array.isArray(inner) ? inner.filter(isJsonObject).flatMap(toPost) : [];
    }
    return toPost(action);
  });
}

function toPost(action: Readonly<Record<string, unknown>>): readonly PostAction[] {
  const { name, target, body = "", bodyContentType = "application/json" } = action;
  if (action["@type"] !== "HttpPOST" || typeof name !== "string" || typeof target !== "string") {
    return [];
  }
  return [{ name, target, body: textOf(body), contentType: textOf(bodyContentType) }];
}
