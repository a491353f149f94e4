/**
 * Actions of cards: `HttpPOST` of a MessageCard, the only one that makes Teams send a request.
 * https://learn.microsoft.com/outlook/actionable-messages/message-card-reference#httppost-action
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { defineOptions, text } from "../../../core/options/spec.ts";
import { textOf } from "../../../core/options/suggest.ts";
import { type CapturedEvent, defineCallbacks } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { ChatMessage } from "../model.ts";
import { type GivenValues, valuesByElement } from "../value_options.ts";
import {
  asksFor,
  type CardInput,
  inputsOf,
  missingIn,
  substitute,
  valuesOf,
} from "./card_inputs.ts";
import type { OPTIONS } from "./options.ts";

const PAGE =
  "https://learn.microsoft.com/outlook/actionable-messages/message-card-reference#httppost-action";

const FORM = "application/x-www-form-urlencoded";

/** An action that sends a request. */
interface PostAction {
  readonly name: string;
  readonly target: string;
  readonly body: string;
  readonly contentType: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Inputs of the action card around it. */
  readonly inputs: readonly CardInput[];
}

/** Maximum number of offered actions. */
const MAX_ACTIONS = 25;
/** Maximum number of header fields of an action. */
const MAX_HEADERS = 50;
const VALUES_ABOUT = "Values of the inputs, by their id; by default the initial ones";

export const CALLBACKS = defineCallbacks<typeof OPTIONS, ChatState>({
  // No automatic retries: the user sees the failure and presses again.
  schedule: { delaysMs: [], timeoutMs: 10_000, source: PAGE },
  kinds: {
    press: {
      label: "Press a button",
      about: "The request of an HttpPOST action, without the vendor's token",
      source: PAGE,
      params: defineOptions({
        name: text("Name of the action", ""),
        values: valuesByElement(VALUES_ABOUT),
      }),
    },
  },
  applies: () => false,
  presets: (event) =>
    actionsOf(event).map(({ name, inputs }) => ({
      event: "press",
      label: `Press “${name}”`,
      with: { name },
      asks: asksFor(inputs, VALUES_ABOUT),
    })),
  make({ event, with: { name, values: given } }) {
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
    const { target, body, contentType, headers, inputs } = action;
    const values = valuesOf(inputs, given as GivenValues);
    const missing = missingIn([target, body], inputs, values);
    if (missing !== undefined) {
      throw new RangeError(`Cannot press "${action.name}": input "${missing.id}" needs a value`);
    }
    return [{
      name: `press ${action.name}`,
      url: substitute(target, values, FORM),
      headers: [
        ["Content-Type", contentType],
        ["User-Agent", "Microsoft-Teams/1.0 (standin)"],
        ...headers,
      ],
      body: new TextEncoder().encode(substitute(body, values, contentType)),
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

/** Actions of a list, and of the action cards in it. */
function postsIn(list: unknown): readonly PostAction[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap((action) => {
    if (action["@type"] === "ActionCard") {
      const inner: unknown = action.actions;
      const inputs = inputsOf(action);
      return Array.isArray(inner)
        ? inner.filter(isJsonObject).flatMap((one) => toPost(one, inputs))
        : [];
    }
    return toPost(action, []);
  });
}

function toPost(
  action: Readonly<Record<string, unknown>>,
  inputs: readonly CardInput[],
): readonly PostAction[] {
  const { name, target, body = "", bodyContentType = "application/json", headers } = action;
  if (action["@type"] !== "HttpPOST" || typeof name !== "string" || typeof target !== "string") {
    return [];
  }
  return [{
    name,
    target,
    body: textOf(body),
    contentType: textOf(bodyContentType),
    headers: headersIn(headers),
    inputs,
  }];
}

/** https://learn.microsoft.com/outlook/actionable-messages/message-card-reference#header */
function headersIn(list: unknown): PostAction["headers"] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).slice(0, MAX_HEADERS).flatMap(({ name, value }) =>
    typeof name === "string" && typeof value === "string" && isOwnHeader(name, value)
      ? [[name, value] as const]
      : []
  );
}

/** A card controls neither the framing nor the connection. */
function isOwnHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[\r\n\0]|[^\x20-\x7e\t]/.test(value) &&
    !/^(host|content-length|content-type|connection|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i
      .test(name);
}
