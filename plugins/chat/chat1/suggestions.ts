/**
 * Menus of an external source: the app is asked for the options.
 * https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload
 */
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import type { AnswerOutcome, OutgoingCall } from "../../../core/plugin.ts";
import { type Context, interactionCall } from "./app_calls.ts";
import { type Element, elementsOf, findElement, textIn } from "./elements.ts";
import { IDENTITY } from "./ids.ts";
import { toView } from "./modals.ts";
import { blocksOf, type ChatEvent, openViewOf, tsOf } from "./shown.ts";
import type { OfferedOptions, Store } from "./store.ts";

type Json = Readonly<Record<string, unknown>>;

/** "a maximum of 100 options or option groups". */
const MAX_OPTIONS = 100;
/** Typed characters before the app is asked, unless the element says otherwise. */
const USUAL_LENGTH = 3;

/** Whether the options of an element come from the app. */
export function isExternal({ type }: Element): boolean {
  return type === "external_select" || type === "multi_external_select";
}

/** Returns the elements, those of an external source with the options that the app offered last. */
export function withOffered(
  all: readonly Element[],
  eventId: string,
  { env }: Context,
): readonly Element[] {
  return all.map((element) => {
    const offered = isExternal(element) ? env.store.offered(keyFor(element, eventId)) : undefined;
    return offered === undefined ? element : { ...element, json: { ...element.json, ...offered } };
  });
}

function keyFor({ block_id, action_id }: Element, eventId: string): string {
  return JSON.stringify([eventId, block_id, action_id]);
}

/** Returns block_suggestion: what a user typed into a menu. Throws `RangeError` for an unknown element. */
export function suggestionCall(
  event: ChatEvent,
  { key, value }: { readonly key: string; readonly value: unknown },
  context: Context,
): OutgoingCall {
  const view = event.type === "chat.view" ? openViewOf(event, context) : undefined;
  const blocks = blocksOf(event, view);
  const external = elementsOf(blocks).filter(isExternal);
  if (external.length === 0) {
    const what = view === undefined ? "message" : "view";
    throw new RangeError(`Cannot suggest: the ${what} has no menu with an external source`);
  }
  if (typeof value !== "string") throw new RangeError("Cannot suggest: expected the value as text");
  const element = findElement(external, key);
  const { min_query_length: least = USUAL_LENGTH } = element.json;
  if (typeof least === "number" && [...value].length < least) {
    throw new RangeError(`Cannot suggest: expected at least ${least} characters, not "${value}"`);
  }
  const { action_id, block_id } = element;
  return interactionCall({
    type: "block_suggestion",
    action_id,
    block_id,
    value,
    ...(view === undefined ? inMessage(event) : {
      container: { type: "view", view_id: view.id },
      view: { ...toView(view), blocks },
    }),
  }, { context, note: { suggests: keyFor(element, event.id) } });
}

function inMessage(event: ChatEvent): Json {
  const { channel: { id, name = id }, text } = event.payload;
  const ts = tsOf(event);
  return {
    container: { type: "message", message_ts: ts, channel_id: id, is_ephemeral: false },
    channel: { id, name },
    message: { type: "message", user: IDENTITY.user_id, bot_id: IDENTITY.bot_id, ts, text },
  };
}

/** Keeps the options of a response for the next choice. */
export function takeOptions(
  { body, key }: { readonly body: Uint8Array; readonly key: string },
  store: Store,
): AnswerOutcome {
  const offered = readOptions(body);
  if (typeof offered === "string") {
    return { outcome: `Slack would show an error: ${offered}`, events: [] };
  }
  store.setOffered(key, offered);
  const { options = [], option_groups: groups = [] } = offered;
  const all = [...options, ...groups.flatMap((group) => listOf(group.options))];
  const names = all.map((option) => textIn(option.text)).join(", ");
  return {
    outcome: names === "" ? "The app offered nothing" : `The app offered: ${names}`,
    events: [],
  };
}

/** Returns the options of a response, or the problem with it. */
export function readOptions(body: Uint8Array): OfferedOptions | string {
  let json: unknown;
  try {
    json = parseJson(new TextDecoder().decode(body));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  if (!isJsonObject(json)) return "the response is not a JSON object";
  const { options, option_groups: groups } = json;
  const given = options === undefined ? groups : options;
  if (!Array.isArray(given)) return "the response has neither options nor option_groups";
  if (given.length > MAX_OPTIONS) return `the response has more than ${MAX_OPTIONS} options`;
  const wrong =
    (options === undefined ? listOf(groups).flatMap((one) => listOf(one.options)) : given)
      .findIndex((one) =>
        !isJsonObject(one) || typeof one.value !== "string" || textIn(one.text) === ""
      );
  if (wrong >= 0) return `option ${wrong} has no text or no value`;
  return options === undefined ? { option_groups: listOf(groups) } : { options: listOf(options) };
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
